/** Opening a game, and taking a seat of it: what the keys of this browser come from. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import { hex, random, uuid } from "./bytes";
import type {
  CreateSessionRequestSchema,
  JoinRematchResponse,
  JoinSessionResponse,
} from "./gen/monsters/session/v1/session_pb";
import { type Key, keep, keyFor, keyOf } from "./keys";
import { insist } from "./problems";
import { about, sessions } from "./server";

const ENTROPY_BYTES = 32;

/** What opens a game to others, and to its next one. */
type Host = Pick<Key, "joinCode" | "hostToken">;

/** What a game is joined by: the code that its host sends to others, or the name of a listed one. */
export type Invitation = { joinCode: string } | { name: string };

/** The key to the seat that was taken by an invitation: whoever follows it twice comes back. */
export function seatTaken(invitation: Invitation): Key | undefined {
  return "name" in invitation ? keyOf(invitation.name) : keyFor(invitation.joinCode);
}

/** Takes the first free seat, and gives the session's name. Whoever sits there already comes back. */
export async function join(invitation: Invitation, displayName: string, host: Host = {}): Promise<string> {
  const mine = seatTaken(invitation);
  if (mine) return mine.name;
  const entropy = random(ENTROPY_BYTES);
  const request = { ...invitation, displayName, entropy, requestId: uuid() };
  return seated(await insist(() => sessions.joinSession(request)), entropy, { ...invitation, ...host });
}

/** Opens a game and takes its first seat for a person. Whoever opens a game of bots alone looks on. */
export async function open(
  request: MessageInitShape<typeof CreateSessionRequestSchema>,
  displayName: string,
): Promise<string> {
  const whole = { ...request, requestId: uuid() };
  const { session, joinCode, hostToken } = await insist(() => sessions.createSession(whole));
  if (session?.seats.every(({ taken }) => taken)) return session.name;
  return join({ joinCode }, displayName, { hostToken });
}

/**
 * Takes the same seat in the rematch of a game that has ended. Whoever opened that game opens its rematch, too; for the
 * others it has to be there.
 */
export async function again(before: Key, rematch: string): Promise<string> {
  const { name } = before;
  const opened =
    before.hostToken === undefined
      ? undefined
      : await insist(() => sessions.createRematch({ name }, about(name, before.hostToken)));
  const mine = keyOf(opened?.session?.name ?? rematch);
  if (mine) return mine.name;
  const entropy = random(ENTROPY_BYTES);
  const request = { name, entropy, requestId: uuid() };
  const answer = await insist(() => sessions.joinRematch(request, about(name, before.token)));
  return seated(answer, entropy, opened ?? {});
}

/** Keeps the key to a seat that was taken, and gives the session's name. */
function seated(
  { session, seat, seatToken }: JoinSessionResponse | JoinRematchResponse,
  entropy: Uint8Array,
  { joinCode, hostToken }: Host,
) {
  if (!session) throw new Error("the server tells of no session");
  const { name, game } = session;
  const commitment = hex(session.commitment);
  keep({ name, game, seat, token: seatToken, entropy: hex(entropy), commitment, joinCode, hostToken });
  return name;
}

/** The address of a part of this page. */
export function addressOf(part: "session" | "verify" | "join" | "listed", value: string): string {
  return `#${part}=${value.replace("sessions/", "")}`;
}
