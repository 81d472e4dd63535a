/** What this browser holds: the tokens of its seats, and what it noted before the game. Never in an address. */

/** A seat that was taken here. Bytes are in hexadecimal. */
export interface Key {
  /** sessions/{id}. */
  name: string;
  game: string;
  seat: number;
  token: string;
  /** What the seat has brought to the seeds. */
  entropy: string;
  /** As it was before the first draw. */
  commitment: string;
  /** What others join with. Who came from a list, or from the game before, has none. */
  joinCode?: string | undefined;
  /** Of whoever opened the game: what opens its rematch. */
  hostToken?: string | undefined;
}

const PREFIX = "lair/";

export function keep(key: Key): void {
  localStorage.setItem(PREFIX + key.name, JSON.stringify(key));
}

export function keyOf(name: string): Key | undefined {
  const kept = localStorage.getItem(PREFIX + name);
  return kept === null ? undefined : (JSON.parse(kept) as Key);
}

/** The key to the seat that was taken with a code. */
export function keyFor(joinCode: string): Key | undefined {
  return keys().find((key) => key.joinCode && bare(key.joinCode) === bare(joinCode));
}

/** A code as the server takes it: case and dashes don't matter. */
function bare(code: string): string {
  return code.toLowerCase().replaceAll("-", "");
}

export function keys(): readonly Key[] {
  return Object.keys(localStorage)
    .filter((name) => name.startsWith(PREFIX))
    .flatMap((name) => keyOf(name.slice(PREFIX.length)) ?? []);
}

export function forget(name: string): void {
  localStorage.removeItem(PREFIX + name);
}
