/** A table, followed through Connect's own transport without a network: what is yielded, and when. */

import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { ErrorInfoSchema } from "../src/gen/google/rpc/error_details_pb.js";
import {
  ClosingReason,
  SessionService,
  State,
  type SubmitMoveRequest,
  type WatchSessionRequest,
  type WatchSessionResponse,
  WatchSessionResponseSchema,
} from "../src/gen/monsters/session/v1/session_pb.js";
import { Lair, NotYourTurn, type TableState } from "../src/index.js";

type Said = WatchSessionResponse["message"]["case"];

function says(what: Said, value: object): WatchSessionResponse {
  return create(WatchSessionResponseSchema, { message: { case: what, value } } as never);
}

const SESSION = says("session", { name: "sessions/1" });
const moves = [{ text: "roll" }];
const playing = { state: State.PLAYING, standing: { awaited: [0] } };
const OVER = { awaited: [], outcome: { winners: [0] } };
const ENDED = says("closing", { reason: ClosingReason.SESSION_ENDED });

/** A server whose streams say these things, one list for each stream, and that hears moves. */
class Server {
  readonly watched: WatchSessionRequest[] = [];
  readonly submitted: SubmitMoveRequest[] = [];
  /** What a move is answered, at each attempt. */
  answers: (ConnectError | bigint)[] = [];
  private moved = () => {};
  /** Streams that say MOVED wait for it. */
  private readonly move = new Promise<void>((resolve) => {
    this.moved = resolve;
  });

  constructor(private readonly streams: (WatchSessionResponse | "after the move" | ConnectError)[][]) {}

  readonly lair = new Lair({
    transport: createRouterTransport(({ service }) => {
      service(SessionService, {
        watchSession: (request) => this.watch(request),
        submitMove: (request) => {
          this.submitted.push(request);
          const answer = this.answers.shift() ?? 1n;
          if (answer instanceof ConnectError) throw answer;
          this.moved();
          return { update: { revision: answer } };
        },
      });
    }),
  });

  private async *watch(request: WatchSessionRequest) {
    this.watched.push(request);
    for (const said of this.streams.shift() ?? []) {
      if (said === "after the move") await this.move;
      else if (said instanceof ConnectError) throw said;
      else yield said;
    }
  }
}

async function followed(server: Server, act: (state: TableState) => Promise<unknown> = async () => {}) {
  const seen: TableState[] = [];
  for await (const state of server.lair.table({ name: "sessions/1", token: "secret" }).follow()) {
    seen.push(state);
    await act(state);
  }
  return seen;
}

test("a broken stream goes on after the last revision, and the end is the end", async () => {
  const server = new Server([
    [SESSION, says("snapshot", { ...playing, revision: 3n }), new ConnectError("cut", Code.Unavailable)],
    [SESSION, says("update", { revision: 3n }), says("update", { revision: 4n, standing: OVER }), ENDED],
  ]);
  const last = (await followed(server)).at(-1);
  expect(last).toMatchObject({ revision: 4n, standing: { outcome: { winners: [0] } } });
  expect(server.watched.map(({ afterRevision }) => afterRevision)).toEqual([undefined, 3n]);
});

test("whoever has moved sees nothing from before its move", async () => {
  const server = new Server([
    [
      SESSION,
      says("snapshot", { ...playing, moves }),
      "after the move",
      says("heartbeat", {}),
      says("session", { name: "sessions/1", listed: true }),
      says("update", { revision: 1n, standing: OVER }),
      ENDED,
    ],
  ]);
  const table = server.lair.table({ name: "sessions/1", token: "secret" });
  const seen: bigint[] = [];
  for await (const { revision, moves } of table.follow()) {
    seen.push(revision);
    for (const move of moves) await table.submit(move);
  }
  expect(seen).toEqual([0n, 1n]);
  expect(server.submitted.map(({ action }) => action)).toEqual([{ case: "text", value: "roll" }]);
});

test("a move is sent until somebody answers, with one request id", async () => {
  const server = new Server([]);
  server.answers = [new ConnectError("busy", Code.Unavailable), new ConnectError("cut", Code.Internal), 7n];
  const update = await server.lair.table({ name: "sessions/1", token: "secret" }).submit("roll");
  expect(update.revision).toBe(7n);
  const [first, ...more] = server.submitted.map(({ requestId }) => requestId);
  expect(first).toMatch(/^[\da-f-]{36}$/);
  expect(more).toEqual([first, first]);
});

test("a refusal is thrown at once, as what it is", async () => {
  const server = new Server([]);
  const value = { domain: "monsters.cabbages.v1", reason: "NOT_YOUR_TURN", metadata: { rule: "C-R4" } };
  server.answers = [new ConnectError("no", Code.FailedPrecondition, undefined, [{ desc: ErrorInfoSchema, value }])];
  await expect(server.lair.table({ name: "sessions/1" }).submit("roll")).rejects.toThrow(NotYourTurn);
  expect(server.submitted).toHaveLength(1);
});

test("a stream that is refused ends the following with what it is", async () => {
  const server = new Server([[new ConnectError("there is none", Code.NotFound)]]);
  await expect(followed(server)).rejects.toMatchObject({ name: "NotFound", message: "there is none" });
});

test("whoever has had enough ends it", async () => {
  const server = new Server([[SESSION, says("snapshot", playing), "after the move"]]);
  const controller = new AbortController();
  const seen: boolean[] = [];
  for await (const state of server.lair.table({ name: "sessions/1" }).follow({ signal: controller.signal })) {
    seen.push(state.seen);
    controller.abort();
  }
  expect(seen).toEqual([true]);
});
