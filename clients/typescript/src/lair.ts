/** A Lair server: its games, its sessions, and the seats at them. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import { createClient, type Transport } from "@connectrpc/connect";
import { random, uuid } from "./bytes.js";
import { about, type Sessions, transportTo } from "./calls.js";
import {
  type CreateRematchResponse,
  type CreateSessionRequestSchema,
  type CreateSessionResponse,
  type Game,
  type ListSessionsRequestSchema,
  type ListSessionsResponse,
  type RevealSessionResponse,
  SessionService,
} from "./gen/monsters/session/v1/session_pb.js";
import { ENTROPY_BYTES, type Host, type Invitation, keyOf, type Opened, type SeatKey } from "./keys.js";
import { insist } from "./patience.js";
import { Rules } from "./rules.js";
import { Streams, type StreamWorker } from "./sharing.js";
import { Table } from "./table.js";
import { NOTHING_CHECKED, type Noted, type Verdict, verify } from "./verifying.js";

/** So many that a slow connection has them in time. */
const PAGE = 200;

/** Where a server is. */
export type Place = { baseUrl: string } | { transport: Transport };

/** How a server is reached, and by what. */
export type LairOptions = Place & {
  /** Makes the shared worker that brings the streams of all tabs: there `shareStreams` was called. */
  worker?: () => StreamWorker;
};

/** How a game is checked. */
export interface Verifying {
  /** What was noted before the game: the key to a seat of it has that. */
  noted?: Noted | undefined;
  /** Called after each revision with what was found so far. */
  told?: (verdict: Verdict) => void;
}

/** A client of one server. Calls are sent until somebody answers. All methods throw LairError. */
export class Lair {
  /** Every call there is, as it was generated. What it throws is Connect's ConnectError. */
  readonly sessions: Sessions;
  /** The rules of the games, without any session. */
  readonly rules: Rules;
  private readonly streams: Streams;

  constructor(options: LairOptions) {
    const transport = "transport" in options ? options.transport : transportTo(options.baseUrl);
    this.sessions = createClient(SessionService, transport);
    this.rules = new Rules(transport);
    this.streams = new Streams(this.sessions, options.worker);
  }

  /** What can be played. */
  async games(): Promise<readonly Game[]> {
    return (await insist(() => this.sessions.listGames({}))).games;
  }

  /** The listed sessions that wait for players, page by page. */
  async lobbies(request: MessageInitShape<typeof ListSessionsRequestSchema> = {}): Promise<ListSessionsResponse> {
    return insist(() => this.sessions.listSessions(request));
  }

  /** Opens a session, at which nobody sits yet but bots. */
  async open(request: MessageInitShape<typeof CreateSessionRequestSchema>): Promise<Opened> {
    const whole = { requestId: uuid(), ...request };
    return openedBy(await insist(() => this.sessions.createSession(whole)));
  }

  /** Takes the first free seat. The host gives what it has, so that the key has it, too. */
  async join(invitation: Invitation, displayName: string, host: Host = {}): Promise<SeatKey> {
    const entropy = random(ENTROPY_BYTES);
    const request = { ...invitation, displayName, entropy, requestId: uuid() };
    const seated = await insist(() => this.sessions.joinSession(request));
    return keyOf(seated, entropy, { ...invitation, ...host });
  }

  /** Opens the rematch of a game that has ended, or gives the one that was opened: there is one. The host alone can. */
  async openRematch({ name, hostToken }: { name: string } & Host): Promise<Opened> {
    return openedBy(await insist(() => this.sessions.createRematch({ name }, about(name, hostToken))));
  }

  /** Takes the same seat in the rematch of a game that has ended. It has to be open. */
  async joinRematch({ name, token }: SeatKey, host: Host = {}): Promise<SeatKey> {
    const entropy = random(ENTROPY_BYTES);
    const request = { name, entropy, requestId: uuid() };
    return keyOf(await insist(() => this.sessions.joinRematch(request, about(name, token))), entropy, host);
  }

  /** A table by a key to a seat of it, or by its name alone for whoever looks on. */
  table({ name, token }: { name: string; token?: string | undefined }): Table {
    return new Table(this.sessions, this.streams, name, token);
  }

  /** Everything of a game that has ended: its seed, and each revision with the whole position. */
  async reveal(name: string): Promise<RevealSessionResponse> {
    const ask = (pageToken: string) =>
      insist(() => this.sessions.revealSession({ name, pageSize: PAGE, pageToken }, about(name, undefined)));
    const whole = await ask("");
    for (let pageToken = whole.nextPageToken; pageToken; ) {
      const page = await ask(pageToken);
      whole.steps.push(...page.steps);
      pageToken = page.nextPageToken;
    }
    return whole;
  }

  /**
   * Checks a game that has ended: the commitment, the seeds, dice and shuffles are computed here, and the rules play each
   * move again. Browsers compute SHA-256 only for pages from HTTPS or from this machine.
   */
  async verify(name: string, { noted, told }: Verifying = {}): Promise<Verdict> {
    const game = await this.reveal(name);
    const served = (await this.games()).find(({ token }) => token === game.session?.game)?.rulesVersions ?? [];
    let verdict = NOTHING_CHECKED;
    for await (verdict of verify(game, noted, this.rules, served)) told?.(verdict);
    return verdict;
  }
}

function openedBy({ session, joinCode, hostToken }: CreateSessionResponse | CreateRematchResponse): Opened {
  if (!session) throw new Error("the server tells of no session");
  return { session, joinCode, hostToken };
}
