/** The shared worker: it has the streams of all tabs of a browser. */

import { Lair, shareStreams } from "@lair-games/client";

shareStreams(new Lair({ baseUrl: location.origin }));
