/** The listed games that wait for players: whoever finds one there can join it. */

import type { Game, Session } from "@lair-games/client";
import { useEffect, useState } from "preact/hooks";
import { addressOf } from "../entering";
import { isolated } from "../names";
import { type Problem, problemOf } from "../problems";
import { lair } from "../server";
import { Text, Trouble } from "./parts";

/** A page of the list. */
interface Asked {
  game: string;
  pageToken: string;
}

const EVERY_GAME: Asked = { game: "", pageToken: "" };

export function Lobbies({ games }: { games: readonly Game[] }) {
  const [asked, setAsked] = useState(EVERY_GAME);
  const [listed, setListed] = useState<readonly Session[]>();
  const [next, setNext] = useState("");
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    let current = true;
    lair.lobbies(asked).then(
      (page) => {
        // Something else was asked for since then.
        if (!current) return;
        setListed((before = []) => (asked.pageToken ? [...before, ...page.sessions] : page.sessions));
        setNext(page.nextPageToken);
        setProblem(undefined);
      },
      (error) => current && setProblem(problemOf(error)),
    );
    return () => {
      current = false;
    };
  }, [asked]);
  return (
    <section id="lobbies">
      <h2>Games that wait for players</h2>
      <label>
        Which game
        <select onChange={({ currentTarget }) => setAsked({ ...EVERY_GAME, game: currentTarget.value })}>
          <option value="">every game</option>
          {games.map(({ token, title }) => (
            <option key={token} value={token}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={() => setAsked({ ...asked, pageToken: "" })}>
        Look again
      </button>
      <Trouble problem={problem} />
      {listed?.length === 0 && <p>None waits now.</p>}
      <ul>
        {listed?.map((session) => (
          <li key={session.name}>
            <Waiting session={session} title={games.find(({ token }) => token === session.game)?.title} />
          </li>
        ))}
      </ul>
      {next && (
        <button type="button" onClick={() => setAsked({ ...asked, pageToken: next })}>
          Show more
        </button>
      )}
    </section>
  );
}

function Waiting({ session, title }: { session: Session; title: string | undefined }) {
  const { name, game, seats, limits } = session;
  const there = seats.filter(({ taken }) => taken).map(({ displayName }) => isolated(displayName) || "somebody");
  const turn = limits?.turn && `, ${Number(limits.turn.seconds) + limits.turn.nanos / 1e9} seconds for each turn`;
  return (
    <>
      <a href={addressOf("listed", name)}>{title ?? game}</a> with <Text text={there.join(", ") || "nobody yet"} />:{" "}
      {seats.length - there.length} of {seats.length} seats free{turn}
    </>
  );
}
