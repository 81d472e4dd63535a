/** The form that opens a game. Its options are made from the game's Options, as the contract describes them. */

import { create, type DescField, ScalarType } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { anyPack, durationFromMs } from "@bufbuild/protobuf/wkt";
import { useState } from "preact/hooks";
import { messageOf } from "../contract";
import { addressOf, open } from "../entering";
import type { GameDescription, OptionDescription } from "../gen/monsters/rules/v1/rules_pb";
import { type Problem, problemOf } from "../problems";
import { enumWord, plain } from "../words";
import { Trouble } from "./parts";

export function Opening({ game }: { game: GameDescription }) {
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    try {
      location.hash = addressOf("session", await opened(game, form));
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <label>
        Your name <input name=".name" maxLength={64} required />
      </label>
      <label>
        Players
        <input
          name=".seats"
          type="number"
          min={game.minSeats}
          max={game.maxSeats}
          defaultValue={`${game.minSeats}`}
          required
        />
      </label>
      <label>
        Seconds for each turn <input name=".turn" type="number" min={1} placeholder="no limit" />
      </label>
      <small>{game.timeout}</small>
      <details>
        <summary>Options</summary>
        {game.options.map((option) => (
          <Option key={option.name} game={game} option={option} />
        ))}
      </details>
      <Trouble problem={problem} />
      <button type="submit" disabled={busy}>
        Open {game.title}
      </button>
    </form>
  );
}

/** One option. Nothing chosen is the default. */
function Option({ game, option }: { game: GameDescription; option: OptionDescription }) {
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

function opened(game: GameDescription, form: FormData): Promise<string> {
  const text = (name: string) => String(form.get(name) ?? "");
  const seats = Array.from({ length: Number(text(".seats")) }, () => ({ name: "" }));
  const turn = Number(text(".turn")) * 1000;
  const request = {
    game: game.token,
    seats,
    ...packedOptions(game, text),
    ...(turn ? { limits: { turn: durationFromMs(turn) } } : {}),
  };
  return open(request, text(".name"));
}

function packedOptions(game: GameDescription, text: (name: string) => string) {
  const desc = messageOf(game.token, "Options");
  if (!desc) return {};
  const options = reflect(desc, create(desc));
  for (const option of game.options) {
    const field = fieldOf(game, option);
    const chosen = text(option.name);
    if (!field || chosen === "") continue;
    options.set(field, field.scalar === ScalarType.BOOL ? chosen === "1" : Number(chosen));
  }
  return { options: anyPack(desc, options.message) };
}
