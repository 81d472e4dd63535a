/** The form that opens a game. */

import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { type GameDescription, type Lair, SeatKind } from "@lair-games/client";
import { useState } from "preact/hooks";
import { addressOf, open } from "../entering";
import { type Problem, problemOf } from "../problems";
import { chosenOptions, Option } from "./options";
import { NameField, Trouble } from "./parts";

export function Opening({ game }: { game: GameDescription }) {
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    try {
      location.hash = addressOf("session", await open(requestOf(game, form), String(form.get(".name"))));
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <NameField />
      <Seating game={game} />
      <label>
        Seconds for each turn <input name=".turn" type="number" min={1} placeholder="no limit" />
      </label>
      <small>{game.timeout}</small>
      <label>
        <input name=".listed" type="checkbox" /> Listed: everybody may find it and join
      </label>
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

/** How many play, and what sits at each seat. */
function Seating({ game: { minSeats, maxSeats } }: { game: GameDescription }) {
  const [count, setCount] = useState(minSeats);
  return (
    <>
      <label>
        Players
        <input
          type="number"
          min={minSeats}
          max={maxSeats}
          defaultValue={`${minSeats}`}
          onInput={({ currentTarget }) => setCount(currentTarget.valueAsNumber)}
          required
        />
      </label>
      {Array.from({ length: Math.min(count || 0, maxSeats) }, (_, seat) => (
        <label key={`${seat}`} class="seating">
          Seat {seat}
          <select name=".seat">
            <option value={SeatKind.HUMAN}>a person</option>
            <option value={SeatKind.BOT}>a bot</option>
          </select>
        </label>
      ))}
      <small>You have the first seat that is a person's. Bots play by themselves.</small>
    </>
  );
}

function requestOf(game: GameDescription, form: FormData): Parameters<Lair["open"]>[0] {
  const options = chosenOptions(game, form);
  const turn = Number(form.get(".turn")) * 1000;
  return {
    game: game.token,
    seats: form.getAll(".seat").map((kind) => ({ kind: Number(kind) })),
    listed: form.has(".listed"),
    ...(options ? { options } : {}),
    ...(turn ? { limits: { turn: durationFromMs(turn) } } : {}),
  };
}
