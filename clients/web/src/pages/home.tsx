/** Where one begins: open a game, join one by its code, or go on with one. */

import { useState } from "preact/hooks";
import { addressOf } from "../entering";
import type { GameDescription } from "../gen/monsters/rules/v1/rules_pb";
import { keys } from "../keys";
import { describeAll } from "../rules";
import { Opening } from "./opening";
import { Frame, Trouble, useAnswer } from "./parts";

export function Home() {
  const { value: games, problem } = useAnswer(describeAll);
  return (
    <Frame title="Play a game">
      <Trouble problem={problem} />
      <Mine games={games ?? []} />
      <Code />
      <section>
        <h2>Open a game</h2>
        {!games && <p>One moment…</p>}
        {games?.length === 0 && <p>The server can't be reached, or it has no games. Reload the page to try again.</p>}
        {games?.map((game) => (
          <details key={game.token} id={game.token} class="game">
            <summary>
              <b>{game.title}</b> for {seatsOf(game)}
            </summary>
            <p>
              <small>{game.credits}</small>
            </p>
            <Opening game={game} />
          </details>
        ))}
      </section>
    </Frame>
  );
}

function seatsOf(game: GameDescription): string {
  return game.minSeats === game.maxSeats ? `${game.minSeats}` : `${game.minSeats} to ${game.maxSeats}`;
}

/** The games in which this browser has a seat. */
function Mine({ games }: { games: readonly GameDescription[] }) {
  const mine = keys();
  if (!mine.length) return null;
  return (
    <section>
      <h2>Your games</h2>
      <ul>
        {mine.map((key) => (
          <li key={key.name}>
            <a href={addressOf("session", key.name)}>
              {games.find((game) => game.token === key.game)?.title ?? key.game}, {key.name}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Code() {
  const [code, setCode] = useState("");
  const go = (event: Event) => {
    event.preventDefault();
    location.hash = addressOf("join", code.trim());
  };
  return (
    <section>
      <h2>Join a game</h2>
      <form onSubmit={go}>
        <label>
          The code that you were given
          <input value={code} onInput={(event) => setCode(event.currentTarget.value)} required />
        </label>
        <button type="submit">Join</button>
      </form>
    </section>
  );
}
