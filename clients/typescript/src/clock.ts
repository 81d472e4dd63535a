/** The server's clock, as well as it can be known from here. */

import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";

/** It hears every time that the server tells. */
export class ServerClock {
  private ahead = Number.NEGATIVE_INFINITY;

  constructor(private readonly now: () => number = Date.now) {}

  /** Hears a time that the server told. It was on its way for a while, so the one that is furthest ahead is best. */
  hear(time: Timestamp | undefined): void {
    if (time) this.ahead = Math.max(this.ahead, timestampMs(time) - this.now());
  }

  /** The seconds until a deadline, never below 0. Without any time of the server's, its clock is taken for ours. */
  secondsUntil(deadline: Timestamp): number {
    const ahead = Number.isFinite(this.ahead) ? this.ahead : 0;
    return Math.max(0, (timestampMs(deadline) - this.now() - ahead) / 1000);
  }
}
