/** The server that this page came from. */

import { type CallOptions, createClient } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { SessionService } from "./gen/monsters/session/v1/session_pb";

export const transport = createGrpcWebTransport({ baseUrl: location.origin });

export const sessions = createClient(SessionService, transport);

/** Calls with a token, or as a spectator. */
export function as(token: string | undefined): CallOptions {
  return token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
}
