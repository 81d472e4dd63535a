/** Whoever follows the link of a game is asked for a name, and sits down. */

import { useEffect, useState } from "preact/hooks";
import { addressOf, join } from "../entering";
import { keyFor } from "../keys";
import { type Problem, problemOf } from "../problems";
import { Frame, Trouble } from "./parts";

export function Join({ code }: { code: string }) {
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<Problem>();
  const mine = keyFor(code);
  useEffect(() => {
    if (mine) location.replace(addressOf("session", mine.name));
  }, [mine]);
  const submit = async (event: Event) => {
    event.preventDefault();
    try {
      location.replace(addressOf("session", await join(code, name)));
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  return (
    <Frame title="You are asked to play">
      <form onSubmit={(event) => void submit(event)}>
        <label>
          Your name
          <input value={name} maxLength={64} onInput={(event) => setName(event.currentTarget.value)} required />
        </label>
        <button type="submit">Sit down</button>
      </form>
      <Trouble problem={problem} />
    </Frame>
  );
}
