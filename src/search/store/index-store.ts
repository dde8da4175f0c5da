import { strict as assert } from 'node:assert';
import { statSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { open, type Database, type RootDatabase } from 'lmdb';
import { reserveLock } from './index-files.ts';

/** Bumped whenever the shape or the meaning of the file changes: a node then builds a new one. */
export const INDEX_VERSION = 18;

/** How much a file may grow to. Only addresses are set aside for it, no memory. */
const MAP_BYTES = 2 ** 40;

type Table = Database<Buffer, string>;

/** Keys are texts of bytes, see keys.ts. */
const keyEncoder = {
  writeKey: (key: string, target: Buffer, start: number) => start + target.write(key, start, 'latin1'),
  readKey: (source: Buffer, start: number, end: number) => source.toString('latin1', start, end),
};

/** The one entry that is not part of the sum: the sum. */
const SUM = 'sum';
const SUM_LIMIT = 2 ** 48;
/** Where no key comes before. Our encoder knows no others. */
const FIRST_KEY = '\0';

/**
 * The index as one LMDB file: mapped into memory, read without locks by any number of processes, changed in place by one.
 *
 *   lists    destination, term           → documents in rank order; and bits for each hour, see open-bits.ts
 *   parts    destination, term, document → what of a list does not fit into it
 *   cards    destination, document       → the card and what else is known of the place
 *   names    hash                        → the places that have a whole name; ids the same with the ids of places
 *   world    serial in the world         → which places have it and the next ones
 *   spelling three letters               → words that have them; and those words and their numbers
 *   hours    hash                        → compiled hours, which many places share
 *   areas    any name of an area         → the names under which places have it
 *   vocabulary hash of a phrase          → what it means, see understand/vocabulary.ts
 *   meta     name                        → what is known of the whole, and the sum over all entries of all tables
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
  /** Undefined unless something is being changed. */
  #sum: number | undefined;
  readonly #root: RootDatabase<Buffer, string>;

  constructor(file: string, readOnly = false) {
    this.file = file;
    this.#readOnly = readOnly;
    if (!readOnly) reserveLock(file);
    // The types know of encodings by name only; ours is an encoder.
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

  /** A table whose writes are added to the sum. Reads are those of LMDB itself. */
  #table(name: string): Table {
    const table = this.#root.openDB<Buffer, string>({ name, encoding: 'binary', keyEncoder } as never);
    const number = this.#tables.push(table);
    if (this.#readOnly) return table;
    const put = table.putSync.bind(table);
    const remove = table.removeSync.bind(table);
    const forgetOld = (key: string) => {
      const old = table.getBinaryFast(key);
      if (old !== undefined) this.#add(SUM_LIMIT - sumOf(number, key, old));
    };
    table.putSync = (key: string, value: Buffer, options?: number | { append?: boolean }) => {
      if (name !== 'meta' || key !== SUM) {
        // What is appended was not there before.
        if (typeof options !== 'object' || options.append !== true) forgetOld(key);
        this.#add(sumOf(number, key, value));
      }
      put(key, value, options as never);
    };
    table.removeSync = (key: string) => {
      forgetOld(key);
      return remove(key);
    };
    return table;
  }

  #add(sum: number): void {
    assert(this.#sum !== undefined, 'The index is written to outside of a change.');
    this.#sum = (this.#sum + sum) % SUM_LIMIT;
  }

  meta(name: string): string | undefined {
    const found = this.#meta.getBinaryFast(name);
    return found === undefined ? undefined : text(found);
  }

  setMeta(name: string, value: string): void {
    this.#meta.putSync(name, Buffer.from(value));
  }

  *metas(prefix: string): Generator<[name: string, value: string]> {
    for (const { key, value } of this.#meta.getRange({ start: prefix, end: `${prefix}\xff` }))
      yield [key, text(value)];
  }

  /**
   * Everything that is written inside becomes visible at once. A process that is killed loses none of it; after a machine
   * that lost its power the file is read through, see index-files.ts.
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
    const found = this.meta(SUM);
    return found === undefined ? undefined : Number(found);
  }

  /** How often it was changed. Who writes it need not look, others see in the file what the writer did. */
  get changes(): string {
    if (this.#readOnly) return this.meta('changes') ?? '';
    return (this.#changes ??= this.meta('changes') ?? '');
  }

  /** Reads everything by its key and tells whether it is what was written. It takes long. */
  isWhole(): boolean {
    let sum = 0;
    for (const [at, table] of this.#tables.entries()) {
      const { entryCount } = table.getStats() as { entryCount: number };
      let entries = 0;
      for (const key of table.getKeys({ start: FIRST_KEY })) {
        const value = table.getBinaryFast(key);
        // Pages that lead back to themselves would never end.
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

  async close(): Promise<void> {
    await this.#root.close();
  }
}

/** The bytes of a read are the beginning of a longer buffer, whatever their length says. */
function sumOf(table: number, key: string, value: Buffer): number {
  return crc32(value.subarray(0, value.length), crc32(key, table));
}

function text(bytes: Buffer): string {
  return bytes.toString('utf8', 0, bytes.length);
}
