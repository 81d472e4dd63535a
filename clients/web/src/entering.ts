/** Opening a game, and taking a seat of it: what the keys of this browser come from. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import { hex, random, uuid } from "./bytes";
import type { CreateSessionRequestSchema } from "./gen/monsters/session/v1/session_pb";
import { keep, keyFor } from "./keys";
import { insist } from "./problems";
import { sessions } from "./server";

const ENTROPY_BYTES = 32;

/** Takes the first free seat, and gives the session's name. Whoever sits there already comes back. */
export async function join(joinCode: string, displayName: string): Promise<string> {
  const mine = keyFor(joinCode);
  if (mine) return mine.name;
  const entropy = random(ENTROPY_BYTES);
  const request = { joinCode, displayName, entropy, requestId: uuid() };
  const { session, seat, seatToken } = await insist(() => sessions.joinSession(request));
  if (!session) throw new Error("the server tells of no session");
  keep({
    name: session.name,
    game: session.game,
    seat,
    token: seatToken,
    entropy: hex(entropy),
    commitment: hex(session.commitment),
    joinCode,
  });
  return session.name;
}

/** Opens a game and takes its first seat. */
export async function open(
  request: MessageInitShape<typeof CreateSessionRequestSchema>,
  displayName: string,
): Promise<string> {
  const whole = { ...request, requestId: uuid() };
  const { joinCode } = await insist(() => sessions.createSession(whole));
  return join(joinCode, displayName);
}

/** The address of a part of this page. */
export function addressOf(part: "session" | "verify" | "join", value: string): string {
  return `#${part}=${value.replace("sessions/", "")}`;
}
