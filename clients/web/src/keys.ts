/** What this browser holds: the tokens of its seats, and what it noted before the game. Never in an address. */

import type { SeatKey } from "@lair-games/client";

const PREFIX = "lair/";

export function keep(key: SeatKey): void {
  localStorage.setItem(PREFIX + key.name, JSON.stringify(key));
}

export function keyOf(name: string): SeatKey | undefined {
  const kept = localStorage.getItem(PREFIX + name);
  return kept === null ? undefined : (JSON.parse(kept) as SeatKey);
}

/** The key to the seat that was taken with a code. */
export function keyFor(joinCode: string): SeatKey | undefined {
  return keys().find((key) => key.joinCode && bare(key.joinCode) === bare(joinCode));
}

/** A code as the server takes it: case and dashes don't matter. */
function bare(code: string): string {
  return code.toLowerCase().replaceAll("-", "");
}

export function keys(): readonly SeatKey[] {
  return Object.keys(localStorage)
    .filter((name) => name.startsWith(PREFIX))
    .flatMap((name) => keyOf(name.slice(PREFIX.length)) ?? []);
}

export function forget(name: string): void {
  localStorage.removeItem(PREFIX + name);
}
