/** The legal moves, to be clicked, or written: what is written and not legal is refused by the server, with its rule. */

import { type GameDescription, type LegalMove, named, type Table, type TableState } from "@lair-games/client";
import { useState } from "preact/hooks";
import { bare } from "../names";
import { type Problem, problemOf } from "../problems";
import type { Names } from "../words";
import { Text, Trouble } from "./parts";

interface Playing {
  table: Table;
  state: TableState;
  game: GameDescription | undefined;
  names: Names;
}

export function Moves({ table, state, game, names }: Playing) {
  const [written, setWritten] = useState("");
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  // Until the stream has brought what a move led to, the moves that are shown are yesterday's.
  const busy = sending || !table.current;

  const submit = async (move: LegalMove | string) => {
    setSending(true);
    setProblem(undefined);
    try {
      await table.submit(move);
      setWritten("");
    } catch (error) {
      const problem = problemOf(error);
      setProblem({ ...problem, sentence: named(problem.sentence, names) });
    }
    setSending(false);
  };
  const shown = ({ text }: LegalMove) => named(text, names);
  const say = (event: Event) => {
    event.preventDefault();
    const [meant, ...others] = state.moves.filter((move) => bare(shown(move)) === written);
    void submit(meant && !others.length ? meant : written);
  };

  const fitting = state.moves.filter((move) => bare(shown(move)).includes(written) || move.text.includes(written));
  return (
    <section id="moves" aria-busy={busy}>
      <h2>{state.moves.length ? "What you can do" : "Nothing to do for you"}</h2>
      <form onSubmit={say}>
        <input
          aria-label="A move in words"
          dir="auto"
          placeholder="look for a move, or write one"
          value={written}
          onInput={(event) => setWritten(event.currentTarget.value)}
        />
        <button type="submit" disabled={busy || !written}>
          Play it
        </button>
      </form>
      <Trouble problem={problem} wording={game?.rules.find((rule) => rule.id === problem?.rule)?.text} />
      {fitting.map((move) => (
        <button type="button" key={move.text} class="move" disabled={busy} onClick={() => void submit(move)}>
          <Text text={shown(move)} />
        </button>
      ))}
    </section>
  );
}
