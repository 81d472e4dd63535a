/** The worked example of docs/chance.md, recomputed. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fromHex, hex } from "../src/bytes.js";
import { commitmentOf, Stream, seedOf } from "../src/chance.js";

const page = readFileSync(new URL("../../../docs/chance.md", import.meta.url), "utf8");
const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? "");
const drawn = example.drawn_in_this_order_from_revision_1;
const serverSeed = fromHex(example.server_seed);
const entropies = example.entropies.map(fromHex);

test("the commitment is that of the example", async () => {
  expect(hex(await commitmentOf(serverSeed))).toBe(example.commitment);
});

test("the seeds of revisions are those of the example", async () => {
  for (const [version, seeds] of [[1, example.in_version_1] as const, [2, example] as const]) {
    expect(hex(await seedOf(serverSeed, example.name, 0, entropies, version))).toBe(seeds.seed_of_revision_0);
    expect(hex(await seedOf(serverSeed, example.name, 1, entropies, version))).toBe(seeds.seed_of_revision_1);
  }
});

test("who brought which entropy matters from version 2 on", async () => {
  const [one, other] = [
    ["abc", ""],
    ["ab", "c"],
  ].map((texts) => texts.map((text) => new TextEncoder().encode(text)));
  const seeds = (version: number) =>
    Promise.all([one, other].map(async (each = []) => hex(await seedOf(serverSeed, example.name, 0, each, version))));
  expect(new Set(await seeds(1)).size).toBe(1);
  expect(new Set(await seeds(2)).size).toBe(2);
});

test("dice, a pick and a shuffle come out of the stream in their order", async () => {
  const stream = new Stream(fromHex(example.seed_of_revision_1));
  const dice = (sides: number, results: number[]) => stream.redraw({ sides, results, shuffle: false });
  expect(await dice(6, [0, 0])).toEqual(drawn.two_dice_of_6);
  expect(await dice(6, [0, 0, 0])).toEqual(drawn.three_dice_of_6);
  expect(await dice(3, [0])).toEqual([drawn.a_pick_among_3]);
  expect(await stream.redraw({ sides: 5, results: [], shuffle: true })).toEqual(drawn.its_results);
});

test("a byte that would favour some faces is thrown away", async () => {
  const stream = new Stream(fromHex(example.seed_of_revision_1));
  const results = await stream.redraw({ sides: 100, results: Array(8).fill(0), shuffle: false });
  expect(results).toEqual(example.eight_dice_of_100_from_the_beginning);
});

test.each([0, 257, 1.5])("a die of %s sides is refused", async (sides) => {
  await expect(new Stream(serverSeed).die(sides)).rejects.toThrow(RangeError);
});
