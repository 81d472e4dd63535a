/** What has happened, the newest first. */

import { type Update, unpack } from "@lair-games/client";
import { happening, type Names } from "../words";
import { Text } from "./parts";

const SHOWN = 200;

export function History({ updates, names }: { updates: readonly Update[]; names: Names }) {
  return (
    <section id="history">
      <h2>What has happened</h2>
      <ol>
        {updates
          .slice(-SHOWN)
          .reverse()
          .map((update) => (
            <li key={`${update.revision}`}>
              <small>{`${update.revision}`}</small> <Text text={eventsOf(update, names).join(" ")} />
            </li>
          ))}
      </ol>
    </section>
  );
}

function eventsOf({ events }: Update, names: Names): string[] {
  return events.map((event) => {
    const known = unpack(event);
    return known
      ? happening(known.desc, known.message, names)
      : "Something has happened that this page has no words for.";
  });
}
