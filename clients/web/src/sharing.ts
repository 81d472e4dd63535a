/**
 * What the tabs of one browser have together: one stream for each table, in a shared worker. Where there are none, as on
 * some phones, a tab has its own: it is the one that is seen.
 */

import { GONE, read, type Wish, type Word } from "./exchange";
import { follow } from "./following";
import { mostStreams, Places } from "./places";
import { type Listener, Switchboard } from "./switchboard";

/** How often a tab says what it wants, in milliseconds. */
const EVERY = 5_000;

/** Tells of everything at a table until what it gives is called. */
export function listen(name: string, token: string | undefined, listener: Listener): () => void {
  let stop = () => {};
  const alone = () => {
    stop();
    stop = here().listen(name, token, listener);
  };
  if (typeof SharedWorker === "undefined") alone();
  else stop = together({ name, token, most: mostStreams() }, listener, alone);
  return () => stop();
}

/** Listens by the worker. Whoever is not answered goes on alone. */
function together(wish: Wish, listener: Listener, alone: () => void): () => void {
  const worker = new SharedWorker(new URL("./worker.ts", import.meta.url), { type: "module", name: "streams" });
  const { port } = worker;
  let silence = setTimeout(alone, GONE);
  worker.onerror = alone;
  port.onmessage = ({ data }: MessageEvent<Word>) => {
    clearTimeout(silence);
    silence = setTimeout(alone, GONE);
    if (data !== "alive") listener(read(data));
  };
  port.postMessage(wish);
  const again = setInterval(() => port.postMessage(wish), EVERY);
  const rest = () => port.postMessage("rest" satisfies Wish);
  addEventListener("pagehide", rest);
  return () => {
    removeEventListener("pagehide", rest);
    clearTimeout(silence);
    clearInterval(again);
    rest();
    port.close();
  };
}

let own: Switchboard | undefined;

function here(): Switchboard {
  const places = new Places(mostStreams());
  own ??= new Switchboard((name, token, signal) => follow(name, token, signal, places));
  return own;
}
