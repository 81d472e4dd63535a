/** The stream of chance, recomputed from docs/chance.md with the platform's own SHA-256: no rules, and nothing of Lair. */

export const MOST_SIDES = 256;
/** The versions of how seeds are derived, the newest last. A session says which one it has. */
export const VERSIONS = [1, 2];

/** A receipt: what was drawn. */
export interface Receipt {
  sides: number;
  results: readonly number[];
  shuffle: boolean;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** What is published before anything is drawn. */
export async function commitmentOf(serverSeed: Uint8Array): Promise<Bytes> {
  return sha256(serverSeed);
}

/** The seed of one revision of a session. From version 2 on each entropy has its length before it. */
export async function seedOf(
  serverSeed: Uint8Array,
  name: string,
  revision: number,
  entropies: readonly Uint8Array[],
  version: number,
): Promise<Bytes> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", joined(serverSeed), algorithm, false, ["sign"]);
  const parts = version === 1 ? entropies : entropies.flatMap((entropy) => [bigEndian(entropy.length), entropy]);
  const message = joined(new TextEncoder().encode(name), bigEndian(revision), await sha256(joined(...parts)));
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
}

/** The bytes of a seed, one after the other, without end. */
export class Stream {
  private block: Bytes = new Uint8Array();
  private blocks = 0;
  private at = 0;

  constructor(private readonly seed: Uint8Array) {}

  /** The next result of a die, from 1. Every face is equally likely. Throws RangeError without 1 to 256 sides. */
  async die(sides: number): Promise<number> {
    if (!Number.isInteger(sides) || sides < 1 || sides > MOST_SIDES)
      throw new RangeError(`a die has 1 to ${MOST_SIDES} sides, not ${sides}`);
    const limit = MOST_SIDES - (MOST_SIDES % sides);
    for (;;) {
      const byte = await this.next();
      if (byte < limit) return 1 + (byte % sides);
    }
  }

  /** What the stream gives where a receipt says what came out. Throws RangeError for absurd sides. */
  async redraw(receipt: Receipt): Promise<number[]> {
    const results: number[] = [];
    if (receipt.shuffle) {
      for (let sides = receipt.sides; sides > 1; sides--) results.push(await this.die(sides));
    } else {
      for (const _ of receipt.results) results.push(await this.die(receipt.sides));
    }
    return results;
  }

  private async next(): Promise<number> {
    const byte = this.block[this.at++];
    if (byte !== undefined) return byte;
    this.block = await sha256(joined(this.seed, bigEndian(this.blocks++)));
    this.at = 0;
    return this.next();
  }
}

async function sha256(bytes: Uint8Array): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", joined(bytes)));
}

function joined(...parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A number as 8 bytes. */
function bigEndian(number: number): Bytes {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number));
  return bytes;
}
