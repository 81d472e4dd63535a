/** Opening a game, and taking a seat of it: what the keys of this browser come from. */

import type { Host, Invitation, Lair, SeatKey } from "@lair-games/client";
import { keep, keyFor, keyOf } from "./keys";
import { lair } from "./server";

/** The key to the seat that was taken by an invitation: whoever follows it twice comes back. */
export function seatTaken(invitation: Invitation): SeatKey | undefined {
  return "name" in invitation ? keyOf(invitation.name) : keyFor(invitation.joinCode);
}

/** Takes the first free seat, and gives the session's name. Whoever sits there already comes back. */
export async function join(invitation: Invitation, displayName: string, host: Host = {}): Promise<string> {
  const key = seatTaken(invitation) ?? (await lair.join(invitation, displayName, host));
  keep(key);
  return key.name;
}

/** Opens a game and takes its first seat for a person. Whoever opens a game of bots alone looks on. */
export async function open(request: Parameters<Lair["open"]>[0], displayName: string): Promise<string> {
  const { session, joinCode, hostToken } = await lair.open(request);
  if (session.seats.every(({ taken }) => taken)) return session.name;
  return join({ joinCode }, displayName, { hostToken });
}

/**
 * Takes the same seat in the rematch of a game that has ended. Whoever opened that game opens its rematch, too; for the
 * others it has to be there.
 */
export async function again(before: SeatKey, rematch: string): Promise<string> {
  const opened = before.hostToken === undefined ? undefined : await lair.openRematch(before);
  const key = keyOf(opened?.session.name ?? rematch) ?? (await lair.joinRematch(before, opened));
  keep(key);
  return key.name;
}

/** The address of a part of this page. */
export function addressOf(part: "session" | "verify" | "join" | "listed", value: string): string {
  return `#${part}=${value.replace("sessions/", "")}`;
}
