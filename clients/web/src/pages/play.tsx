/** A table: who sits there, whom it waits for, what can be done, how it stands, and what has happened. */

import type { ServerClock } from "../clock";
import { unpack } from "../contract";
import { addressOf } from "../entering";
import type { GameDescription } from "../gen/monsters/rules/v1/rules_pb";
import { type Session, State } from "../gen/monsters/session/v1/session_pb";
import { forget, type Key, keyOf } from "../keys";
import { isolated } from "../names";
import type { Problem } from "../problems";
import { describe } from "../rules";
import type { Table } from "../table";
import { type Names, seatName, tree } from "../words";
import { Countdown } from "./countdown";
import { History } from "./history";
import { Moves } from "./moves";
import { Frame, Text, Tree, Trouble, useAnswer } from "./parts";
import { Rulebook } from "./rulebook";
import { Again, Leave, Lobby, Seats } from "./seats";
import { useTable } from "./use-table";

export function Play({ name }: { name: string }) {
  const key = keyOf(name);
  const { table, problem, clock } = useTable(name, key?.token);
  const { session } = table;
  if (!session || !table.seen) return <Missing name={name} mine={key} problem={problem} />;
  return <Shown mine={key} session={session} table={table} problem={problem} clock={clock} />;
}

/** A game that has not come yet, or that never will. */
function Missing({ name, mine, problem }: { name: string; mine: Key | undefined; problem: Problem | undefined }) {
  const drop = () => {
    forget(name);
    location.hash = "home";
  };
  return (
    <Frame title="A game">
      {problem ? <Trouble problem={problem} /> : <p>One moment…</p>}
      {problem && mine && (
        <button type="button" onClick={drop}>
          Forget this game
        </button>
      )}
    </Frame>
  );
}

interface Showing {
  mine: Key | undefined;
  session: Session;
  table: Table;
  problem: Problem | undefined;
  clock: ServerClock;
}

function Shown({ mine: key, session, table, problem, clock }: Showing) {
  const game = useAnswer(() => describe(session.game)).value;
  const { name } = session;
  const { standing, deadline } = table;
  const names = session.seats.map((seat) => isolated(seat.displayName));
  const over = standing?.outcome !== undefined || session.state === State.ABORTED;
  return (
    <Frame title={game?.title ?? session.game}>
      <p class={table.live ? "live" : "lost"} role="status">
        {table.live ? "Connected" : "The connection is lost. Trying again…"}
        <span id="revision">{`${table.revision}`}</span>
      </p>
      <Trouble problem={problem} />
      {session.state === State.LOBBY && <Lobby joinCode={key?.joinCode} session={session} />}
      <Seats table={table} mine={key?.seat} />
      <p id="standing">
        <Text text={standingWords(table, names, game, key?.seat)} />
      </p>
      {deadline && !over && <Countdown deadline={deadline} clock={clock} />}
      {key && !over && standing && <Moves name={name} token={key.token} table={table} game={game} names={names} />}
      {over && (
        <p>
          <a href={addressOf("verify", name)}>Check every die and every move of this game</a>
        </p>
      )}
      {key && over && <Again mine={key} rematch={session.rematch} />}
      <View table={table} names={names} />
      <History updates={table.history} names={names} />
      <Rulebook game={game} />
      {key && !over && <Leave name={name} token={key.token} />}
    </Frame>
  );
}

function standingWords({ session, standing }: Table, names: Names, game?: GameDescription, mine?: number): string {
  if (session?.state === State.ABORTED) return "The game was ended without a result.";
  if (!standing) return "The game has not begun.";
  const { outcome, awaited } = standing;
  const all = (seats: readonly number[]) => seats.map((seat) => seatName(names, seat)).join(" and ");
  if (!outcome)
    return mine !== undefined && awaited.includes(mine) ? "It is your turn." : `Waiting for ${all(awaited)}.`;
  const why = game?.ends.find((end) => end.reason === outcome.reason)?.text ?? outcome.reason;
  const scores = outcome.scores.map((score, seat) => `${seatName(names, seat)} ${score}`).join(", ");
  const winners = outcome.winners.length ? `Won by ${all(outcome.winners)}.` : "Nobody has won.";
  return [winners, why, scores && `Scores: ${scores}.`].join(" ");
}

function View({ table: { view }, names }: { table: Table; names: Names }) {
  if (!view) return null;
  const seen = unpack(view);
  return (
    <section id="view">
      <h2>The table</h2>
      {seen ? <Tree parts={tree(seen.desc, seen.message, names)} /> : <p>This page is older than the game.</p>}
    </section>
  );
}
