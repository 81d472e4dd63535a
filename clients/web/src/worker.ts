/** The shared worker: it has the streams of all tabs of a browser. */

import { GONE, type Wish, written } from "./exchange";
import { follow } from "./following";
import { mostStreams, Places } from "./places";
import { Switchboard } from "./switchboard";

const places = new Places(mostStreams());
const streams = new Switchboard((name, token, signal) => follow(name, token, signal, places));

addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port) serve(port);
});

/** One tab. It is gone when it says so, or nothing: browsers don't tell. */
function serve(port: MessagePort): void {
  let stop: (() => void) | undefined;
  let gone: ReturnType<typeof setTimeout> | undefined;
  const rest = () => {
    clearTimeout(gone);
    stop?.();
    stop = undefined;
  };
  port.onmessage = ({ data }: MessageEvent<Wish>) => {
    if (data === "rest") return rest();
    places.most = data.most;
    stop ??= streams.listen(data.name, data.token, (told) => port.postMessage(written(told)));
    clearTimeout(gone);
    gone = setTimeout(rest, GONE);
    port.postMessage("alive");
  };
}
