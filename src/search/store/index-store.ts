import { strict as assert } from 'node:assert';
import { statSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { open, type Database, type RootDatabase } from 'lmdb';
import { reserveLock } from './index-files.ts';

/** Increment whenever the format or meaning of the file changes: nodes then rebuild it. */
export const INDEX_VERSION = 30;

/** Maximum file size. Only reserves address space, not memory. */
const MAP_BYTES = 2 ** 40;

type Table = Database<Buffer, string>;

/** Keys are byte strings, see keys.ts. */
const keyEncoder = {
  writeKey: (key: string, target: Buffer, start: number) => start + target.write(key, start, 'latin1'),
  readKey: (source: Buffer, start: number, end: number) => source.toString('latin1', start, end),
};

/** Key of the checksum, the only entry that it does not cover. */
const SUM = 'sum';
const SUM_LIMIT = 2 ** 48;
/** Lowest possible key of our encoder. */
const FIRST_KEY = '\0';

/**
 * The index as one LMDB file: memory-mapped, read without locks by any number of processes, changed in place by one.
 *
 *   lists    destination, term           → documents in rank order; and bitmaps for each hour, see open-bits.ts
 *   parts    destination, term, document → further parts of long lists
 *   cards    destination, document       → the card and other data of the place
 *   names    hash                        → places with a whole name; the table ids does the same for place ids
 *   world    serial in the world         → locations of this place and the following ones
 *   spelling trigram                     → words that contain it; and the words and their numbers
 *   hours    hash                        → compiled hours, which many places share
 *   areas    any name of an area         → keys under which places have it
 *   vocabulary hash of a phrase          → its meanings, see understand/lexicon/vocabulary.ts
 *   meta     name                        → properties of the index, and the checksum over all entries of all tables
 */
export class IndexStore {
  readonly file: string;
  readonly lists: Table;
  readonly parts: Table;
  readonly cards: Table;
  readonly names: Table;
  readonly ids: Table;
  readonly world: Table;
  readonly spelling: Table;
  readonly hours: Table;
  readonly areas: Table;
  readonly vocabulary: Table;
  readonly #meta: Table;
  readonly #tables: Table[] = [];
  readonly #readOnly: boolean;
  #changes: string | undefined;
  /** Checksum during a change; undefined outside of one. */
  #sum: number | undefined;
  readonly #root: RootDatabase<Buffer, string>;

  constructor(file: string, readOnly = false) {
    this.file = file;
    this.#readOnly = readOnly;
    if (!readOnly) reserveLock(file);
    // The types only know encodings by name; ours is an encoder.
    const options = {
      path: file,
      noSubdir: true,
      readOnly,
      noSync: true,
      overlappingSync: false,
      mapSize: MAP_BYTES,
      maxDbs: 12,
      noMemInit: true,
      cache: false,
    } as const;
    this.#root = open<Buffer, string>(options);
    this.lists = this.#table('lists');
    this.parts = this.#table('parts');
    this.cards = this.#table('cards');
    this.names = this.#table('names');
    this.ids = this.#table('ids');
    this.world = this.#table('world');
    this.spelling = this.#table('spelling');
    this.hours = this.#table('hours');
    this.areas = this.#table('areas');
    this.vocabulary = this.#table('vocabulary');
    this.#meta = this.#table('meta');
  }

  /** Opens a table whose writes update the checksum. Reads are LMDB's own. */
  #table(name: string): Table {
    const table = this.#root.openDB<Buffer, string>({ name, encoding: 'binary', keyEncoder } as never);
    const number = this.#tables.push(table);
    if (this.#readOnly) return table;
    const put = table.putSync.bind(table);
    const remove = table.removeSync.bind(table);
    const subtractOld = (key: string) => {
      const old = table.getBinaryFast(key);
      if (old !== undefined) this.#add(SUM_LIMIT - sumOf(number, key, old));
    };
    table.putSync = (key: string, value: Buffer, options?: number | { append?: boolean }) => {
      if (name !== 'meta' || key !== SUM) {
        // Appended keys are new.
        if (typeof options !== 'object' || options.append !== true) subtractOld(key);
        this.#add(sumOf(number, key, value));
      }
      put(key, value, options as never);
    };
    table.removeSync = (key: string) => {
      subtractOld(key);
      return remove(key);
    };
    return table;
  }

  #add(sum: number): void {
    assert(this.#sum !== undefined, 'The index was written outside a transaction.');
    this.#sum = (this.#sum + sum) % SUM_LIMIT;
  }

  meta(name: string): string | undefined {
    const value = this.#meta.getBinaryFast(name);
    return value === undefined ? undefined : text(value);
  }

  setMeta(name: string, value: string): void {
    this.#meta.putSync(name, Buffer.from(value));
  }

  *metas(prefix: string): Generator<[name: string, value: string]> {
    for (const { key, value } of this.#meta.getRange({ start: prefix, end: `${prefix}\xff` }))
      yield [key, text(value)];
  }

  /**
   * Commits all writes of `work` atomically. They survive a killed process; after a power failure the file is checked,
   * see index-files.ts.
   */
  change(work: () => void): void {
    this.#changes = undefined;
    try {
      this.#root.transactionSync(() => {
        const before = this.#sumInFile ?? 0;
        this.#sum = before;
        work();
        const after = this.#sum;
        if (after !== before) this.setMeta(SUM, String(after));
      });
    } finally {
      this.#changes = undefined;
      this.#sum = undefined;
    }
  }

  get #sumInFile(): number | undefined {
    const stored = this.meta(SUM);
    return stored === undefined ? undefined : Number(stored);
  }

  /** Number of changes. The writer caches it; other processes read it from the file. */
  get changes(): string {
    if (this.#readOnly) return this.meta('changes') ?? '';
    return (this.#changes ??= this.meta('changes') ?? '');
  }

  /** Reads all entries and verifies the checksum. Slow. */
  isWhole(): boolean {
    let sum = 0;
    for (const [at, table] of this.#tables.entries()) {
      const { entryCount } = table.getStats() as { entryCount: number };
      let entries = 0;
      for (const key of table.getKeys({ start: FIRST_KEY })) {
        const value = table.getBinaryFast(key);
        // In a damaged file, links between pages may be cyclic, and the loop would never end.
        if (value === undefined || ++entries > entryCount) return false;
        if (table !== this.#meta || key !== SUM) sum = (sum + sumOf(at + 1, key, value)) % SUM_LIMIT;
      }
      if (entries !== entryCount) return false;
    }
    return sum === this.#sumInFile;
  }

  size(): { places: number; fileBytes: number; cardBytes: number } {
    const { entryCount } = this.cards.getStats() as { entryCount: number };
    const cardBytes = Number(this.meta('card bytes') ?? 0);
    return { places: entryCount, fileBytes: statSync(this.file).size, cardBytes };
  }

  /** Writes the state of this moment to another file, which no later change reaches. */
  copyTo(file: string): Promise<void> {
    return this.#root.backup(file, true);
  }

  async close(): Promise<void> {
    await this.#root.close();
  }
}

/** LMDB returns a view of a larger buffer, so the value must be cut to its length. */
function sumOf(table: number, key: string, value: Buffer): number {
  return crc32(value.subarray(0, value.length), crc32(key, table));
}

function text(bytes: Buffer): string {
  return bytes.toString('utf8', 0, bytes.length);
}
