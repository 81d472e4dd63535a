/** The contract as it was generated, found by its place. Nothing here, or anywhere on the page, names a game. */

import { createRegistry, type DescFile, type DescMessage, type Message } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { anyUnpack } from "@bufbuild/protobuf/wkt";

const modules = import.meta.glob<Record<string, unknown>>("./gen/monsters/*/v1/*_pb.ts", { eager: true });

function isFile(value: unknown): value is DescFile {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "file";
}

/** Every message and service there is. */
export const registry = createRegistry(
  ...Object.values(modules).flatMap((module) => Object.values(module).filter(isFile)),
);

/** One of a game's own messages, such as its Options. Undefined for a game that is newer than this page. */
export function messageOf(token: string, name: string): DescMessage | undefined {
  return registry.getMessage(`monsters.${token}.v1.${name}`);
}

/** A message with its descriptor. */
export interface Described {
  desc: DescMessage;
  message: Message;
}

/** What an Any holds. Undefined when this page does not know its type. */
export function unpack(any: Any | undefined): Described | undefined {
  const message = any && anyUnpack(any, registry);
  const desc = message && registry.getMessage(message.$typeName);
  return desc && message && { desc, message };
}
