import { renameSync, rmSync } from 'node:fs';
import { isSpelt, writeSpelling } from '../query/spelling.ts';
import { HashEntries, type Spot } from '../store/hash-table.ts';
import { INDEX_VERSION, IndexStore } from '../store/index-store.ts';
import { destinationKey, docKey, hash48, textOf, WORLD } from '../store/keys.ts';
import { writeList } from '../store/list.ts';
import { BITS_MARK, BuiltBits } from '../store/open-bits.ts';
import { placesOf } from '../query/stages.ts';
import { docOf, scoreOf } from '../store/rank.ts';
import { methodOf, type PlaceRow } from '../store/place-row.ts';
import { packPlace } from '../store/stored-place.ts';
import { noteSpots, WORLD_PIECE } from '../store/world.ts';
import { HoursTable } from './known-hours.ts';
import { scopesOf, termsOf } from './place-terms.ts';
import { readDirectory, type Snapshot } from './read-places.ts';

export interface BuildTask {
  databaseUrl: string;
  /** Where the file goes. */
  file: string;
  /** Under which the database knows of this build. */
  buildId: string;
  nowMs: number;
  verifiedSinceMs: number;
}

export interface BuildReport {
  places: number;
  file: string;
}

const APPEND = { append: true } as never;
/** So many places are written at once: what a transaction writes stays in memory until its end. */
const PLACES_PER_TRANSACTION = 50_000;

/** The file that a build works on, of which nothing stays. LMDB keeps its locks in a second one. */
export function draftsOf(file: string): string[] {
  return [`${file}.part`, `${file}.part-lock`];
}

interface DestinationDraft {
  number: number;
  slug: string;
  lists: Map<string, number[]>;
  bits: BuiltBits;
  places: number;
}

/** A new index while it is written, a destination after the other. */
class IndexDraft {
  readonly #store: IndexStore;
  readonly #hours: HoursTable;
  readonly #now: Date;
  readonly #names = new HashEntries();
  readonly #ids = new HashEntries();
  /** In no order until the end: places come by destination. */
  readonly #world = new Map<string, number[]>();
  #spots: Spot[] = [];
  readonly #destinations = new Map<string, { number: number; slug: string }>();
  #destination: DestinationDraft | undefined;
  places = 0;
  cardBytes = 0;

  constructor(store: IndexStore, now: Date) {
    this.#store = store;
    this.#hours = new HoursTable(store);
    this.#now = now;
  }

  begin({ snapshot, source, destinations }: Snapshot, build: string): void {
    const meta = { snapshot, source, build, version: String(INDEX_VERSION) };
    for (const [name, value] of Object.entries(meta)) this.#store.setMeta(name, value);
    for (const [i, { id, slug, timezone }] of destinations.entries()) {
      this.#destinations.set(id, { number: i + 1, slug });
      this.#store.setMeta(`destination/${i + 1}`, JSON.stringify({ id, slug, timezone }));
    }
  }

  add(place: PlaceRow): void {
    const known = this.#destinations.get(place.destination_id);
    if (known === undefined) throw new Error('A place came from a destination that did not.');
    let draft = this.#destination;
    if (draft?.number !== known.number) {
      this.endDestination();
      this.#destination = draft = { ...known, lists: new Map(), bits: new BuiltBits(), places: 0 };
    }
    const { number, lists } = draft;
    const serial = draft.places++;
    const score = scoreOf(place.verified, place.rating, place.review_count);
    const doc = docOf(score, serial);
    const { hours, hoursUntil, bits } = this.#hours.of(place, this.#now);
    const spot: Spot = { destination: number, doc, world: this.places };
    const facts = { method: methodOf(place), hours, hoursUntil, world: spot.world };
    const packed = packPlace(place, draft.slug, facts);
    this.#store.cards.putSync(destinationKey(number) + docKey(doc), packed, APPEND);
    draft.bits.add(serial, bits);
    const { terms, names } = termsOf(place);
    for (const name of names) this.#names.add(name, spot);
    this.#ids.add(hash48(place.id), spot);
    const world = docOf(score, spot.world);
    for (const one of terms)
      for (const scope of scopesOf(one, number)) {
        if (scope === WORLD) note(this.#world, one, world);
        else note(lists, one, doc);
      }
    note(this.#world, placesOf(number), world);
    if (this.#spots.push(spot) === WORLD_PIECE) this.#noteSpots();
    this.places++;
    this.cardBytes += packed.length;
  }

  #noteSpots(): void {
    if (this.#spots.length > 0) noteSpots(this.#store, this.#spots);
    this.#spots = [];
  }

  endDestination(): void {
    const draft = this.#destination;
    if (draft === undefined) return;
    const { number, lists, bits, places } = draft;
    const prefix = destinationKey(number);
    // In the order of the keys, among which the bits have theirs.
    for (const key of [...lists.keys(), BITS_MARK].sort()) {
      if (key === BITS_MARK) {
        bits.write(this.#store, number);
        continue;
      }
      writeList(this.#store, prefix + key, lists.get(key) ?? [], true);
    }
    this.#store.setMeta(`serial/${number}`, String(places));
    this.#destination = undefined;
  }

  finish(): void {
    this.#store.setMeta('id bits', String(this.#ids.write(this.#store.ids)));
    this.#store.setMeta('name bits', String(this.#names.write(this.#store.names)));
    this.#noteSpots();
    const spelt: string[] = [];
    for (const key of [...this.#world.keys()].sort()) {
      const docs = Float64Array.from(this.#world.get(key) ?? []).sort();
      writeList(this.#store, destinationKey(WORLD) + key, docs, true);
      this.#world.delete(key);
      if (key.startsWith('w') && isSpelt(textOf(key))) spelt.push(textOf(key));
    }
    writeSpelling(this.#store, spelt);
    this.#store.setMeta('spelt', String(spelt.length));
    this.#store.setMeta(`serial/${WORLD}`, String(this.places));
    this.#store.setMeta('card bytes', String(this.cardBytes));
    this.#store.setMeta('changes', '0');
  }
}

function note(lists: Map<string, number[]>, key: string, doc: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [doc]);
  else list.push(doc);
}

/** Writes a new index file from one snapshot of the record. It gets its name when it is whole. */
export async function buildIndex(task: BuildTask): Promise<BuildReport> {
  const [draftFile = '', locks = ''] = draftsOf(task.file);
  rmSync(draftFile, { force: true });
  const store = new IndexStore(draftFile);
  const draft = new IndexDraft(store, new Date(task.nowMs));
  let waiting: PlaceRow[] = [];
  const write = () => {
    const places = waiting;
    waiting = [];
    store.change(() => {
      for (const place of places) draft.add(place);
    });
  };
  try {
    await readDirectory(
      task.databaseUrl,
      new Date(task.verifiedSinceMs),
      (snapshot) => {
        store.change(() => {
          draft.begin(snapshot, task.buildId);
        });
      },
      (places) => {
        waiting.push(...places);
        if (waiting.length >= PLACES_PER_TRANSACTION) write();
      },
    );
    write();
    store.change(() => {
      draft.endDestination();
    });
    store.change(() => {
      draft.finish();
    });
  } finally {
    await store.close();
  }
  renameSync(draftFile, task.file);
  rmSync(locks, { force: true });
  return { places: draft.places, file: task.file };
}
