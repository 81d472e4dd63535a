/** Names keep to themselves in whatever is said of them. */

import { named } from "@lair-games/client";
import { expect, test } from "vitest";
import { bare, isolated, lengthProblem, pieces } from "../src/names";

const HEBREW = "\u05d3\u05e0\u05d4";

test("names are found in a text that was made with them", () => {
  const text = named("seat 1 takes 3 from seat 0", [isolated("Ann"), isolated(HEBREW)]);
  expect(pieces(text)).toEqual(["", HEBREW, " takes 3 from ", "Ann", ""]);
  expect(bare(text)).toBe(`${HEBREW} takes 3 from Ann`);
});

test("nobody is nobody", () => {
  expect(isolated("")).toBe("");
  expect(pieces("seat 0 rolls 4")).toEqual(["seat 0 rolls 4"]);
});

test("a name ends where it ends, whatever is in it", () => {
  expect(pieces(`${isolated("A\u2069n\u2068n")}!`)).toEqual(["", "Ann", "!"]);
});

test.each([
  ["a".repeat(64), ""],
  ["\u{1F600}".repeat(64), ""],
  ["\u{1F600}".repeat(65), "A name has at most 64 characters, and this one has 65."],
])("%s", (name, problem) => expect(lengthProblem(name)).toBe(problem));
