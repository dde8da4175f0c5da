import type { CompiledHours } from '../../directory/hours/compile/compiled-hours.ts';
import type { NamesByLanguage } from '../../directory/place/place-names.ts';
import type { KnownPhrase, Part } from '../understand/phrase.ts';
import { HashTable, type Spot } from './hash-table.ts';
import { INDEX_VERSION, IndexStore } from './index-store.ts';
import { destinationKey, docKey, term, textOf, WORLD } from './keys.ts';
import { spotAt } from './world.ts';
import { serialOf } from './rank.ts';
import { DamagedIndex, hoursKey, StoredPlace } from './stored-place.ts';

export interface IndexedDestination {
  number: number;
  id: string;
  slug: string;
  timezone: string;
}

const CACHE_MAX = 20_000;

/** Error code for an index of another version. */
export const OTHER_VERSION = 'OTHER_VERSION';

/** An open index file, with in-memory caches. */
export class OpenIndex {
  readonly store: IndexStore;
  readonly names: HashTable;
  readonly ids: HashTable;
  /**
   * Compiled hours. This cache and those below are read in the innermost loops of a search, so they are plain maps that
   * are emptied when they are full, without the bookkeeping of an LRU cache.
   */
  readonly #hours = new Map<number, CompiledHours>();
  #byId = new Map<string, IndexedDestination>();
  #byNumber = new Map<number, IndexedDestination>();
  #kinds = new Set<string>();
  readonly phrases = new Map<string, KnownPhrase>();
  /** Cache of parsed parts, by scope number and phrase. */
  readonly parts = new Map<string, Part | undefined>();
  /** Cache of area keys, by scope number and phrase. */
  readonly areas = new Map<string, readonly string[]>();
  /** Cache of the keys of areas anywhere, by phrase. */
  readonly areaKeys = new Map<string, readonly string[]>();
  /** Cache of words that may begin the name of an area anywhere. */
  readonly areaStarts = new Map<string, boolean>();
  /** Cache of the names of areas, by name. */
  readonly areaNames = new Map<string, NamesByLanguage>();
  #loadedChanges = '';

  constructor(file: string, readOnly = false) {
    this.store = new IndexStore(file, readOnly);
    if (this.store.meta('version') !== String(INDEX_VERSION))
      throw Object.assign(new DamagedIndex('The index was made by another version of the program.'), {
        code: OTHER_VERSION,
      });
    this.names = new HashTable(this.store.names, Number(this.store.meta('name bits')));
    this.ids = new HashTable(this.store.ids, Number(this.store.meta('id bits')));
  }

  /** Number of changes, which another process may have written. */
  get changes(): string {
    return this.store.changes;
  }

  /** Destinations by id. */
  get destinations(): ReadonlyMap<string, IndexedDestination> {
    this.refresh();
    return this.#byId;
  }

  destination(number: number): IndexedDestination | undefined {
    return this.#byNumber.get(number);
  }

  /** True when there are places of a kind. A word that is not the kind of any place can only be a name. */
  hasKind(kind: string): boolean {
    return this.#kinds.has(kind);
  }

  spotAt(doc: number): Spot | undefined {
    return spotAt(this.store, serialOf(doc));
  }

  place({ destination, doc }: Pick<Spot, 'destination' | 'doc'>): StoredPlace | undefined {
    const bytes = this.store.cards.getBinaryFast(destinationKey(destination) + docKey(doc));
    return bytes === undefined ? undefined : new StoredPlace(bytes);
  }

  hours(hash: number): CompiledHours | undefined {
    const cached = this.#hours.get(hash);
    if (cached !== undefined) return cached;
    const text = this.store.hours.getBinary(hoursKey(hash));
    if (text === undefined) return undefined;
    const compiled = JSON.parse(text.toString()) as CompiledHours;
    return keep(this.#hours, hash, compiled);
  }

  close(): Promise<void> {
    return this.store.close();
  }

  /**
   * Reloads destinations and kinds once before a search if the index has changed. They are few, used constantly and
   * rarely change.
   */
  refresh(): void {
    const { changes } = this;
    if (changes === this.#loadedChanges) return;
    this.#loadedChanges = changes;
    this.#byId = new Map();
    this.#byNumber = new Map();
    for (const [name, value] of this.store.metas('destination/')) {
      const number = Number(name.slice('destination/'.length));
      const destination = { ...(JSON.parse(value) as Omit<IndexedDestination, 'number'>), number };
      this.#byId.set(destination.id, destination);
      this.#byNumber.set(number, destination);
    }
    this.#kinds = new Set();
    this.phrases.clear();
    this.parts.clear();
    this.areas.clear();
    this.areaKeys.clear();
    this.areaStarts.clear();
    this.areaNames.clear();
    const world = destinationKey(WORLD);
    const range = { start: world + term('k', ''), end: `${world}l` };
    for (const key of this.store.lists.getKeys(range)) this.#kinds.add(textOf(key.slice(world.length)));
  }
}

/** Adds an entry to a cache, which is emptied first if it is full. */
export function keep<Key, Value>(cache: Map<Key, Value>, key: Key, value: Value): Value {
  if (cache.size >= CACHE_MAX) cache.clear();
  cache.set(key, value);
  return value;
}

/** Opens an index; undefined when it is gone, of another version, or damaged in its first pages. */
export function tryOpenIndex(file: string, readOnly = false): OpenIndex | undefined {
  try {
    return new OpenIndex(file, readOnly);
  } catch {
    return undefined;
  }
}
