/** One stream for all who look at the same table with the same eyes: whoever comes later is told how things stand. */

import { create } from "@bufbuild/protobuf";
import { errorOf, type LairError } from "./errors.js";
import type { Heard } from "./following.js";
import {
  type Session,
  type Snapshot,
  SnapshotSchema,
  State,
  type Update,
} from "./gen/monsters/session/v1/session_pb.js";

/** What a listener is told. Nothing comes after a failure. */
export type Told = Heard | { case: "failed"; error: LairError };
export type Listener = (told: Told) => void;
type Follow = (name: string, token: string | undefined, signal: AbortSignal) => AsyncGenerator<Heard>;

/** How long a stream goes on that nobody listens to, in milliseconds: whoever looks away comes back, or moves on. */
const LINGER = 3_000;

/** The streams of one tab, or of all tabs. */
export class Switchboard {
  private readonly lines = new Map<string, Line>();

  constructor(
    private readonly follow: Follow,
    private readonly linger = LINGER,
  ) {}

  /** Tells of everything until what it gives is called. Nobody hears what comes by somebody else's token. */
  listen(name: string, token: string | undefined, listener: Listener): () => void {
    const key = JSON.stringify([name, token]);
    let line = this.lines.get(key);
    if (!line) {
      line = new Line(() => this.lines.delete(key), this.linger);
      this.lines.set(key, line);
      void line.run((signal) => this.follow(name, token, signal));
    }
    return line.add(listener);
  }
}

/** One stream, and who listens to it. */
class Line {
  private readonly listeners = new Set<Listener>();
  private readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private session: Session | undefined;
  private snapshot: Snapshot | undefined;
  private lost = false;

  constructor(
    private readonly leave: () => void,
    private readonly linger: number,
  ) {}

  add(listener: Listener): () => void {
    clearTimeout(this.timer);
    this.listeners.add(listener);
    if (this.session) listener({ case: "session", value: this.session });
    if (this.snapshot) listener({ case: "snapshot", value: this.snapshot });
    if (this.lost) listener({ case: "lost" });
    return () => {
      if (this.listeners.delete(listener) && !this.listeners.size)
        this.timer = setTimeout(() => this.hangUp(), this.linger);
    };
  }

  async run(follow: (signal: AbortSignal) => AsyncGenerator<Heard>): Promise<void> {
    try {
      for await (const heard of follow(this.controller.signal)) {
        if (heard.case === "ended") this.leave();
        this.keep(heard);
        this.tell(heard);
      }
    } catch (error) {
      this.leave();
      this.tell({ case: "failed", error: errorOf(error) });
    }
  }

  private hangUp(): void {
    this.leave();
    this.controller.abort();
  }

  private tell(told: Told): void {
    for (const listener of this.listeners) listener(told);
  }

  private keep(heard: Heard): void {
    this.lost = heard.case === "lost";
    if (heard.case === "session") this.session = heard.value;
    if (heard.case === "snapshot") this.snapshot = heard.value;
    if (heard.case === "update") this.snapshot = after(this.snapshot, heard.value);
  }
}

/** How things stand after an update. */
function after(before: Snapshot | undefined, update: Update): Snapshot {
  const { revision, etag, view, moves, standing, deadline, commitTime } = update;
  const state = standing?.outcome ? State.OVER : State.PLAYING;
  const { seat } = before ?? {};
  const now = { state, revision, etag, moves, ...given({ seat, view, standing, deadline, serverTime: commitTime }) };
  return create(SnapshotSchema, now);
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without what is not there. */
function given<T extends object>(values: T): Given<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;
}
