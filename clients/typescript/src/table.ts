/** A table: it is followed, and moves are made at it. */

import { uuid } from "./bytes.js";
import { about, type Sessions } from "./calls.js";
import { ServerClock } from "./clock.js";
import type { LairError } from "./errors.js";
import { errorOf } from "./errors.js";
import type { LegalMove, SubmitMoveRequest, Update } from "./gen/monsters/session/v1/session_pb.js";
import { insist } from "./patience.js";
import type { Streams } from "./sharing.js";
import { EMPTY, isOver, type TableState, withHeard, withHistory } from "./state.js";
import type { Told } from "./switchboard.js";

/** So many that a slow connection has them in time. */
const PAGE = 200;

/** Whoever wants to know how a table stands. */
export interface TableListener {
  /** Called whenever something has happened. */
  changed(state: TableState): void;
  /** Called when nothing can be heard of the table any more, or when its history can't be had. */
  failed?(error: LairError): void;
  /** Called when the server has said all that there will be. */
  ended?(): void;
}

/** What of a table is followed. */
export interface Following {
  /** Ends it. */
  signal?: AbortSignal;
  /** Goes on after the end of the game, for whoever has a seat: `session.rematch` names the next game. */
  untilRematch?: boolean;
  /** Also what happened before. */
  history?: boolean;
}

/** What is sent with a move. */
export interface Submitting {
  /** The same id for the same move: whoever sends it again after a crash gives the one that was sent before. */
  requestId?: string;
  /** Of the snapshot or update that was decided upon: the server refuses the move as stale when it has gone on. */
  etag?: string;
}

/** A session as one reader sees it: somebody with a seat's token, or a spectator. All methods throw LairError. */
export class Table {
  /** How long there is left, by the server's clock. */
  readonly clock = new ServerClock();
  private latest = EMPTY;
  private acknowledged = -1n;

  constructor(
    private readonly sessions: Sessions,
    private readonly streams: Streams,
    /** sessions/{id}. */
    readonly name: string,
    readonly token: string | undefined,
  ) {}

  /** How it stands, as far as it was heard. */
  get state(): TableState {
    return this.latest;
  }

  /** Whether what this reader's last move led to was heard. Until then, the moves in the state are those before it. */
  get current(): boolean {
    return this.latest.revision >= this.acknowledged;
  }

  /** Tells how it stands, again and again over broken connections, until what it gives is called. */
  listen(listener: TableListener, { history = false }: Pick<Following, "history"> = {}): () => void {
    let listening = true;
    const change = (state: TableState) => {
      this.latest = state;
      if (listening) listener.changed(state);
    };
    const fail = (error: unknown) => {
      if (listening) listener.failed?.(errorOf(error));
    };
    const hear = (told: Told) => {
      if (told.case === "failed") return fail(told.error);
      this.hearTime(told);
      change(withHeard(this.latest, told));
      if (told.case === "ended" && listening) listener.ended?.();
      if (told.case === "snapshot" && history)
        this.readHistory((updates) => change(withHistory(this.latest, updates))).catch(fail);
    };
    const stop = this.streams.listen(this.name, this.token, hear);
    return () => {
      listening = false;
      stop();
    };
  }

  /**
   * How it stands, whenever something has happened, until the game is over. Whoever is slow gets the newest; whoever has
   * made a move gets what it led to next.
   */
  async *follow({ signal, untilRematch = false, history = false }: Following = {}): AsyncGenerator<TableState> {
    let [changed, ended] = [false, false];
    let error: LairError | undefined;
    let wake = () => {};
    const noting = (note: () => void) => () => {
      note();
      wake();
    };
    const listener = {
      changed: noting(() => (changed = true)),
      ended: noting(() => (ended = true)),
      failed: (failure: LairError) => noting(() => (error = failure))(),
    };
    const stop = this.listen(listener, { history });
    const abort = () => wake();
    signal?.addEventListener("abort", abort);
    try {
      while (!signal?.aborted) {
        if (changed && this.latest.seen && this.current) {
          changed = false;
          const now = this.latest;
          yield now;
          if (isOver(now) && !untilRematch) return;
        } else if (error) throw error;
        else if (ended) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } finally {
      signal?.removeEventListener("abort", abort);
      stop();
    }
  }

  /**
   * Makes a move: one of the legal ones as it came, or a text such as "harvest". It is sent until somebody answers, and
   * happens once. Gives what it led to.
   */
  async submit(move: LegalMove | string, { requestId = uuid(), etag = "" }: Submitting = {}): Promise<Update> {
    const request = { name: this.name, action: actionOf(move), requestId, etag };
    const { update } = await insist(() => this.sessions.submitMove(request, this.about));
    if (!update) throw new Error("the server tells of no update");
    this.acknowledged = update.revision;
    return update;
  }

  /** Gives the seat up: before the start it is free again, and afterwards a stand-in plays it to the end. */
  async leave({ requestId = uuid() }: Pick<Submitting, "requestId"> = {}): Promise<void> {
    await insist(() => this.sessions.leaveSession({ name: this.name, requestId }, this.about));
  }

  /** Gives everything that has happened so far to a function, page by page. */
  private async readHistory(take: (updates: readonly Update[]) => void): Promise<void> {
    let pageToken = "";
    do {
      const request = { name: this.name, pageSize: PAGE, pageToken };
      const page = await insist(() => this.sessions.listEvents(request, this.about));
      take(page.updates);
      pageToken = page.nextPageToken;
    } while (pageToken);
  }

  private get about() {
    return about(this.name, this.token);
  }

  private hearTime(told: Told): void {
    if (told.case === "snapshot" || told.case === "heartbeat") this.clock.hear(told.value.serverTime);
    if (told.case === "update") this.clock.hear(told.value.commitTime);
  }
}

function actionOf(move: LegalMove | string): SubmitMoveRequest["action"] {
  if (typeof move === "string") return { case: "text", value: move };
  return move.move ? { case: "move", value: move.move } : { case: "text", value: move.text };
}
