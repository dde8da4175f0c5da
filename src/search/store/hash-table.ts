import { bytesOf } from './keys.ts';

/** Location of a place in the index. */
export interface Spot {
  destination: number;
  /** Document in its destination. */
  doc: number;
  /** Serial among all places. */
  world: number;
}

interface Table {
  getBinary(key: string): Buffer | undefined;
  getBinaryFast(key: string): Buffer | undefined;
  putSync(key: string, value: Buffer, options?: never): unknown;
  removeSync(key: string): unknown;
}

// Six bytes for the hash, three for the destination, five for the document, four for the serial in the world.
const ENTRY_BYTES = 18;
const HASH_BITS = 48;
const BUCKET_ENTRIES = 64;

/** Returns the number of hash bits that select the bucket, so that each bucket holds a few dozen entries. */
function bucketBits(entries: number): number {
  return Math.max(4, Math.ceil(Math.log2(Math.max(1, entries) / BUCKET_ENTRIES)));
}

/** Maps hashes to places. Entries share buckets, because a key per entry would double the size. */
export class HashTable {
  readonly #table: Table;
  readonly #bits: number;

  constructor(table: Table, bits: number) {
    this.#table = table;
    this.#bits = bits;
  }

  /** Returns the places of a hash, by destination and rank. */
  find(hash: number): Spot[] {
    const bucket = this.#table.getBinaryFast(this.#key(hash));
    if (bucket === undefined) return [];
    const spots: Spot[] = [];
    for (
      let at = firstOf(bucket, hash);
      at < bucket.length && bucket.readUIntBE(at, 6) === hash;
      at += ENTRY_BYTES
    )
      spots.push(readSpot(bucket, at + 6));
    return spots;
  }

  change(hash: number, spot: Spot, on: boolean): void {
    const key = this.#key(hash);
    const bucket = this.#table.getBinary(key) ?? Buffer.alloc(0);
    const entry = Buffer.allocUnsafe(ENTRY_BYTES);
    writeEntry(entry, 0, hash, spot);
    let at = firstOf(bucket, hash);
    while (at < bucket.length && bucket.compare(entry, 0, ENTRY_BYTES, at, at + ENTRY_BYTES) < 0)
      at += ENTRY_BYTES;
    const exists = at < bucket.length && bucket.compare(entry, 0, ENTRY_BYTES, at, at + ENTRY_BYTES) === 0;
    if (exists === on) return;
    const rest = bucket.subarray(exists ? at + ENTRY_BYTES : at);
    const changed = Buffer.concat([bucket.subarray(0, at), ...(on ? [entry] : []), rest]);
    if (changed.length > 0) this.#table.putSync(key, changed);
    else this.#table.removeSync(key);
  }

  #key(hash: number): string {
    return bytesOf(Math.floor(hash / 2 ** (HASH_BITS - this.#bits)), 4);
  }
}

function firstOf(bucket: Buffer, hash: number): number {
  let [low, high] = [0, bucket.length / ENTRY_BYTES];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bucket.readUIntBE(middle * ENTRY_BYTES, 6) < hash) low = middle + 1;
    else high = middle;
  }
  return low * ENTRY_BYTES;
}

export const SPOT_BYTES = 12;

export function readSpot(bytes: Buffer, at: number): Spot {
  return {
    destination: bytes.readUIntBE(at, 3),
    doc: bytes.readUIntBE(at + 3, 5),
    world: bytes.readUInt32BE(at + 8),
  };
}

export function writeSpot(bytes: Buffer, at: number, { destination, doc, world }: Spot): void {
  bytes.writeUIntBE(destination, at, 3);
  bytes.writeUIntBE(doc, at + 3, 5);
  bytes.writeUInt32BE(world, at + 8);
}

function writeEntry(bytes: Buffer, at: number, hash: number, spot: Spot): void {
  bytes.writeUIntBE(hash, at, 6);
  writeSpot(bytes, at + 6, spot);
}

/** Collects the entries of a table that is being built, by destination and rank. */
export class HashEntries {
  #hashes = new Float64Array(1 << 12);
  #entries = Buffer.alloc(ENTRY_BYTES << 12);
  #count = 0;

  add(hash: number, spot: Spot): void {
    if (this.#count === this.#hashes.length) {
      const hashes = new Float64Array(this.#count * 2);
      hashes.set(this.#hashes);
      this.#hashes = hashes;
      this.#entries = Buffer.concat([this.#entries], this.#entries.length * 2);
    }
    this.#hashes[this.#count] = hash;
    writeEntry(this.#entries, this.#count++ * ENTRY_BYTES, hash, spot);
  }

  /** Writes the table and returns the number of bits, see bucketBits. */
  write(table: Table): number {
    const bits = bucketBits(this.#count);
    const hashes = this.#hashes;
    const bucketOf = (i: number) => Math.floor((hashes[i] ?? 0) / 2 ** (HASH_BITS - bits));
    const ends = new Uint32Array(2 ** bits + 1);
    for (let i = 0; i < this.#count; i++) ends[bucketOf(i) + 1] = (ends[bucketOf(i) + 1] ?? 0) + 1;
    for (let b = 1; b < ends.length; b++) ends[b] = (ends[b] ?? 0) + (ends[b - 1] ?? 0);
    const order = new Uint32Array(this.#count);
    for (let i = 0; i < this.#count; i++) {
      const bucket = bucketOf(i);
      order[ends[bucket] ?? 0] = i;
      ends[bucket] = (ends[bucket] ?? 0) + 1;
    }
    for (let b = 0, from = 0; b < 2 ** bits; b++) {
      const to = ends[b] ?? 0;
      if (to === from) continue;
      // Entries with the same hash keep their order.
      const own = order.subarray(from, to).sort((x, y) => (hashes[x] ?? 0) - (hashes[y] ?? 0) || x - y);
      const bucket = Buffer.allocUnsafe(own.length * ENTRY_BYTES);
      for (const [at, i] of own.entries())
        this.#entries.copy(bucket, at * ENTRY_BYTES, i * ENTRY_BYTES, (i + 1) * ENTRY_BYTES);
      table.putSync(bytesOf(b, 4), bucket, { append: true } as never);
      from = to;
    }
    return bits;
  }
}
