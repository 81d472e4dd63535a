/** How a table stands after what was heard, and how long there is left. */

import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { ServerClock } from "../src/clock.js";
import {
  HeartbeatSchema,
  SessionSchema,
  SnapshotSchema,
  State,
  UpdateSchema,
} from "../src/gen/monsters/session/v1/session_pb.js";
import { EMPTY, isOver, withHeard, withHistory, withSession, withSnapshot, withUpdate } from "../src/state.js";

const update = (revision: bigint) => create(UpdateSchema, { revision, standing: { awaited: [1] } });

test("before the start there is no revision, not even the one of the start", () => {
  expect(withSnapshot(EMPTY, create(SnapshotSchema)).revision).toBe(-1n);
  expect(withSnapshot(EMPTY, create(SnapshotSchema, { standing: {} })).revision).toBe(0n);
});

test("an update replaces what can be done", () => {
  const before = withSnapshot(EMPTY, create(SnapshotSchema, { standing: {}, moves: [{ text: "feed" }] }));
  const after = withUpdate(before, update(1n));
  expect([after.revision, after.moves, after.standing?.awaited]).toEqual([1n, [], [1]]);
});

test("a history that comes late is put in order, and nothing is in it twice", () => {
  const table = withHistory(withUpdate(EMPTY, update(2n)), [update(0n), update(1n), update(2n)]);
  expect(table.history.map(({ revision }) => revision)).toEqual([0n, 1n, 2n]);
});

test("what is heard once more, and late, changes nothing", () => {
  const table = [1n, 2n].reduce(
    (before, revision) => withHeard(before, { case: "update", value: update(revision) }),
    EMPTY,
  );
  const after = withHeard(table, { case: "update", value: update(1n) });
  expect([after.revision, after.history.length]).toEqual([2n, 2]);
});

test("a lost connection is one until something is heard again", () => {
  const lost = withHeard(EMPTY, { case: "lost" });
  expect([lost.live, withHeard(lost, { case: "heartbeat", value: create(HeartbeatSchema) }).live]).toEqual([
    false,
    true,
  ]);
});

test("a game is over by its outcome, or because it was aborted", () => {
  const aborted = withSession(EMPTY, create(SessionSchema, { state: State.ABORTED }));
  const won = withSnapshot(EMPTY, create(SnapshotSchema, { standing: { outcome: { winners: [1] } } }));
  expect([EMPTY, aborted, won].map(isOver)).toEqual([false, true, true]);
});

test("public facts change nothing of how the game stands", () => {
  const facts = create(SessionSchema, { revision: 7n, standing: { awaited: [0] } });
  expect(withSession(EMPTY, facts)).toMatchObject({ session: facts, live: true, seen: false, revision: -1n });
  const table = withUpdate(withSnapshot(EMPTY, create(SnapshotSchema)), update(6n));
  expect(withSession(table, facts)).toEqual({ ...table, session: facts });
});

test("a countdown goes by the server's clock, whatever the time is here", () => {
  const clock = new ServerClock(() => 5_000);
  clock.hear(timestampFromMs(100_000));
  expect(clock.secondsUntil(timestampFromMs(130_000))).toBe(30);
});

test("a time that was long on its way does not set the clock back", () => {
  const clock = new ServerClock(() => 5_000);
  clock.hear(timestampFromMs(100_000));
  clock.hear(timestampFromMs(40_000));
  clock.hear(undefined);
  expect(clock.secondsUntil(timestampFromMs(90_000))).toBe(0);
});
