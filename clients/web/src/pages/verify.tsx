/** A finished game, checked before one's eyes. */

import { NOTHING_CHECKED, nameOf, type Recorded } from "@lair-games/client";
import { useEffect, useState } from "preact/hooks";
import { addressOf } from "../entering";
import { keyOf } from "../keys";
import { type Problem, problemOf } from "../problems";
import { lair } from "../server";
import { Frame, Trouble } from "./parts";

export function Verify({ name }: { name: string }) {
  const [verdict, setVerdict] = useState(NOTHING_CHECKED);
  const [done, setDone] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const key = keyOf(name);
  useEffect(() => {
    const run = async () => {
      if (!globalThis.crypto?.subtle) {
        const sentence = "This browser computes SHA-256 only for pages that come over HTTPS, or from this machine.";
        return setProblem({ sentence, reason: "", rule: "" });
      }
      await lair.verify(name, { noted: keyOf(name), told: setVerdict });
      setDone(true);
    };
    run().catch((error) => setProblem(problemOf(error)));
  }, [name]);
  const counted = `${verdict.moves} moves, ${verdict.draws} draws`;
  return (
    <Frame title="Was it fair?">
      <Trouble problem={problem} />
      <p id="verdict" role="status" class={verdict.problem ? "problem" : ""}>
        {!done && `Checking: ${counted}`}
        {done && (verdict.problem ? `Not verified: ${verdict.problem}.` : `Verified: ${counted}.`)}
      </p>
      {verdict.recorded.map((recorded) => (
        <Record key={`${recorded.first}`} recorded={recorded} />
      ))}
      <p>
        The server showed the SHA-256 of its secret before the first draw
        {key ? ", and this browser noted it, and brought a secret of its own" : ""}. Now this browser has computed each
        die and each shuffle from the secrets, and has asked the rules to play again every move that was made under a
        version of them that is served.
      </p>
      <p>
        <a href={addressOf("session", name)}>Back to the table</a>
      </p>
    </Frame>
  );
}

/** What was not played again. */
function Record({ recorded: { version, first, last } }: { recorded: Recorded }) {
  const which = first === last ? nameOf(first) : `${nameOf(first)} to ${nameOf(last)}`;
  return (
    <p class="recorded">
      By their record: {which}, under rules version {version}, which this server doesn't have. The dice are checked,
      what they led to is not.
    </p>
  );
}
