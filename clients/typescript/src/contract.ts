/** The contract as it was generated, found by its place. Nothing here names a game. */

import { create, createRegistry, type DescMessage, fromJson, type JsonObject, type Message } from "@bufbuild/protobuf";
import { type Any, anyPack, anyUnpack } from "@bufbuild/protobuf/wkt";
import { UnknownGame } from "./errors.js";
import * as files from "./gen/index.js";

/** Every message and service there is. */
export const registry = /* @__PURE__ */ createRegistry(.../* @__PURE__ */ Object.values(files));

/** One of a game's own messages, such as its Options. Undefined for a game that is newer than this package. */
export function messageOf(token: string, name: string): DescMessage | undefined {
  return registry.getMessage(`monsters.${token}.v1.${name}`);
}

/** A message with its descriptor. */
export interface Described {
  desc: DescMessage;
  message: Message;
}

/** What an Any holds, such as a view, a move or an event. Undefined when this package does not know its type. */
export function unpack(any: Any | undefined): Described | undefined {
  const message = any && anyUnpack(any, registry);
  const desc = message && registry.getMessage(message.$typeName);
  return desc && message && { desc, message };
}

/**
 * The options of a game from their JSON form, such as `{ maxTurns: 6 }`. Throws UnknownGame for a game that is newer
 * than this package, and Error for an option that the game does not have.
 */
export function optionsOf(token: string, options: JsonObject): Any {
  const desc = messageOf(token, "Options");
  if (!desc) throw new UnknownGame(token);
  return anyPack(desc, Object.keys(options).length ? fromJson(desc, options) : create(desc));
}
