/**
 * A finished game, checked: commitment, seeds and draws are recomputed here, and what moves lead to is replayed by the
 * rules, as far as the version that they were made under is still served.
 */

import { hex } from "./bytes.js";
import { commitmentOf, MOST_SIDES, Stream, seedOf, VERSIONS } from "./chance.js";
import { StandingSchema } from "./gen/monsters/rules/v1/rules_pb.js";
import { type RevealSessionResponse, State, type Step } from "./gen/monsters/session/v1/session_pb.js";
import { nameOf, type Replayed, replayProblem, sameMessage } from "./replaying.js";

/** What a player knows from before the game, in hexadecimal. */
export interface Noted {
  seat: number;
  entropy: string;
  commitment: string;
}

/** Revisions from the first to the last that were made under a version of the rules that nobody can ask any more. */
export interface Recorded {
  version: string;
  first: bigint;
  last: bigint;
}

/** What is checked of a game: how far it agrees, and the first thing that does not, in a sentence. */
export interface Verdict {
  moves: number;
  draws: number;
  /** What was not replayed: of these the dice are checked, and what they led to is taken from the record. */
  recorded: readonly Recorded[];
  problem: string | undefined;
}

export const NOTHING_CHECKED: Verdict = { moves: 0, draws: 0, recorded: [], problem: undefined };

/** Checks a game by rules of the versions that are served, and tells how far it is after each revision. */
export async function* verify(
  game: RevealSessionResponse,
  noted: Noted | undefined,
  rules: Replayed,
  served: readonly string[],
): AsyncGenerator<Verdict> {
  const verdict: Verdict = { ...NOTHING_CHECKED, problem: await secretsProblem(game, noted) };
  verdict.problem ??= revisionsProblem(game);
  let before: Step | undefined;
  for (const step of verdict.problem === undefined ? game.steps : []) {
    const replayed = served.includes(step.rulesVersion);
    verdict.problem = await drawsProblem(game, step);
    if (replayed) verdict.problem ??= await replayProblem(game.session, before, step, await seedFor(game, step), rules);
    if (verdict.problem !== undefined) break;
    verdict.moves = Number(step.revision);
    verdict.draws += step.draws.length;
    if (!replayed) verdict.recorded = withRecorded(verdict.recorded, step);
    before = step;
    yield { ...verdict };
  }
  if (verdict.problem === undefined && !sameMessage(StandingSchema, game.session?.standing, before?.standing)) {
    verdict.problem = "the outcome that was told is not the last move's";
  }
  yield verdict;
}

function withRecorded(recorded: readonly Recorded[], { rulesVersion: version, revision }: Step): readonly Recorded[] {
  const latest = recorded.at(-1);
  if (latest?.version !== version || latest.last !== revision - 1n)
    return [...recorded, { version, first: revision, last: revision }];
  return [...recorded.slice(0, -1), { ...latest, last: revision }];
}

async function secretsProblem(game: RevealSessionResponse, noted: Noted | undefined): Promise<string | undefined> {
  const published = hex(game.session?.commitment ?? new Uint8Array());
  if (noted && noted.commitment !== published) return "the commitment is not the one that was noted here at first";
  if (noted && hex(game.entropies[noted.seat] ?? new Uint8Array()) !== noted.entropy)
    return "what was brought from here to the seeds is not in them";
  if (hex(await commitmentOf(game.serverSeed)) !== published)
    return "the revealed seed is not the one of the commitment";
  if (!VERSIONS.includes(versionOf(game)))
    return `the seeds are derived in version ${versionOf(game)}, which this client does not know: it is too old`;
  return undefined;
}

function revisionsProblem({ session, steps }: RevealSessionResponse): string | undefined {
  const aborted = session?.state === State.ABORTED;
  if (aborted && !steps.length) return undefined;
  const missing = steps.findIndex((step, at) => step.revision !== BigInt(at));
  if (missing >= 0) return `${nameOf(missing)} is missing`;
  if (BigInt(steps.length - 1) !== session?.revision) return `there are not ${session?.revision} moves`;
  if (!aborted && !steps.at(-1)?.standing?.outcome) return "the game is not over after its last move";
  return undefined;
}

async function drawsProblem(game: RevealSessionResponse, step: Step): Promise<string | undefined> {
  const stream = new Stream(await seedFor(game, step));
  for (const [at, draw] of step.draws.entries()) {
    const where = `${nameOf(step.revision)}: draw ${at + 1} (${draw.purpose})`;
    if ((!draw.shuffle && draw.sides < 1) || draw.sides > MOST_SIDES) return `${where} has ${draw.sides} sides`;
    const given = await stream.redraw(draw);
    if (`${given}` !== `${draw.results}`) {
      return `${where} shows ${draw.results.join(", ")}, the seed gives ${given.join(", ")}`;
    }
  }
  return undefined;
}

async function seedFor(game: RevealSessionResponse, step: Step): Promise<Uint8Array> {
  return seedOf(game.serverSeed, game.session?.name ?? "", Number(step.revision), game.entropies, versionOf(game));
}

/** How the seeds of a game are derived. Older servers don't say it. */
function versionOf(game: RevealSessionResponse): number {
  return game.session?.chanceVersion || 1;
}
