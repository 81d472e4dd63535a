/** The side of the shared worker: it has the streams of all tabs of a browser. */

import type { Sessions } from "./calls.js";
import { GONE, type Port, type Wish, written } from "./exchange.js";
import { follow } from "./following.js";
import { mostStreams, Places } from "./places.js";
import { Switchboard } from "./switchboard.js";

/** Lets all tabs of a browser have one stream for each table. It is called once, in a shared worker. */
export function shareStreams({ sessions }: { sessions: Sessions }): void {
  const places = new Places(mostStreams());
  const streams = new Switchboard((name, token, signal) => follow(sessions, name, token, signal, places));
  addEventListener("connect", (event) => {
    const [port] = (event as MessageEvent).ports;
    if (port) serve(port, streams, places);
  });
}

/** One tab. It is gone when it says so, or nothing: browsers don't tell. */
function serve(port: Port, streams: Switchboard, places: Places): void {
  let stop: (() => void) | undefined;
  let gone: ReturnType<typeof setTimeout> | undefined;
  const rest = () => {
    clearTimeout(gone);
    stop?.();
    stop = undefined;
  };
  port.onmessage = ({ data }: { data: Wish }) => {
    if (data === "rest") return rest();
    places.most = data.most;
    stop ??= streams.listen(data.name, data.token, (told) => port.postMessage(written(told)));
    clearTimeout(gone);
    gone = setTimeout(rest, GONE);
    port.postMessage("alive");
  };
}
