import { statSync } from 'node:fs';
import { open, type Database, type RootDatabase } from 'lmdb';

/** Bumped whenever the shape or the meaning of the file changes: a node then builds a new one. */
export const INDEX_VERSION = 14;

/** How much a file may grow to. Only addresses are set aside for it, no memory. */
const MAP_BYTES = 2 ** 40;

type Table = Database<Buffer, string>;

/** Keys are texts of bytes, see keys.ts. */
const keyEncoder = {
  writeKey: (key: string, target: Buffer, start: number) => start + target.write(key, start, 'latin1'),
  readKey: (source: Buffer, start: number, end: number) => source.toString('latin1', start, end),
};

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
  readonly #readOnly: boolean;
  #changes: string | undefined;
  readonly #root: RootDatabase<Buffer, string>;

  constructor(file: string, readOnly = false) {
    this.file = file;
    this.#readOnly = readOnly;
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
    const table = (name: string): Table =>
      this.#root.openDB<Buffer, string>({ name, encoding: 'binary', keyEncoder } as never);
    this.lists = table('lists');
    this.parts = table('parts');
    this.cards = table('cards');
    this.names = table('names');
    this.ids = table('ids');
    this.world = table('world');
    this.spelling = table('spelling');
    this.hours = table('hours');
    this.areas = table('areas');
    this.vocabulary = table('vocabulary');
    this.#meta = table('meta');
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
      this.#root.transactionSync(work);
    } finally {
      this.#changes = undefined;
    }
  }

  /** How often it was changed. Who writes it need not look, others see in the file what the writer did. */
  get changes(): string {
    if (this.#readOnly) return this.meta('changes') ?? '';
    return (this.#changes ??= this.meta('changes') ?? '');
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

function text(bytes: Buffer): string {
  return bytes.toString('utf8', 0, bytes.length);
}
