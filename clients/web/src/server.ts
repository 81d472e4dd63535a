/** The server that this page came from. */

import { Lair } from "@lair-games/client";

/** All tabs of a browser have the streams of one shared worker. */
export const lair = new Lair({
  baseUrl: location.origin,
  worker: () => new SharedWorker(new URL("./worker.ts", import.meta.url), { type: "module", name: "streams" }),
});
