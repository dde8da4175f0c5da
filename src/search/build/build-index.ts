import { renameSync, rmSync } from 'node:fs';
import { addAreaNames } from '../areas/area-names.ts';
import { writeSpelling } from '../query/spelling.ts';
import { HashEntries, SPOT_BYTES, writeSpot, type Spot } from '../store/hash-table.ts';
import { INDEX_VERSION, IndexStore } from '../store/index-store.ts';
import { hash48 } from '../../core/text/hash48.ts';
import { destinationKey, docKey, WORLD } from '../store/keys.ts';
import { BuiltBits } from '../store/open-bits.ts';
import { docOf, scoreOf } from '../store/rank.ts';
import { methodOf, type PlaceRow } from '../store/place-row.ts';
import { packPlace } from '../store/stored-place.ts';
import { writeWorld } from '../store/world.ts';
import { writeVocabulary } from '../understand/lexicon/vocabulary.ts';
import { HoursTable } from './known-hours.ts';
import { emitTerms } from './place-terms.ts';
import { readDirectory, type Snapshot } from './read-places.ts';
import { TermDrafts } from './term-drafts.ts';

export interface BuildTask {
  databaseUrl: string;
  file: string;
  /** Id of this build in the database. */
  buildId: string;
  nowMs: number;
  verifiedSinceMs: number;
}

export interface BuildReport {
  places: number;
  file: string;
}

const APPEND = { append: true } as never;
/** Batch size: a transaction keeps its writes in memory until it commits. */
const PLACES_PER_TRANSACTION = 50_000;

/** Temporary files of a build. LMDB keeps its locks in a second file. */
export function draftsOf(file: string): string[] {
  return [`${file}.part`, `${file}.part-lock`];
}

interface DestinationDraft {
  number: number;
  slug: string;
  /** Documents of its places, by serial. */
  docs: number[];
  bits: BuiltBits;
}

/** Writes a new index, one destination after another. */
class IndexDraft {
  readonly #store: IndexStore;
  readonly #hours: HoursTable;
  readonly #now: Date;
  readonly #names = new HashEntries();
  readonly #ids = new HashEntries();
  readonly #terms = new TermDrafts(this.#names);
  /** Next serial in the world for each score: in the world scope, too, serials follow the rank. */
  readonly #worldSerials = new Map<number, number>();
  #scores: Snapshot['scores'] = [];
  #spots = Buffer.alloc(0);
  readonly #destinations = new Map<string, { number: number; slug: string }>();
  #destination: DestinationDraft | undefined;
  places = 0;
  cardBytes = 0;

  constructor(store: IndexStore, now: Date) {
    this.#store = store;
    this.#hours = new HoursTable(store);
    this.#now = now;
  }

  begin({ snapshot, source, destinations, scores, areas }: Snapshot, build: string): void {
    const meta = { snapshot, source, build, version: String(INDEX_VERSION) };
    for (const [name, value] of Object.entries(meta)) this.#store.setMeta(name, value);
    for (const [i, { id, slug, timezone }] of destinations.entries()) {
      this.#destinations.set(id, { number: i + 1, slug });
      this.#store.setMeta(`destination/${i + 1}`, JSON.stringify({ id, slug, timezone }));
    }
    addAreaNames(this.#store, areas);
    let serial = 0;
    for (const { score, places } of scores) {
      this.#worldSerials.set(score, serial);
      serial += places;
    }
    this.#scores = scores;
    this.#spots = Buffer.alloc(serial * SPOT_BYTES);
  }

  add(place: PlaceRow): void {
    const destination = this.#destinations.get(place.destination_id);
    if (destination === undefined) throw new Error('A place belongs to a destination that was not read.');
    let draft = this.#destination;
    if (draft?.number !== destination.number) {
      this.endDestination();
      this.#destination = draft = { ...destination, docs: [], bits: new BuiltBits() };
    }
    const { number } = draft;
    const score = scoreOf(place);
    const serial = draft.docs.length;
    const doc = docOf(score, serial);
    draft.docs.push(doc);
    const { bits, ...hours } = this.#hours.of(place, this.#now);
    const spot: Spot = { destination: number, doc, world: this.#nextInWorld(score) };
    const facts = { method: methodOf(place), ...hours, world: spot.world };
    const packed = packPlace(place, draft.slug, facts);
    this.#store.cards.putSync(destinationKey(number) + docKey(doc), packed, APPEND);
    draft.bits.add(serial, bits);
    this.#ids.add(hash48(place.id), spot);
    this.#terms.begin(spot, serial);
    emitTerms(place, this.#terms);
    writeSpot(this.#spots, spot.world * SPOT_BYTES, spot);
    this.places++;
    this.cardBytes += packed.length;
  }

  #nextInWorld(score: number): number {
    const serial = this.#worldSerials.get(score);
    if (serial === undefined) throw new Error('A place has a score that is not in its record.');
    this.#worldSerials.set(score, serial + 1);
    return serial;
  }

  endDestination(): void {
    const draft = this.#destination;
    if (draft === undefined) return;
    const { number, docs, bits } = draft;
    this.#terms.writeDestination(this.#store, number, Float64Array.from(docs), () => {
      bits.write(this.#store, number);
    });
    this.#store.setMeta(`serial/${number}`, String(docs.length));
    this.#destination = undefined;
  }

  finish(): void {
    this.#store.setMeta('id bits', String(this.#ids.write(this.#store.ids)));
    this.#store.setMeta('name bits', String(this.#names.write(this.#store.names)));
    writeWorld(this.#store, this.#spots);
    const spelt = this.#terms.writeWorld(this.#store, this.#docsInWorld());
    writeSpelling(this.#store, spelt);
    writeVocabulary(this.#store);
    this.#store.setMeta('spelt', String(spelt.length));
    this.#store.setMeta(`serial/${WORLD}`, String(this.places));
    this.#store.setMeta('card bytes', String(this.cardBytes));
    this.#store.setMeta('changes', '0');
  }

  /** Maps serials to documents of the world. */
  #docsInWorld(): (serial: number) => number {
    const scores = new Uint16Array(this.places);
    let serial = 0;
    for (const { score, places } of this.#scores) scores.fill(score, serial, (serial += places));
    return (one) => docOf(scores[one] ?? 0, one);
  }
}

/** Writes a new index file from one database snapshot. The file gets its final name when it is complete. */
export async function buildIndex(task: BuildTask): Promise<BuildReport> {
  const [draftFile = '', locks = ''] = draftsOf(task.file);
  rmSync(draftFile, { force: true });
  const store = new IndexStore(draftFile);
  const draft = new IndexDraft(store, new Date(task.nowMs));
  let pending: PlaceRow[] = [];
  const write = () => {
    const places = pending;
    pending = [];
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
        pending.push(...places);
        if (pending.length >= PLACES_PER_TRANSACTION) write();
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
