/** Calls that are sent until somebody answers, and how long there is between the attempts. */

import { ConnectError } from "@connectrpc/connect";
import { errorOf } from "./errors.js";

/** How long it is tried, in milliseconds, beside the last attempt. */
const PATIENCE = 20_000;
const FIRST_WAIT = 100;
const LONGEST_WAIT = 3000;

/** How many milliseconds to wait before the next attempt: longer each time, and never in step with others. */
export function waitBefore(attempt: number): number {
  return Math.min(FIRST_WAIT * 2 ** attempt, LONGEST_WAIT) * (0.5 + Math.random() / 2);
}

/** Waits for so many milliseconds. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * Calls until somebody answers, for about half a minute. What changes something must carry a request id, which is the
 * same in each attempt: then it happens once. Throws LairError.
 */
export async function insist<T>(call: () => Promise<T>): Promise<T> {
  const until = performance.now() + PATIENCE;
  for (let attempt = 0; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      const known = errorOf(error);
      if (performance.now() > until || !known.facts.transient) throw known;
      await pause(waitBefore(attempt));
    }
  }
}
