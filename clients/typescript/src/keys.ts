/** What a seat is taken with, and what whoever has taken it must keep. */

import { hex } from "./bytes.js";
import type { Session } from "./gen/monsters/session/v1/session_pb.js";

export const ENTROPY_BYTES = 32;

/** What opens a game to others, and to its rematch. */
export interface Host {
  /** What others join with. Who came from a list, or from the game before, has none. */
  joinCode?: string | undefined;
  /** Of whoever opened the game: what opens its rematch. */
  hostToken?: string | undefined;
}

/**
 * The key to a seat that was taken. It can be kept as JSON: bytes are in hexadecimal. Whoever has it plays the seat, so
 * it belongs in no address and no log.
 */
export interface SeatKey extends Host {
  /** sessions/{id}. */
  name: string;
  game: string;
  seat: number;
  token: string;
  /** What the seat has brought to the seeds. */
  entropy: string;
  /** As it was before the first draw. */
  commitment: string;
}

/** What a game is joined by: the code that its host sends to others, or the name of a listed one. */
export type Invitation = { joinCode: string } | { name: string };

/** A session that was opened, with what its host must keep. */
export interface Opened {
  session: Session;
  joinCode: string;
  hostToken: string;
}

/** What the server says of a seat that was taken. */
interface Seated {
  session?: Session | undefined;
  seat: number;
  seatToken: string;
}

/** The key to a seat that was taken just now. */
export function keyOf({ session, seat, seatToken: token }: Seated, entropy: Uint8Array, host: Host): SeatKey {
  if (!session) throw new Error("the server tells of no session");
  const { name, game } = session;
  const { joinCode, hostToken } = host;
  return { name, game, seat, token, entropy: hex(entropy), commitment: hex(session.commitment), joinCode, hostToken };
}
