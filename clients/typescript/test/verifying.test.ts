/** A small game of one die, revealed: what agrees is verified, and whatever was changed is named. */

import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { hex } from "../src/bytes.js";
import { commitmentOf, Stream, seedOf } from "../src/chance.js";
import { RevealSessionResponseSchema, State } from "../src/gen/monsters/session/v1/session_pb.js";
import type { Replayed } from "../src/replaying.js";
import { type Verdict, verify } from "../src/verifying.js";

const NAME = "sessions/1";
const SERVED = ["2"];
const SEED = Uint8Array.from({ length: 32 }, (_, at) => at);
const ENTROPY = Uint8Array.of(1, 2, 3);
const outcome = () => ({ awaited: [], outcome: { winners: [0], reason: "ROLLED" } });
const NOTED = { seat: 0, entropy: hex(ENTROPY), commitment: hex(await commitmentOf(SEED)) };

async function draws(revision: number, version: number) {
  const stream = new Stream(await seedOf(SEED, NAME, revision, [ENTROPY], version));
  return [{ purpose: "roll", sides: 6, results: [await stream.die(6)] }];
}

async function game(chanceVersion = 2) {
  return create(RevealSessionResponseSchema, {
    session: {
      name: NAME,
      game: "toy",
      state: State.OVER,
      revision: 1n,
      commitment: await commitmentOf(SEED),
      standing: outcome(),
      chanceVersion,
    },
    // Copies: what is changed in one game stays as it is in the next.
    serverSeed: SEED.slice(),
    entropies: [ENTROPY.slice()],
    steps: [
      {
        revision: 0n,
        position: { value: Uint8Array.of(0) },
        standing: { awaited: [0] },
        draws: await draws(0, chanceVersion || 1),
      },
      {
        revision: 1n,
        seat: 0,
        position: { value: Uint8Array.of(1) },
        standing: outcome(),
        draws: await draws(1, chanceVersion || 1),
      },
    ].map((step) => ({ ...step, rulesVersion: "2" })),
  });
}

/** Rules that play as the game was played. */
const HONEST = {
  startGame: async () => (await game()).steps.map(answer)[0],
  applyMove: async () => (await game()).steps.map(answer)[1],
} as unknown as Replayed;

function answer(step: Awaited<ReturnType<typeof game>>["steps"][number]) {
  return { ...step, position: step.position?.value, events: [] };
}

async function verdict(
  change: (played: Awaited<ReturnType<typeof game>>) => void = () => {},
  rules = HONEST,
  chanceVersion = 2,
) {
  const played = await game(chanceVersion);
  change(played);
  let last: Verdict | undefined;
  for await (const found of verify(played, NOTED, rules, SERVED)) last = found;
  return last;
}

test("an honest game is verified", async () => {
  expect(await verdict()).toEqual({ moves: 1, draws: 2, recorded: [], problem: undefined });
});

test("a move that the rules refuse is named with what they say", async () => {
  const refusal = new ConnectError("The cup is empty.", Code.FailedPrecondition);
  const strict = { ...HONEST, applyMove: () => Promise.reject(refusal) };
  expect((await verdict(undefined, strict))?.problem).toBe(
    "move 1: the rules refuse what was played: The cup is empty.",
  );
});

test("rules that can't be reached say nothing about a game", async () => {
  const away = { ...HONEST, applyMove: () => Promise.reject(new ConnectError("", Code.Unavailable)) };
  await expect(verdict(undefined, away)).rejects.toThrow();
});

type Played = Awaited<ReturnType<typeof game>>;

function madeUnder(...versions: string[]) {
  return (played: Played) => {
    for (const [at, step] of played.steps.entries()) step.rulesVersion = versions[at] ?? "";
  };
}

test("what was made under rules that are not served is not replayed, and is told", async () => {
  const unasked = () => Promise.reject(new Error("the rules are asked"));
  const away = { startGame: unasked, applyMove: unasked } as unknown as Replayed;
  const whole = { version: "1", first: 0n, last: 1n };
  expect(await verdict(madeUnder("1", "1"), away)).toMatchObject({ moves: 1, problem: undefined, recorded: [whole] });
  const parts = [
    { version: "0", first: 0n, last: 0n },
    { version: "1", first: 1n, last: 1n },
  ];
  expect((await verdict(madeUnder("0", "1"), away))?.recorded).toEqual(parts);
});

test("what was made under rules that are served is replayed from what was recorded before it", async () => {
  const upgraded = madeUnder("1", "2");
  const start = [{ version: "1", first: 0n, last: 0n }];
  expect(await verdict(upgraded)).toMatchObject({ problem: undefined, recorded: start });
  const changed = await verdict((played) => {
    upgraded(played);
    played.steps[1]?.position?.value.fill(9);
  });
  expect(changed?.problem).toContain("move 1: the rules give another position");
});

test("an answer of another version than that of the move is an excuse, and is said", async () => {
  const newer = { ...HONEST, applyMove: async () => ({ ...(await HONEST.applyMove("", {})), rulesVersion: "3" }) };
  expect((await verdict(undefined, newer))?.problem).toBeUndefined();
  const changed = await verdict((played) => void played.steps[1]?.position?.value.fill(9), newer);
  expect(changed?.problem).toBe("move 1: the rules give another position (made under rules 2, these are 3)");
});

test("a die is recomputed whatever the rules were that it was thrown by", async () => {
  const changed = await verdict((played) => {
    madeUnder("1", "1")(played);
    played.steps[1]?.draws[0]?.results.splice(0, 1, 7);
  });
  expect(changed?.problem).toContain("move 1: draw 1 (roll) shows 7");
});

test.each([0, 1])("a game from before entropies had lengths is checked as it was played (%i)", async (version) => {
  const older = {
    ...HONEST,
    startGame: async () => answer((await game(version)).steps[0] as Played["steps"][number]),
  } as unknown as Replayed;
  older.applyMove = (async () =>
    answer((await game(version)).steps[1] as Played["steps"][number])) as unknown as Replayed["applyMove"];
  expect(await verdict(undefined, older, version)).toMatchObject({ problem: undefined, moves: 1 });
});

function deriveIn(version: number) {
  return (played: Played) => {
    if (played.session) played.session.chanceVersion = version;
  };
}

const LIES: [string, (played: Played) => void, string][] = [
  ["another seed", (played) => played.serverSeed.fill(9), "the revealed seed is not"],
  ["another commitment", (played) => played.session?.commitment.fill(9), "the commitment is not the one"],
  ["seeds of a later version", deriveIn(3), "does not know"],
  ["seeds of an earlier version", deriveIn(1), "the start: draw 1"],
  ["another entropy", (played) => played.entropies[0]?.fill(9), "what was brought from here"],
  ["a missing move", (played) => void played.steps.pop(), "there are not 1 moves"],
  ["a missing start", (played) => void played.steps.shift(), "the start is missing"],
  ["another die", (played) => void played.steps[1]?.draws[0]?.results.splice(0, 1, 7), "move 1: draw 1 (roll) shows 7"],
  [
    "another position",
    (played) => void played.steps[1]?.position?.value.fill(9),
    "move 1: the rules give another position",
  ],
  ["another outcome", (played) => void played.session?.standing?.awaited.push(1), "the outcome that was told"],
];

test.each(LIES)("%s is named", async (_, change, sentence) => {
  expect((await verdict(change))?.problem).toContain(sentence);
});
