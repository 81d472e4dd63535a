/** What passes between the tabs of one browser and the shared worker that has their streams. */

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { type ErrorFacts, errorFrom } from "./errors.js";
import { WatchSessionResponseSchema } from "./gen/monsters/session/v1/session_pb.js";
import type { Told } from "./switchboard.js";

/** What a tab says, again and again: which table it shows. Or that it shows none any more. */
export type Wish = { name: string; token: string | undefined; most: number } | "rest";
/** What the worker says: that it is there, or what has happened, in bytes where it comes from the server. */
export type Word = "alive" | Uint8Array | { case: "lost" } | { case: "ended" } | { case: "failed"; facts: ErrorFacts };

/** A port by which the two talk: a MessagePort, in words that Node's types have, too. */
export interface Port {
  onmessage: unknown;
  postMessage(message: unknown): void;
  close(): void;
}

/** How long a worker may say nothing, or a tab, in milliseconds: then it is gone. */
export const GONE = 30_000;

/** A word for another tab: messages of the server's as they were. */
export function written(told: Told): Word {
  if (told.case === "failed") return { case: "failed", facts: told.error.facts };
  if (!("value" in told)) return told;
  return toBinary(WatchSessionResponseSchema, create(WatchSessionResponseSchema, { message: told }));
}

/** What such a word tells. */
export function read(word: Exclude<Word, "alive">): Told {
  if (!(word instanceof Uint8Array))
    return word.case === "failed" ? { case: word.case, error: errorFrom(word.facts) } : word;
  const { message } = fromBinary(WatchSessionResponseSchema, word);
  if (message.case === undefined || message.case === "closing") throw new Error("the worker passes on no such message");
  return message;
}
