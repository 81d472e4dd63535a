/** The places for streams: never more than there are, and everybody gets one in the end. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Place, Places } from "../src/places.js";

const TURN = 1_000;
const never = new AbortController().signal;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function settled(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

test("there are as many as there are, and the next has to wait", async () => {
  const places = new Places(2, TURN);
  const first = await places.take(never);
  await places.take(never);
  let third: Place | undefined;
  void places.take(never).then((place) => (third = place));
  await settled();
  expect(third).toBeUndefined();
  first.giveBack();
  await settled();
  expect(third).toBeDefined();
});

test("whoever has had its turn is asked for its place, and nobody else is", async () => {
  const places = new Places(2, TURN);
  const [heard, silent] = [await places.take(never), await places.take(never)];
  heard.heard();
  void places.take(never);
  await vi.advanceTimersByTimeAsync(TURN - 1);
  expect(heard.wanted.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect([heard.wanted.aborted, silent.wanted.aborted]).toEqual([true, false]);
});

test("whoever has its place for long is left alone until somebody waits, and one for each", async () => {
  const places = new Places(2, TURN);
  const both = [await places.take(never), await places.take(never)];
  for (const place of both) place.heard();
  await vi.advanceTimersByTimeAsync(10 * TURN);
  expect(both.map(({ wanted }) => wanted.aborted)).toEqual([false, false]);
  void places.take(never);
  expect(both.map(({ wanted }) => wanted.aborted)).toEqual([true, false]);
});

test("whoever leaves the queue is not waited for", async () => {
  const places = new Places(1, TURN);
  const first = await places.take(never);
  const gone = new AbortController();
  const refused = expect(places.take(gone.signal)).rejects.toThrow("gone");
  let last: Place | undefined;
  void places.take(never).then((place) => (last = place));
  gone.abort(new Error("gone"));
  await refused;
  first.giveBack();
  await settled();
  expect(last).toBeDefined();
  await expect(places.take(gone.signal)).rejects.toThrow("gone");
});

test("all of many go on", async () => {
  const places = new Places(4, TURN);
  const turns = Array.from({ length: 9 }, () => 0);
  let open = 0;
  let most = 0;
  const follow = async (at: number) => {
    for (;;) {
      const place = await places.take(never);
      most = Math.max(most, ++open);
      place.heard();
      turns[at] = (turns[at] ?? 0) + 1;
      await new Promise((resolve) => place.wanted.addEventListener("abort", resolve));
      open--;
      place.giveBack();
    }
  };
  for (const at of turns.keys()) void follow(at);
  await vi.advanceTimersByTimeAsync(20 * TURN);
  expect(most).toBe(4);
  expect(Math.min(...turns)).toBeGreaterThanOrEqual(7);
});
