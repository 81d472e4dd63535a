/** Where one begins: go on with a game, join one that waits for players or by its code, or open one. */

import type { Game } from "@lair-games/client";
import { useState } from "preact/hooks";
import { addressOf } from "../entering";
import { keys } from "../keys";
import { lair } from "../server";
import { Lobbies } from "./lobbies";
import { Opening } from "./opening";
import { Frame, Trouble, useAnswer } from "./parts";

export function Home() {
  const { value: games, problem } = useAnswer(() => lair.games());
  return (
    <Frame title="Play a game">
      <Trouble problem={problem} />
      <Mine games={games ?? []} />
      <Lobbies games={games ?? []} />
      <Code />
      <section>
        <h2>Open a game</h2>
        {!games && !problem && <p>One moment…</p>}
        {games?.length === 0 && <p>The server has no games now. Reload the page to try again.</p>}
        {games?.map((game) => (
          <Choice key={game.token} game={game} />
        ))}
      </section>
    </Frame>
  );
}

/** A game that can be opened. Whoever looks at it is told more of it. */
function Choice({ game }: { game: Game }) {
  const [looked, setLooked] = useState(false);
  return (
    <details id={game.token} class="game" onToggle={() => setLooked(true)}>
      <summary>
        <b>{game.title}</b> for {seatsOf(game)}
      </summary>
      {looked && <Described token={game.token} />}
    </details>
  );
}

function Described({ token }: { token: string }) {
  const { value: game, problem } = useAnswer(() => lair.rules.describe(token));
  if (!game) return problem ? <Trouble problem={problem} /> : <p>One moment…</p>;
  return (
    <>
      <p>
        <small>{game.credits}</small>
      </p>
      <Opening game={game} />
    </>
  );
}

function seatsOf({ minSeats, maxSeats }: Game): string {
  return minSeats === maxSeats ? `${minSeats}` : `${minSeats} to ${maxSeats}`;
}

/** The games in which this browser has a seat. */
function Mine({ games }: { games: readonly Game[] }) {
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
