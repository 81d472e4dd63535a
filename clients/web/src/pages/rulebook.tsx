/** The rules of a game as a stranger reads them: aim, how to play, then every rule by parts, each with its source. */

import { type GameDescription, RulePart, Source } from "@lair-games/client/monsters/rules/v1/rules_pb";

/** The last is for servers that are older than parts. */
const PARTS: readonly [RulePart, string][] = [
  [RulePart.SET_UP, "Set-up"],
  [RulePart.TURN, "A turn"],
  [RulePart.END, "The end"],
  [RulePart.TIME, "Time"],
  [RulePart.UNSPECIFIED, "Rules"],
];

/** What needs a mark: whatever is not printed in the rulebook. */
const MARKS: { readonly [source: number]: string } = {
  [Source.PUBLISHED]: "not in the rulebook",
  [Source.LAIR]: "Lair's own",
};

export function Rulebook({ game }: { game: GameDescription | undefined }) {
  if (!game) return null;
  return (
    <details id="rules">
      <summary>The rules</summary>
      {game.aim && <p>{game.aim}</p>}
      {game.howToPlay && (
        <details>
          <summary>How to play</summary>
          {game.howToPlay.split("\n\n").map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </details>
      )}
      {PARTS.map(([part, heading]) => (
        <Part key={part} game={game} part={part} heading={heading} />
      ))}
    </details>
  );
}

function Part({ game, part, heading }: { game: GameDescription; part: RulePart; heading: string }) {
  const rules = game.rules.filter((rule) => rule.part === part);
  if (!rules.length) return null;
  return (
    <>
      <h3>{heading}</h3>
      <dl>
        {rules.map(({ id, text, source, note }) => (
          <div key={id}>
            <dt>{id}</dt>
            <dd>
              {text} {MARKS[source] && <small>({MARKS[source]})</small>}
              {note && <small class="note">{note}</small>}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
