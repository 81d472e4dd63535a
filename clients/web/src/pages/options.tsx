/** The options of a game as a form, made from its Options as the contract describes them. */

import { create, type DescField, ScalarType } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { type Any, anyPack } from "@bufbuild/protobuf/wkt";
import { type GameDescription, messageOf, type OptionDescription } from "@lair-games/client";
import { enumWord, plain } from "../words";

/** One option. Nothing chosen is the default. */
export function Option({ game, option }: { game: GameDescription; option: OptionDescription }) {
  const field = fieldOf(game, option);
  if (!field) return null;
  const id = `${game.token}-${option.name}`;
  const normal = `as usual: ${option.defaultValue}`;
  const values = valuesOf(field);
  return (
    <div class="option">
      <label for={id}>{plain(option.name)}</label>
      {values ? (
        <select id={id} name={option.name}>
          <option value="">{normal}</option>
          {values.map(([value, word]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </select>
      ) : (
        <input id={id} name={option.name} type="number" placeholder={normal} />
      )}
      <small>{option.text}</small>
    </div>
  );
}

/** An option's field, when it is of a kind that this form has an input for. */
function fieldOf(game: GameDescription, option: OptionDescription): DescField | undefined {
  const field = messageOf(game.token, "Options")?.fields.find(({ name }) => name === option.name);
  const kinds: readonly unknown[] = [ScalarType.BOOL, ScalarType.INT32];
  return field?.fieldKind === "enum" || (field?.fieldKind === "scalar" && kinds.includes(field.scalar))
    ? field
    : undefined;
}

/** What can be chosen, or undefined for a number. */
function valuesOf(field: DescField): [number, string][] | undefined {
  const { enum: desc, scalar } = field;
  if (desc) return desc.values.filter(({ number }) => number).map(({ number }) => [number, enumWord(desc, number)]);
  return scalar === ScalarType.BOOL ? Object.entries(["no", "yes"]).map(([at, word]) => [Number(at), word]) : undefined;
}

/** The Options that were chosen. Undefined for a game that has none. */
export function chosenOptions(game: GameDescription, chosen: FormData): Any | undefined {
  const desc = messageOf(game.token, "Options");
  if (!desc) return undefined;
  const options = reflect(desc, create(desc));
  for (const option of game.options) {
    const field = fieldOf(game, option);
    const value = chosen.get(option.name);
    if (!field || !value) continue;
    options.set(field, field.scalar === ScalarType.BOOL ? value === "1" : Number(value));
  }
  return anyPack(desc, options.message);
}
