/**
 * What the tabs of one browser have together: one stream for each table, in a shared worker. Where there is none, as in
 * Node, and in some browsers on phones, there is one stream for each table here.
 */

import type { Sessions } from "./calls.js";
import { GONE, type Port, read, type Wish, type Word } from "./exchange.js";
import { follow } from "./following.js";
import { mostStreams, Places } from "./places.js";
import { type Listener, Switchboard } from "./switchboard.js";

/** How often a tab says what it wants, in milliseconds. */
const EVERY = 5_000;

/** A shared worker that calls `shareStreams`: all tabs of a browser have the same one. */
export interface StreamWorker {
  port: Port;
  onerror: unknown;
}

/** What brings streams: to one client, or to all tabs of a browser. */
export class Streams {
  private readonly here: Switchboard;

  constructor(
    sessions: Sessions,
    private readonly worker: (() => StreamWorker) | undefined,
  ) {
    const places = new Places(mostStreams());
    this.here = new Switchboard((name, token, signal) => follow(sessions, name, token, signal, places));
  }

  /** Tells of everything at a table until what it gives is called. */
  listen(name: string, token: string | undefined, listener: Listener): () => void {
    let stop = () => {};
    const alone = () => {
      stop();
      stop = this.here.listen(name, token, listener);
    };
    if (!this.worker || !("SharedWorker" in globalThis)) alone();
    else stop = together(this.worker(), { name, token, most: mostStreams() }, listener, alone);
    return () => stop();
  }
}

/** Listens by the worker. Whoever is not answered goes on alone. */
function together(worker: StreamWorker, wish: Wish, listener: Listener, alone: () => void): () => void {
  const { port } = worker;
  let silence = setTimeout(alone, GONE);
  worker.onerror = alone;
  port.onmessage = ({ data }: { data: Word }) => {
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
