/** How long there is left, by the server's clock. */

import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { ServerClock } from "@lair-games/client";
import { useEffect, useState } from "preact/hooks";

export function Countdown({ deadline, clock }: { deadline: Timestamp; clock: ServerClock }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 250);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil(clock.secondsUntil(deadline));
  const minutes = Math.floor(seconds / 60);
  return (
    <p role="timer">
      {minutes}:{String(seconds % 60).padStart(2, "0")} left
    </p>
  );
}
