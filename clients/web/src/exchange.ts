/** What passes between the tabs of one browser and the shared worker that has their streams. */

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { WatchSessionResponseSchema } from "./gen/monsters/session/v1/session_pb";
import type { Told } from "./switchboard";

/** What a tab says, again and again: which table it shows. Or that it shows none any more. */
export type Wish = { name: string; token: string | undefined; most: number } | "rest";
/** What the worker says: that it is there, or what has happened, in bytes where it comes from the server. */
export type Word = "alive" | Uint8Array | Exclude<Told, { value: unknown }>;

/** How long a worker may say nothing, or a tab, in milliseconds: then it is gone. */
export const GONE = 30_000;

/** A word for another tab: messages of the server's as they were. */
export function written(told: Told): Word {
  if (!("value" in told)) return told;
  return toBinary(WatchSessionResponseSchema, create(WatchSessionResponseSchema, { message: told }));
}

export function read(word: Exclude<Word, "alive">): Told {
  if (!(word instanceof Uint8Array)) return word;
  const { message } = fromBinary(WatchSessionResponseSchema, word);
  if (message.case === undefined || message.case === "closing") throw new Error("the worker passes on no such message");
  return message;
}
