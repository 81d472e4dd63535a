/** A finished game, checked before one's eyes. */

import { useEffect, useState } from "preact/hooks";
import { addressOf } from "../entering";
import type { RevealSessionResponse } from "../gen/monsters/session/v1/session_pb";
import { keyOf } from "../keys";
import { insist, type Problem, problemOf } from "../problems";
import { nameOf } from "../replaying";
import * as rules from "../rules";
import { about, sessions } from "../server";
import { NOTHING_CHECKED, type Recorded, verify } from "../verifying";
import { Frame, Trouble } from "./parts";

/** So many that a slow connection has them in time. */
const PAGE = 200;

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
      const game = await reveal(name);
      const served = await servedVersions(game.session?.game);
      for await (const found of verify(game, keyOf(name), rules, served)) setVerdict(found);
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

/** The versions of a game's rules that can be asked. */
async function servedVersions(token: string | undefined): Promise<readonly string[]> {
  const { games } = await insist(() => sessions.listGames({}));
  return games.find((game) => game.token === token)?.rulesVersions ?? [];
}

/** Everything of a finished game. */
async function reveal(name: string): Promise<RevealSessionResponse> {
  const options = about(name, undefined);
  const whole = await insist(() => sessions.revealSession({ name, pageSize: PAGE }, options));
  for (let pageToken = whole.nextPageToken; pageToken; ) {
    const page = await insist(() => sessions.revealSession({ name, pageSize: PAGE, pageToken }, options));
    whole.steps.push(...page.steps);
    pageToken = page.nextPageToken;
  }
  return whole;
}
