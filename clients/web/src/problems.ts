/** Errors as people read them. */

import { LairError } from "@lair-games/client";

/** What went wrong. */
export interface Problem {
  sentence: string;
  /** For programs, such as CUP_EMPTY. Empty when no server has said so. */
  reason: string;
  /** The rule that forbids it, such as C-R10, if one does. */
  rule: string;
}

/** An error in a sentence. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof LairError)) return { sentence: `This page has failed: ${error}`, reason: "", rule: "" };
  const { message: sentence, reason, rule } = error;
  return { sentence, reason, rule };
}
