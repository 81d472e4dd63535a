/** The legal moves, to be clicked, or written: what is written and not legal is refused by the server, with its rule. */

import { useState } from "preact/hooks";
import { uuid } from "../bytes";
import type { GameDescription } from "../gen/monsters/rules/v1/rules_pb";
import type { LegalMove, SubmitMoveRequest } from "../gen/monsters/session/v1/session_pb";
import { bare } from "../names";
import { insist, type Problem, problemOf } from "../problems";
import { about, sessions } from "../server";
import type { Table } from "../table";
import { type Names, named } from "../words";
import { Text, Trouble } from "./parts";

interface Playing {
  name: string;
  token: string;
  table: Table;
  game: GameDescription | undefined;
  names: Names;
}

export function Moves({ name, token, table, game, names }: Playing) {
  const [written, setWritten] = useState("");
  const [sending, setSending] = useState(false);
  const [acknowledged, setAcknowledged] = useState(-1n);
  const [problem, setProblem] = useState<Problem>();
  // Until the stream has brought what a move led to, the moves that are shown are yesterday's.
  const busy = sending || table.revision < acknowledged;

  const submit = async (action: SubmitMoveRequest["action"]) => {
    setSending(true);
    setProblem(undefined);
    const request = { name, action, requestId: uuid() };
    try {
      const { update } = await insist(() => sessions.submitMove(request, about(name, token)));
      setAcknowledged(update?.revision ?? -1n);
      setWritten("");
    } catch (error) {
      const problem = problemOf(error);
      setProblem({ ...problem, sentence: named(problem.sentence, names) });
    }
    setSending(false);
  };
  const play = ({ move, text }: LegalMove) =>
    submit(move ? { case: "move", value: move } : { case: "text", value: text });
  const shown = ({ text }: LegalMove) => named(text, names);
  const say = (event: Event) => {
    event.preventDefault();
    const [meant, ...others] = table.moves.filter((move) => bare(shown(move)) === written);
    void (meant && !others.length ? play(meant) : submit({ case: "text", value: written }));
  };

  const fitting = table.moves.filter((move) => bare(shown(move)).includes(written) || move.text.includes(written));
  return (
    <section id="moves" aria-busy={busy}>
      <h2>{table.moves.length ? "What you can do" : "Nothing to do for you"}</h2>
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
        <button type="button" key={move.text} class="move" disabled={busy} onClick={() => void play(move)}>
          <Text text={shown(move)} />
        </button>
      ))}
    </section>
  );
}
