/**
 * The streams that one browser may have open at once. HTTP/1.1 has six connections to a server, whatever the tabs: four
 * may be streams, so that pages and calls get through. Whoever comes when all are taken gets one by turns.
 */

const MOST_OVER_HTTP_1 = 4;
const MOST_OVER_HTTP_2 = 50;
/** How long a stream that has said something is left alone, in milliseconds, while others wait. */
const TURN = 2_000;

/** How many streams there may be over the protocol by which this page has come. Outside of browsers nothing bounds them. */
export function mostStreams(): number {
  if (typeof location === "undefined") return Number.POSITIVE_INFINITY;
  const [page] = performance.getEntriesByType("navigation");
  const { nextHopProtocol } = (page ?? {}) as Partial<PerformanceNavigationTiming>;
  return nextHopProtocol === "h2" || nextHopProtocol === "h3" ? MOST_OVER_HTTP_2 : MOST_OVER_HTTP_1;
}

/** A place that was taken, to be given back. */
export class Place {
  private readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private turnIsOver = false;

  constructor(
    private readonly places: Places,
    private readonly turn: number,
  ) {}

  /** Aborted when somebody else is to have it. */
  get wanted(): AbortSignal {
    return this.controller.signal;
  }

  /** The stream has said something: from now on its turn has an end. */
  heard(): void {
    this.timer ??= setTimeout(() => {
      this.turnIsOver = true;
      this.places.arrange();
    }, this.turn);
  }

  giveBack(): void {
    clearTimeout(this.timer);
    this.places.free(this);
  }

  /** Asks for it, if its turn is over. */
  ask(): boolean {
    if (this.turnIsOver) this.controller.abort();
    return this.turnIsOver;
  }
}

/** All the places of a browser. */
export class Places {
  private readonly taken = new Set<Place>();
  private readonly waiting: (() => void)[] = [];

  constructor(
    public most: number,
    private readonly turn = TURN,
  ) {}

  /** Waits for a place. Rejects when the signal is aborted before there is one. */
  async take(signal: AbortSignal): Promise<Place> {
    signal.throwIfAborted();
    return this.taken.size < this.most && !this.waiting.length ? this.enter() : this.queue(signal);
  }

  free(place: Place): void {
    this.taken.delete(place);
    this.arrange();
  }

  /** Lets those in whom there is room for, and asks those who had their turn to make room for the others. */
  arrange(): void {
    while (this.waiting.length && this.taken.size < this.most) this.waiting.shift()?.();
    let needed = this.waiting.length;
    for (const place of this.taken) if (needed > 0 && place.ask()) needed--;
  }

  private enter(): Place {
    const place = new Place(this, this.turn);
    this.taken.add(place);
    return place;
  }

  private queue(signal: AbortSignal): Promise<Place> {
    return new Promise((resolve, reject) => {
      const next = () => {
        signal.removeEventListener("abort", leave);
        resolve(this.enter());
      };
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(next), 1);
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave);
      this.waiting.push(next);
      this.arrange();
    });
  }
}
