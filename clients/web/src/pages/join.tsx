/** Whoever follows the link of a game, or finds it in the list, is asked for a name, and sits down. */

import type { Invitation } from "@lair-games/client";
import { useEffect, useState } from "preact/hooks";
import { addressOf, join, seatTaken } from "../entering";
import { type Problem, problemOf } from "../problems";
import { Frame, NameField, Trouble } from "./parts";

export function Join({ invitation }: { invitation: Invitation }) {
  const [problem, setProblem] = useState<Problem>();
  const mine = seatTaken(invitation);
  useEffect(() => {
    if (mine) location.replace(addressOf("session", mine.name));
  }, [mine]);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get(".name"));
    try {
      location.replace(addressOf("session", await join(invitation, name)));
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  return (
    <Frame title="You are asked to play">
      <form onSubmit={(event) => void submit(event)}>
        <NameField />
        <button type="submit">Sit down</button>
      </form>
      <Trouble problem={problem} />
    </Frame>
  );
}
