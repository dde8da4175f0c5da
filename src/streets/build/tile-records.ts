import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

const CHUNK_BYTES = 64 * 2 ** 20;
const CHUNK_BYTES_FIRST = 2 ** 20;
const READ_BYTES = 2 ** 18;
const HEAD_BYTES = 8;

/** Records of one tile, in the order in which they were added. */
interface TileRecordGroup {
  id: number;
  records: Buffer[];
}

interface Chunk {
  ids: number[];
  ends: number[];
  bytes: Buffer;
}

/** Sorts records by tile in bounded memory: full chunks are sorted and written to temporary files, which are merged. */
export class TileRecords {
  readonly #folder: string;
  #temporary: string | undefined;
  readonly #runs: FileHandle[] = [];
  #chunk: Chunk = { ids: [], ends: [], bytes: Buffer.allocUnsafe(CHUNK_BYTES_FIRST) };
  #filled = 0;
  #count = 0;
  readonly #chunkBytes: number;

  constructor(folder: string, chunkBytes = CHUNK_BYTES) {
    this.#folder = folder;
    this.#chunkBytes = chunkBytes;
  }

  get count(): number {
    return this.#count;
  }

  /** True when the chunk should be written to its file before the next record is added. */
  get isFull(): boolean {
    return this.#filled >= this.#chunkBytes;
  }

  add(id: number, record: Uint8Array): void {
    const end = this.#filled + record.length;
    if (end > this.#chunk.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(end, this.#chunk.bytes.length * 2));
      this.#chunk.bytes.copy(larger, 0, 0, this.#filled);
      this.#chunk.bytes = larger;
    }
    this.#chunk.bytes.set(record, this.#filled);
    this.#filled = end;
    this.#chunk.ids.push(id);
    this.#chunk.ends.push(end);
    this.#count++;
  }

  async spill(): Promise<void> {
    this.#temporary ??= await mkdtemp(join(this.#folder, '.build-'));
    const handle = await open(join(this.#temporary, String(this.#runs.length)), 'w+');
    this.#runs.push(handle);
    let waiting: Buffer[] = [];
    let bytes = 0;
    const write = async () => {
      await handle.write(Buffer.concat(waiting));
      waiting = [];
      bytes = 0;
    };
    for (const { id, record } of sortedRecords(this.#chunk)) {
      const head = Buffer.allocUnsafe(HEAD_BYTES);
      head.writeUInt32LE(id, 0);
      head.writeUInt32LE(record.length, 4);
      waiting.push(head, record);
      bytes += HEAD_BYTES + record.length;
      if (bytes > READ_BYTES) await write();
    }
    await write();
    this.#chunk = { ids: [], ends: [], bytes: this.#chunk.bytes };
    this.#filled = 0;
  }

  /** Yields the tiles in ascending order. */
  async *tiles(): AsyncGenerator<TileRecordGroup> {
    const sources: AsyncGenerator<{ id: number; record: Buffer }>[] = this.#runs.map(readRun);
    sources.push(asyncRecords(sortedRecords(this.#chunk)));
    const heads = await Promise.all(sources.map((source) => source.next()));
    for (;;) {
      let id = Infinity;
      for (const head of heads) if (head.done !== true && head.value.id < id) ({ id } = head.value);
      if (id === Infinity) return;
      const records: Buffer[] = [];
      for (const [at, source] of sources.entries())
        for (let head = heads[at]; head !== undefined && head.done !== true && head.value.id === id;) {
          records.push(head.value.record);
          head = heads[at] = await source.next();
        }
      yield { id, records };
    }
  }

  async close(): Promise<void> {
    for (const run of this.#runs) await run.close();
    if (this.#temporary !== undefined) await rm(this.#temporary, { recursive: true, force: true });
  }
}

function* sortedRecords({ ids, ends, bytes }: Chunk): Generator<{ id: number; record: Buffer }> {
  const order = Uint32Array.from(ids.keys()).sort((a, b) => (ids[a] ?? 0) - (ids[b] ?? 0) || a - b);
  for (const at of order) {
    const start = at === 0 ? 0 : (ends[at - 1] ?? 0);
    yield { id: ids[at] ?? 0, record: bytes.subarray(start, ends[at]) };
  }
}

// eslint-disable-next-line @typescript-eslint/require-await -- merged with files, which are read asynchronously
async function* asyncRecords(
  records: Generator<{ id: number; record: Buffer }>,
): AsyncGenerator<{ id: number; record: Buffer }> {
  yield* records;
}

async function* readRun(handle: FileHandle): AsyncGenerator<{ id: number; record: Buffer }> {
  let buffer = Buffer.alloc(0);
  let position = 0;
  for (;;) {
    const length = buffer.length < HEAD_BYTES ? Infinity : HEAD_BYTES + buffer.readUInt32LE(4);
    if (buffer.length >= length) {
      yield { id: buffer.readUInt32LE(0), record: buffer.subarray(HEAD_BYTES, length) };
      buffer = buffer.subarray(length);
      continue;
    }
    const more = Buffer.allocUnsafe(Math.max(READ_BYTES, length === Infinity ? 0 : length - buffer.length));
    const { bytesRead } = await handle.read(more, 0, more.length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    buffer = Buffer.concat([buffer, more.subarray(0, bytesRead)]);
  }
}
