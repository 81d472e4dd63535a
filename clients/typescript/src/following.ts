/** A session followed for as long as it lasts, over broken connections: every revision once and in order. */

import { about, NO_DEADLINE, type Sessions } from "./calls.js";
import { errorOf } from "./errors.js";
import type { Heartbeat, Session, Snapshot, Update } from "./gen/monsters/session/v1/session_pb.js";
import { ClosingReason, State } from "./gen/monsters/session/v1/session_pb.js";
import { pause, waitBefore } from "./patience.js";
import type { Places } from "./places.js";

/** What is heard of a session: what the server says, that the connection is lost, and that nothing comes any more. */
export type Heard =
  | { case: "session"; value: Session }
  | { case: "snapshot"; value: Snapshot }
  | { case: "update"; value: Update }
  | { case: "heartbeat"; value: Heartbeat }
  | { case: "lost" }
  | { case: "ended" };

const FROM_THE_START = -1n;
/** The server promises a message every 15 seconds. */
const LONGEST_SILENCE = 30_000;

/**
 * Everything that happens: the public facts and a snapshot, and all that follows. Whoever has a seat hears of the rematch,
 * too, after the end. Where there are more tables than places, it goes on by turns. Throws LairError when there is
 * nothing to come back to.
 */
export async function* follow(
  sessions: Sessions,
  name: string,
  token: string | undefined,
  signal: AbortSignal,
  places: Places,
): AsyncGenerator<Heard> {
  const awaitRematch = token !== undefined;
  let after: bigint | undefined;
  for (let attempt = 0; !signal.aborted; attempt++) {
    const place = await places.take(signal).catch(() => undefined);
    if (!place) return;
    const silence = new Silence();
    try {
      const request = { name, awaitRematch, ...(after === undefined ? {} : { afterRevision: after }) };
      const options = {
        ...about(name, token),
        ...NO_DEADLINE,
        signal: AbortSignal.any([signal, silence.signal, place.wanted]),
      };
      for await (const { message } of sessions.watchSession(request, options)) {
        silence.broken();
        place.heard();
        attempt = 0;
        if (message.case === "closing") {
          // The status that follows is thrown, and says more.
          if (message.value.reason === ClosingReason.FAILED) continue;
          if (message.value.reason !== ClosingReason.SESSION_ENDED) break;
          yield { case: "ended" };
          return;
        }
        if (message.case === undefined) continue;
        if (message.case === "snapshot") {
          after = message.value.state === State.LOBBY ? FROM_THE_START : message.value.revision;
        }
        if (message.case === "update") {
          if (after !== undefined && message.value.revision <= after) continue;
          if (after !== undefined && message.value.revision > after + 1n) break;
          after = message.value.revision;
        }
        yield message;
      }
    } catch (error) {
      if (signal.aborted) return;
      const known = errorOf(error);
      if (!place.wanted.aborted && !known.facts.transient) throw known;
    } finally {
      silence.end();
      place.giveBack();
    }
    if (place.wanted.aborted) continue;
    yield { case: "lost" };
    await pause(waitBefore(attempt));
  }
}

/** Breaks off what says nothing for too long, and what nobody listens to any more. */
class Silence {
  private readonly controller = new AbortController();
  private timer = this.begin();

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  broken(): void {
    clearTimeout(this.timer);
    this.timer = this.begin();
  }

  end(): void {
    clearTimeout(this.timer);
    this.controller.abort();
  }

  private begin() {
    return setTimeout(() => this.controller.abort(), LONGEST_SILENCE);
  }
}
