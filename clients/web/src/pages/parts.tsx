/** What several parts of the page show. */

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { lengthProblem, pieces } from "../names";
import type { Problem } from "../problems";
import { problemOf } from "../problems";
import type { Part } from "../words";

/** Something that is asked once, when it is first shown: its value once it is there, or its problem. */
export function useAnswer<T>(ask: () => Promise<T>): { value?: T; problem?: Problem } {
  const [answer, setAnswer] = useState<{ value?: T; problem?: Problem }>({});
  useEffect(() => {
    ask().then(
      (value) => setAnswer({ value }),
      (error) => setAnswer({ problem: problemOf(error) }),
    );
  }, []);
  return answer;
}

/** A text, in which each name is isolated: by its element it has the direction of its own letters. */
export function Text({ text }: { text: string }) {
  return <>{pieces(text).map((piece, at) => (at % 2 ? <bdi key={`${at}`}>{piece}</bdi> : piece))}</>;
}

/** Where somebody's name is asked for. */
export function NameField() {
  return (
    <label>
      Your name
      <input
        name=".name"
        dir="auto"
        onInput={({ currentTarget }) => currentTarget.setCustomValidity(lengthProblem(currentTarget.value))}
        required
      />
    </label>
  );
}

/** What went wrong, with the rule's own words where they are known. */
export function Trouble({ problem, wording }: { problem: Problem | undefined; wording?: string | undefined }) {
  if (!problem) return null;
  return (
    <div role="alert" class="problem">
      <p>
        <Text text={problem.sentence} />
      </p>
      {problem.rule && (
        <p>
          <b>{problem.rule}</b> {wording}
        </p>
      )}
      {problem.reason && <small>{problem.reason}</small>}
    </div>
  );
}

/** A message as a tree. What is all of one kind, such as cards, is a table. */
export function Tree({ parts }: { parts: readonly Part[] }) {
  if (isTable(parts)) return <Rows parts={parts} />;
  return (
    <dl>
      {parts.map((part) => (
        <div key={part.label}>
          <dt>{part.label}</dt>
          <dd>{part.text === undefined ? <Tree parts={part.parts ?? []} /> : <Text text={part.text} />}</dd>
        </div>
      ))}
    </dl>
  );
}

function isTable(parts: readonly Part[]): boolean {
  return parts.length > 0 && parts.every((part) => part.parts?.every(({ text }) => text !== undefined));
}

function Rows({ parts }: { parts: readonly Part[] }) {
  const columns = [...new Set(parts.flatMap((part) => part.parts?.map(({ label }) => label) ?? []))];
  return (
    <table>
      <thead>
        <tr>
          <th />
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {parts.map((row) => (
          <tr key={row.label}>
            <th scope="row">{row.label}</th>
            {columns.map((column) => (
              <td key={column}>
                <Text text={row.parts?.find(({ label }) => label === column)?.text ?? ""} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What every part of the page has at its top. */
export function Frame({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <>
      <header>
        <a href="#home">Lair</a>
        <h1>{title}</h1>
      </header>
      {children}
    </>
  );
}
