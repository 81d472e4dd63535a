/** How a server is called: by gRPC-Web, which an edge of Lair speaks and every browser and Node can. */

import type { CallOptions, Client, Transport } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import type { SessionService } from "./gen/monsters/session/v1/session_pb.js";

/** The session service, as it was generated. */
export type Sessions = Client<typeof SessionService>;

/** How long a call may take, in milliseconds: the edge has no more patience either. */
const DEADLINE = 15_000;

/** A stream lasts for as long as it says something. */
export const NO_DEADLINE: CallOptions = { timeoutMs: 0 };

/** What carries calls to an edge at an address such as http://localhost:8080. */
export function transportTo(baseUrl: string): Transport {
  return createGrpcWebTransport({ baseUrl, defaultTimeoutMs: DEADLINE });
}

/**
 * Options of calls about a session, with a token or as a spectator. An edge chooses one of several servers by the
 * session's name, which may be what anybody has typed: none of another form becomes a header.
 */
export function about(name: string, token: string | undefined): CallOptions {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  if (/^sessions\/[\w-]{1,64}$/.test(name)) headers["lair-session"] = name;
  return { headers };
}
