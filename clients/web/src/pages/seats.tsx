/** Who sits at a table, how others come there, how one leaves, and how the same people play once more. */

import { type SeatKey, SeatKind, type Session, type Table, type TableState } from "@lair-games/client";
import { useState } from "preact/hooks";
import { addressOf, again } from "../entering";
import { forget } from "../keys";
import { type Problem, problemOf } from "../problems";
import { Trouble } from "./parts";

export function Lobby({ joinCode, session }: { joinCode: string | undefined; session: Session }) {
  const free = session.seats.filter((seat) => !seat.taken).length;
  const address = joinCode ? addressOf("join", joinCode) : session.listed && addressOf("listed", session.name);
  const link = address && new URL(address, location.href).href;
  return (
    <section>
      <h2>
        {free} more {free === 1 ? "player is" : "players are"} needed
      </h2>
      {link && (
        <label>
          Send them this link
          <input id="link" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
        </label>
      )}
      {session.listed && <p>Everybody finds this game in the list of games that wait for players.</p>}
    </section>
  );
}

export function Seats({ table: { session, standing }, mine }: { table: TableState; mine: number | undefined }) {
  return (
    <ol id="seats">
      {session?.seats.map(({ seat, displayName, kind, taken, left }) => (
        <li key={seat} class={standing?.awaited.includes(seat) ? "awaited" : ""}>
          <small>{seat}</small> {taken ? <bdi>{displayName || "somebody"}</bdi> : "free"}
          {seat === mine && " (you)"}
          {kind === SeatKind.BOT && " (a program)"}
          {left && " (has left; a stand-in plays)"}
        </li>
      ))}
    </ol>
  );
}

export function Leave({ table }: { table: Table }) {
  const [problem, setProblem] = useState<Problem>();
  const leave = async () => {
    if (!confirm("Give your seat up? Somebody else, or a stand-in, will have it.")) return;
    try {
      await table.leave();
      forget(table.name);
      location.hash = "home";
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  return (
    <>
      <Trouble problem={problem} />
      <button type="button" class="quiet" onClick={() => void leave()}>
        Give my seat up
      </button>
    </>
  );
}

/** Playing once more: the host opens the rematch, and once it is there the others take their seats in it. */
export function Again({ mine, rematch }: { mine: SeatKey; rematch: string }) {
  const [problem, setProblem] = useState<Problem>();
  const play = async () => {
    try {
      location.hash = addressOf("session", await again(mine, rematch));
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  return (
    <>
      <Trouble problem={problem} />
      <button type="button" disabled={!rematch && !mine.hostToken} onClick={() => void play()}>
        {rematch ? "Take your seat again" : "Play again"}
      </button>
      {!rematch && !mine.hostToken && <small>Once whoever opened this game plays again, you can, too.</small>}
    </>
  );
}
