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
import { as, sessions } from "./server";

const ENTROPY_BYTES = 32;

/** What opens a game to others, and to its next one. */
type Host = Pick<Key, "joinCode" | "hostToken">;

/** Takes the first free seat, and gives the session's name. Whoever sits there already comes back. */
export async function join(joinCode: string, displayName: string, hostToken?: string): Promise<string> {
  const mine = keyFor(joinCode);
  if (mine) return mine.name;
  const entropy = random(ENTROPY_BYTES);
  const request = { joinCode, displayName, entropy, requestId: uuid() };
  return seated(await insist(() => sessions.joinSession(request)), entropy, { joinCode, hostToken });
}

/** Opens a game and takes its first seat. */
export async function open(
  request: MessageInitShape<typeof CreateSessionRequestSchema>,
  displayName: string,
): Promise<string> {
  const whole = { ...request, requestId: uuid() };
  const { joinCode, hostToken } = await insist(() => sessions.createSession(whole));
  return join(joinCode, displayName, hostToken);
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
      : await insist(() => sessions.createRematch({ name }, as(before.hostToken)));
  const mine = keyOf(opened?.session?.name ?? rematch);
  if (mine) return mine.name;
  const entropy = random(ENTROPY_BYTES);
  const request = { name, entropy, requestId: uuid() };
  const answer = await insist(() => sessions.joinRematch(request, as(before.token)));
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
export function addressOf(part: "session" | "verify" | "join", value: string): string {
  return `#${part}=${value.replace("sessions/", "")}`;
}
