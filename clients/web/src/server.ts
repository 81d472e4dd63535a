/** The server that this page came from. */

import { type CallOptions, createClient } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { SessionService } from "./gen/monsters/session/v1/session_pb";

/** How long a call may take, in milliseconds: the edge has no more patience either. */
const DEADLINE = 15_000;

/** A stream lasts for as long as it says something. */
export const NO_DEADLINE: CallOptions = { timeoutMs: 0 };

export const transport = createGrpcWebTransport({ baseUrl: location.origin, defaultTimeoutMs: DEADLINE });

export const sessions = createClient(SessionService, transport);

/**
 * Calls about a session, with a token or as a spectator. An edge chooses one of several servers by the session's name,
 * which is in an address that anybody may type: none of another form becomes a header.
 */
export function about(name: string, token: string | undefined): CallOptions {
  const headers = new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` });
  if (/^sessions\/[\w-]{1,64}$/.test(name)) headers.set("lair-session", name);
  return { headers };
}
