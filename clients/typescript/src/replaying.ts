/** What the rules make of a game that was played: asked again, with the revealed seeds, and compared. */

import { type DescMessage, fromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { hex } from "./bytes.js";
import { messageOf } from "./contract.js";
import { errorOf } from "./errors.js";
import { type Draw, DrawSchema, StandingSchema } from "./gen/monsters/rules/v1/rules_pb.js";
import type { Session, Step } from "./gen/monsters/session/v1/session_pb.js";
import type { Rules } from "./rules.js";

/** The rules that are asked. */
export type Replayed = Pick<Rules, "startGame" | "applyMove">;

/** What is wrong with a revision, by the rules. Throws LairError when they can't be reached. */
export async function replayProblem(
  session: Session | undefined,
  before: Step | undefined,
  step: Step,
  seed: Uint8Array,
  rules: Replayed,
): Promise<string | undefined> {
  if (!session) return "nothing is told of the session";
  const problem = await replayed(session, before, step, seed, rules).then(
    (answer) => difference(session, step, answer),
    (error) => {
      const known = errorOf(error);
      if (known.facts.transient) throw known;
      return `the rules refuse what was played: ${known.message}`;
    },
  );
  return problem && `${nameOf(step.revision)}: ${problem}`;
}

/** What the rules make of a revision. */
function replayed(session: Session, before: Step | undefined, { move, seat }: Step, seed: Uint8Array, rules: Replayed) {
  const chance = { source: { case: "seed" as const, value: seed } };
  if (before === undefined)
    return rules.startGame(session.game, { seats: session.seats.length, options: bytesOf(session.options), chance });
  const who = seat === undefined ? {} : { seat };
  return rules.applyMove(session.game, { position: bytesOf(before.position), move: bytesOf(move), chance, ...who });
}

function difference({ game }: Session, step: Step, replay: Awaited<ReturnType<typeof replayed>>): string | undefined {
  const differs = [
    sameBytes(messageOf(game, "Position"), [bytesOf(step.position)], [replay.position]) ? [] : "position",
    sameBytes(messageOf(game, "Event"), step.events.map(bytesOf), replay.events) ? [] : "events",
    sameDraws(step.draws, replay.draws) ? [] : "draws",
    sameMessage(StandingSchema, step.standing, replay.standing) ? [] : "standing",
  ].flat();
  if (!differs.length) return undefined;
  // Several versions may be served, and any of them may have answered.
  const other =
    replay.rulesVersion === step.rulesVersion
      ? ""
      : ` (made under rules ${step.rulesVersion}, these are ${replay.rulesVersion})`;
  return `the rules give another ${differs.join(", ")}${other}`;
}

function bytesOf(any: Any | undefined): Uint8Array {
  return any?.value ?? new Uint8Array();
}

/** Compares what is encoded after it was read and written here: two servers may write the same thing differently. */
function sameBytes(desc: DescMessage | undefined, one: readonly Uint8Array[], other: readonly Uint8Array[]): boolean {
  const written = (bytes: Uint8Array) => hex(desc ? toBinary(desc, fromBinary(desc, bytes)) : bytes);
  return `${one.map(written)}` === `${other.map(written)}`;
}

function sameDraws(one: readonly Draw[], other: readonly Draw[]): boolean {
  return one.length === other.length && one.every((draw, at) => sameMessage(DrawSchema, draw, other[at]));
}

/** Whether two messages say the same. */
export function sameMessage<D extends DescMessage>(desc: D, one?: MessageShape<D>, other?: MessageShape<D>): boolean {
  if (!one || !other) return one === other;
  return hex(toBinary(desc, one)) === hex(toBinary(desc, other));
}

/** A revision in words. */
export function nameOf(revision: number | bigint): string {
  return Number(revision) === 0 ? "the start" : `move ${revision}`;
}
