/** A finished game, checked before one's eyes. */

import { useEffect, useState } from "preact/hooks";
import { addressOf } from "../entering";
import type { RevealSessionResponse } from "../gen/monsters/session/v1/session_pb";
import { keyOf } from "../keys";
import { insist, type Problem, problemOf } from "../problems";
import * as rules from "../rules";
import { sessions } from "../server";
import { type Verdict, verify } from "../verifying";
import { Frame, Trouble } from "./parts";

const PAGE = 1000;

export function Verify({ name }: { name: string }) {
  const [verdict, setVerdict] = useState<Verdict>({ moves: 0, draws: 0, problem: undefined });
  const [done, setDone] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const key = keyOf(name);
  useEffect(() => {
    const run = async () => {
      if (!globalThis.crypto?.subtle) {
        const sentence = "This browser computes SHA-256 only for pages that come over HTTPS, or from this machine.";
        return setProblem({ sentence, reason: "", rule: "" });
      }
      for await (const found of verify(await reveal(name), keyOf(name), rules)) setVerdict(found);
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
      <p>
        The server showed the SHA-256 of its secret before the first draw
        {key ? ", and this browser noted it, and brought a secret of its own" : ""}. Now this browser has computed each
        die and each shuffle from the secrets, and has asked the rules to play every move again.
      </p>
      <p>
        <a href={addressOf("session", name)}>Back to the table</a>
      </p>
    </Frame>
  );
}

/** Everything of a finished game. */
async function reveal(name: string): Promise<RevealSessionResponse> {
  const whole = await insist(() => sessions.revealSession({ name, pageSize: PAGE }));
  for (let pageToken = whole.nextPageToken; pageToken; ) {
    const page = await insist(() => sessions.revealSession({ name, pageSize: PAGE, pageToken }));
    whole.steps.push(...page.steps);
    pageToken = page.nextPageToken;
  }
  return whole;
}
