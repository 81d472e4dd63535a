/** One stream for all who look at one table, and none for those who don't. */

import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { errorFrom, errorOf } from "../src/errors.js";
import { read, written } from "../src/exchange.js";
import type { Heard } from "../src/following.js";
import {
  HeartbeatSchema,
  SessionSchema,
  SnapshotSchema,
  UpdateSchema,
} from "../src/gen/monsters/session/v1/session_pb.js";
import { Switchboard, type Told } from "../src/switchboard.js";

const LINGER = 1_000;
const NAME = "sessions/1";
const session: Heard = { case: "session", value: create(SessionSchema, { name: NAME }) };
const snapshot: Heard = { case: "snapshot", value: create(SnapshotSchema, { revision: 3n, seat: 1 }) };
const update: Heard = {
  case: "update",
  value: create(UpdateSchema, { revision: 4n, moves: [{ text: "feed" }], standing: { awaited: [1] } }),
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Streams that say what they are told to, and how many were opened. */
class Server {
  opened: (string | undefined)[] = [];
  open = 0;
  private say: (heard: Heard | Error) => void = () => {};

  readonly board = new Switchboard((name, token, signal) => this.follow(name, token, signal), LINGER);

  private async *follow(_: string, token: string | undefined, signal: AbortSignal): AsyncGenerator<Heard> {
    this.opened.push(token);
    this.open++;
    try {
      while (!signal.aborted) {
        const said = await new Promise<Heard | Error | undefined>((resolve) => {
          this.say = resolve;
          signal.addEventListener("abort", () => resolve(undefined));
        });
        if (said === undefined) return;
        if (said instanceof Error) throw said;
        yield said;
      }
    } finally {
      this.open--;
    }
  }

  async tell(...all: (Heard | Error)[]): Promise<void> {
    for (const heard of all) {
      this.say(heard);
      await vi.advanceTimersByTimeAsync(0);
    }
  }

  listen(token?: string): { told: Told[]; stop: () => void } {
    const told: Told[] = [];
    return { told, stop: this.board.listen(NAME, token, (word) => told.push(word)) };
  }
}

test("many listen to one stream, and whoever comes later is told how things stand", async () => {
  const server = new Server();
  const first = server.listen();
  await server.tell(session, snapshot, update);
  const second = server.listen();
  expect(server.opened).toHaveLength(1);
  expect(first.told.map((told) => told.case)).toEqual(["session", "snapshot", "update"]);
  expect(second.told.map((told) => told.case)).toEqual(["session", "snapshot"]);
  expect(second.told[1]).toMatchObject({
    value: { revision: 4n, seat: 1, moves: [{ text: "feed" }], standing: { awaited: [1] } },
  });
  const heartbeat: Heard = { case: "heartbeat", value: create(HeartbeatSchema, { revision: 4n }) };
  await server.tell(heartbeat);
  expect([first.told.at(-1), second.told.at(-1)]).toEqual([heartbeat, heartbeat]);
});

test("whoever has another token has another stream", async () => {
  const server = new Server();
  const [mine, theirs] = [server.listen("a"), server.listen("b")];
  expect(server.opened).toEqual(["a", "b"]);
  await server.tell(snapshot);
  expect([mine.told, theirs.told]).toEqual([[], [snapshot]]);
});

test("a stream that nobody listens to ends after a while", async () => {
  const server = new Server();
  const [first, second] = [server.listen(), server.listen()];
  first.stop();
  await vi.advanceTimersByTimeAsync(2 * LINGER);
  expect(server.open).toBe(1);
  second.stop();
  await vi.advanceTimersByTimeAsync(LINGER - 1);
  const third = server.listen();
  await vi.advanceTimersByTimeAsync(2 * LINGER);
  expect([server.open, server.opened.length]).toEqual([1, 1]);
  third.stop();
  third.stop();
  await vi.advanceTimersByTimeAsync(LINGER);
  expect(server.open).toBe(0);
  server.listen();
  expect(server.opened).toHaveLength(2);
});

test("a failure is told once to each, and whoever comes after it tries anew", async () => {
  const server = new Server();
  const [first, second] = [server.listen(), server.listen()];
  await server.tell(new ConnectError("there is no sessions/1", Code.NotFound));
  for (const { told } of [first, second])
    expect(told).toMatchObject([{ case: "failed", error: { name: "NotFound", message: "there is no sessions/1" } }]);
  server.listen();
  expect(server.opened).toHaveLength(2);
});

test("that the connection is lost is told to whoever comes meanwhile", async () => {
  const server = new Server();
  server.listen();
  await server.tell(session, { case: "lost" });
  const late = server.listen();
  await server.tell(session);
  expect(late.told.map((told) => told.case)).toEqual(["session", "lost", "session"]);
  expect(server.listen().told.map((told) => told.case)).toEqual(["session"]);
});

test("what is passed on comes out as it went in", () => {
  const failed: Told = { case: "failed", error: errorFrom(errorOf(new ConnectError("no", Code.NotFound)).facts) };
  for (const told of [session, snapshot, update, { case: "lost" }, { case: "ended" }, failed] satisfies Told[]) {
    const word = written(told);
    if (word === "alive") throw new Error("nothing was said");
    expect(read(structuredClone(word))).toEqual(told);
  }
});
