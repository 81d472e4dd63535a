/** Errors as people read them, and whether the same call may work a moment later. */

import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema } from "./gen/google/rpc/error_details_pb";

/** What went wrong. */
export interface Problem {
  sentence: string;
  /** For programs, such as CUP_EMPTY. Empty when no server has said so. */
  reason: string;
  /** The rule that forbids it, such as C-R10, if one does. */
  rule: string;
}

const UNREACHABLE = "The server can't be reached. Is the connection all right?";
const FULL: readonly Code[] = [Code.Unavailable, Code.ResourceExhausted, Code.DeadlineExceeded];
const BROKEN: readonly Code[] = [Code.Unknown, Code.Internal, Code.Canceled];

/** An error in a sentence. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof ConnectError)) return { sentence: `This page has failed: ${error}`, reason: "", rule: "" };
  const [info] = error.findDetails(ErrorInfoSchema);
  if (!info) return { sentence: passes(error) ? UNREACHABLE : error.rawMessage, reason: "", rule: "" };
  const flaws = error.findDetails(BadRequestSchema).flatMap((details) => details.fieldViolations);
  const more = flaws.map((flaw) => ` ${flaw.field}: ${flaw.description}.`).join("");
  return { sentence: error.rawMessage + more, reason: info.reason, rule: info.metadata.rule ?? "" };
}

/** Whether an error says nothing about the call itself: the server is away or busy, or the connection was cut off. */
export function passes(error: unknown): boolean {
  if (!(error instanceof ConnectError)) return false;
  return FULL.includes(error.code) || (BROKEN.includes(error.code) && !error.findDetails(ErrorInfoSchema).length);
}

/** How long it is tried, in milliseconds, beside the last attempt. */
const PATIENCE = 20_000;
const FIRST_WAIT = 100;
const LONGEST_WAIT = 3000;

/** How many milliseconds to wait before the next attempt: longer each time, and never in step with others. */
export function waitBefore(attempt: number): number {
  return Math.min(FIRST_WAIT * 2 ** attempt, LONGEST_WAIT) * (0.5 + Math.random() / 2);
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Calls until somebody answers, for about half a minute. What changes something carries a request id: it happens once. */
export async function insist<T>(call: () => Promise<T>): Promise<T> {
  const until = performance.now() + PATIENCE;
  for (let attempt = 0; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (performance.now() > until || !passes(error)) throw error;
      await pause(waitBefore(attempt));
    }
  }
}
