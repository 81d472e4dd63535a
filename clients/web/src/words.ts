/** Any message in words, by its descriptor: so a game that nobody has thought of here can be read, too. */

import { type DescEnum, type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { named } from "@lair-games/client";

/** Something with a name: a text, or more such parts. */
export interface Part {
  label: string;
  text?: string;
  parts?: readonly Part[];
  /** Whether it names players. */
  isSeat?: boolean;
}

/** The names of the players, by seat. */
export type Names = readonly string[];

const AUDIENCE = "monsters.rules.v1.Audience";
const SEAT = /(^|_)seats?$/;

/** A name of the contract for people: "cup_dice", "MonsterRoll" and "CUP_DICE" lose their form. */
export function plain(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
}

/** A value of an enum for people: without the name of the enum, which all of its values begin with. */
export function enumWord(desc: DescEnum, number: number): string {
  const value = desc.value[number];
  return value ? plain(value.name.slice(desc.sharedPrefix?.length ?? 0)) : String(number);
}

/** Who sits there. */
export function seatName(names: Names, seat: number): string {
  return names[seat] || `seat ${seat}`;
}

/** A message as a tree: every field that is there, in the order of the contract. */
export function tree(desc: DescMessage, message: Message, names: Names): readonly Part[] {
  return partsOf(reflect(desc, message), names);
}

/** A message in one line. */
export function line(desc: DescMessage, message: Message, names: Names): string {
  return inOneLine(tree(desc, message, names));
}

/** An event as its game words it. One that was stored before games did so: by its fields. */
export function happening(desc: DescMessage, message: Message, names: Names): string {
  const parts = tree(desc, message, names);
  const text = parts.find(({ label }) => label === "text")?.text;
  return text ? named(text, names) : inOneLine(parts.filter(({ label }) => label !== "text"));
}

function partsOf(message: ReflectMessage, names: Names): Part[] {
  return message.fields.filter((field) => isTold(message, field)).map((field) => partOf(message, field, names));
}

/** What is absent says nothing; a zero does. Who may know of something is for the server. */
function isTold(message: ReflectMessage, field: DescField): boolean {
  if (field.message?.typeName === AUDIENCE) return false;
  return message.isSet(field) || field.presence === FeatureSet_FieldPresence.IMPLICIT;
}

function partOf(message: ReflectMessage, field: DescField, names: Names): Part {
  const label = plain(field.name);
  switch (field.fieldKind) {
    case "scalar":
      return { label, text: scalarText(field, message.get(field), names), isSeat: isSeat(field) };
    case "enum":
      return { label, text: enumWord(field.enum, message.get(field)) };
    case "message":
      return { label, parts: partsOf(message.get(field), names) };
    case "list": {
      const items = [...message.get(field)];
      if (field.listKind === "message") {
        const parts = items.map((item, at) => ({ label: `${at + 1}`, parts: partsOf(item as ReflectMessage, names) }));
        return parts.length ? { label, parts } : { label, text: "none" };
      }
      const text = items.map((item) =>
        field.listKind === "enum" ? enumWord(field.enum, item as number) : scalarText(field, item, names),
      );
      return { label, text: text.join(", ") || "none", isSeat: isSeat(field) };
    }
    case "map":
      return { label, text: [...message.get(field)].map(([key, value]) => `${key}: ${value}`).join(", ") || "none" };
  }
}

/** Whether a field names players: the contract calls it so. */
function isSeat(field: DescField): boolean {
  return field.scalar === ScalarType.INT32 && SEAT.test(field.name);
}

function scalarText(field: DescField, value: unknown, names: Names): string {
  if (isSeat(field)) return seatName(names, value as number);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}

/** Parts as one line. A player's name says enough without "seat" before it, and a part of nothing is its name. */
function inOneLine(parts: readonly Part[]): string {
  return parts
    .map(({ label, text, parts: inner, isSeat }) => {
      if (text !== undefined) return `${isSeat ? label.replace(/ ?seats?$/, "") : label} ${text}`.trim();
      return inner?.length ? `${label} (${inOneLine(inner)})` : label;
    })
    .join(", ");
}
