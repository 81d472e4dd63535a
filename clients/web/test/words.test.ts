/** Messages in words: any message, by its descriptor. */

import { create } from "@bufbuild/protobuf";
import { named, registry } from "@lair-games/client";
import { DrawSchema, OutcomeSchema, StandingSchema } from "@lair-games/client/monsters/rules/v1/rules_pb";
import {
  LegalMoveSchema,
  SeatKind,
  SeatKindSchema,
  SeatSchema,
  StateSchema,
} from "@lair-games/client/monsters/session/v1/session_pb";
import { expect, test } from "vitest";
import { enumWord, happening, line, plain, seatName, tree } from "../src/words";

const NAMES = ["Ann", ""];

test.each([
  ["cup_dice", "cup dice"],
  ["MonsterRoll", "monster roll"],
  ["STATE_OVER", "state over"],
])("%s is read as %s", (name, words) => expect(plain(name)).toBe(words));

test("a value of an enum loses what it shares with the others", () => {
  expect(enumWord(SeatKindSchema, SeatKind.BOT)).toBe("bot");
  expect(enumWord(StateSchema, 99)).toBe("99");
});

test("a seat is a player, or its number when nobody has a name", () => {
  expect(seatName(NAMES, 0)).toBe("Ann");
  expect(seatName(NAMES, 1)).toBe("seat 1");
  expect(line(SeatSchema, create(SeatSchema, { seat: 0, kind: SeatKind.HUMAN, taken: true }), NAMES)).toBe(
    "Ann, display name, kind human, taken yes, left no",
  );
});

test("zeros are told, what is absent is not, and neither is who may know of it", () => {
  const draw = create(DrawSchema, { purpose: "harvest", sides: 0, results: [3, 4], audience: { everybody: true } });
  expect(line(DrawSchema, draw, NAMES)).toBe("purpose harvest, sides 0, results 3, 4, shuffle no");
  expect(tree(StandingSchema, create(StandingSchema), NAMES).map(({ label }) => label)).not.toContain("outcome");
});

test("a message in a message is a branch", () => {
  const standing = create(StandingSchema, { outcome: create(OutcomeSchema, { winners: [0], scores: [7n] }) });
  const parts = tree(StandingSchema, standing, NAMES);
  expect(parts.at(2)?.parts?.at(1)).toMatchObject({ label: "scores", text: "7" });
  expect(line(StandingSchema, standing, NAMES)).toContain("outcome (winners 0, scores 7, reason)");
});

test.each([
  ["Seat 0 offers seat 1 to play.", "Ann offers seat 1 to play."],
  ["The turn of seat 0's neighbour, in round 0.", "The turn of Ann's neighbour, in round 0."],
  [
    "seat 00, seat 10, seats 0 and 0, reseat 0, seat 0th, seat",
    "Ann, seat 10, seats 0 and 0, reseat 0, seat 0th, seat",
  ],
])("%s is told with names", (text, told) => expect(named(text, NAMES)).toBe(told));

test("a name is put in as it is", () => {
  expect(named("Seat 0 and seat 1.", ["seat 1", "$&"])).toBe("seat 1 and $&.");
});

test("an event is told as its game words it, or by its fields where there are no words", () => {
  const text = create(LegalMoveSchema, { text: "Seat 0 begins." });
  expect(happening(LegalMoveSchema, text, NAMES)).toBe("Ann begins.");
  expect(happening(LegalMoveSchema, create(LegalMoveSchema), NAMES)).toBe("");
  const draw = create(DrawSchema, { purpose: "harvest", results: [3] });
  expect(happening(DrawSchema, draw, NAMES)).toBe("purpose harvest, sides 0, results 3, shuffle no");
});

test("the games are found by their protos, without any list", () => {
  const services = [...registry].filter(({ kind }) => kind === "service").map(({ typeName }) => typeName);
  expect(services.filter((name) => /^monsters\.\w+\.v1\.RulesService$/.test(name))).not.toEqual([]);
});
