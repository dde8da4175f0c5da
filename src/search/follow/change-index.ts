import { worldDoc } from '../query/expression.ts';
import { changeSpelling, isSpelt } from '../query/spelling.ts';
import { placesOf } from '../query/stages.ts';
import { HoursTable } from '../build/known-hours.ts';
import { scopesOf, termsOf, type PlaceTerms } from '../build/place-terms.ts';
import type { Spot } from '../store/hash-table.ts';
import { destinationKey, docKey, hash48, textOf, WORLD } from '../store/keys.ts';
import { noteSpot } from '../store/world.ts';
import { changeList, type ListChange } from '../store/list-parts.ts';
import { BitChanges, UNVERIFIED } from '../store/open-bits.ts';
import type { IndexedDestination, OpenIndex } from '../store/open-index.ts';
import { docOf, scoreOf, serialOf } from '../store/rank.ts';
import { methodOf, type PlaceRow } from '../store/place-row.ts';
import { packPlace } from '../store/stored-place.ts';

/** A place as it is now, or undefined where it is gone. */
export interface PlaceChange {
  id: string;
  place: PlaceRow | undefined;
}

const NO_TERMS: PlaceTerms = { terms: new Set(), names: new Set() };

/** Changes places of an index in place. All of it happens in one transaction, which the caller begins. */
export class IndexChange {
  readonly #index: OpenIndex;
  readonly #now: Date;
  readonly #hours: HoursTable;
  readonly #destinations: ReadonlyMap<string, IndexedDestination>;
  readonly #lists = new Map<string, ListChange & { scope: number; term: string }>();
  readonly #bits = new BitChanges();
  readonly #serials = new Map<number, number>();

  constructor(index: OpenIndex, destinations: ReadonlyMap<string, IndexedDestination>, now: Date) {
    this.#index = index;
    this.#destinations = destinations;
    this.#now = now;
    this.#hours = new HoursTable(index.store);
  }

  apply(changes: readonly PlaceChange[]): void {
    for (const { id, place } of changes) this.#apply(id, place);
    this.#writeLists();
    this.#bits.write(this.#index.store);
    for (const [number, serial] of this.#serials)
      this.#index.store.setMeta(`serial/${number}`, String(serial));
  }

  #apply(id: string, place: PlaceRow | undefined): void {
    const old = this.#find(id);
    const destination = place && this.#destinations.get(place.destination_id);
    const score =
      place === undefined ? 0 : scoreOf(place.verified, place.rating, place.review_count, place.prominence);
    const before = old?.terms ?? NO_TERMS;
    if (place === undefined || destination === undefined) {
      if (old !== undefined) this.#take(id, old.spot, before, NO_TERMS);
      return;
    }
    const { number } = destination;
    // Who stays as good as before keeps the place among its equals, so that a page that is being turned misses nobody.
    const stays = old?.spot.destination === number && old.spot.doc === docOf(score, serialOf(old.spot.doc));
    const spot: Spot = stays
      ? old.spot
      : { destination: number, doc: docOf(score, this.#nextSerial(number)), world: this.#nextSerial(WORLD) };
    const terms = termsOf(place);
    terms.terms.add(placesOf(number));
    if (old !== undefined) this.#take(id, old.spot, before, stays ? terms : NO_TERMS);
    this.#put(id, spot, terms, stays ? before : NO_TERMS);
    const { hours, hoursUntil, bits } = this.#hours.of(place, this.#now);
    const serial = serialOf(spot.doc);
    for (const hour of bits) this.#bits.set(number, hour, serial, true);
    const facts = { method: methodOf(place), hours, hoursUntil, world: spot.world };
    const packed = packPlace(place, destination.slug, facts);
    noteSpot(this.#index.store, spot);
    this.#index.store.cards.putSync(destinationKey(number) + docKey(spot.doc), packed);
  }

  #find(id: string): { spot: Spot; terms: PlaceTerms } | undefined {
    for (const spot of this.#index.ids.find(hash48(id))) {
      const place = this.#index.place(spot);
      if (place?.placeId !== id) continue;
      const terms = termsOf(place.described);
      terms.terms.add(placesOf(spot.destination));
      return { spot, terms };
    }
    return undefined;
  }

  /** Takes a place out of every list but those that it stays in. */
  #take(id: string, spot: Spot, old: PlaceTerms, kept: PlaceTerms): void {
    const { destination, doc } = spot;
    for (const term of old.terms) if (!kept.terms.has(term)) this.#note('removed', term, spot);
    for (const name of old.names) if (!kept.names.has(name)) this.#index.names.change(name, spot, false);
    for (let hour = 0; hour <= UNVERIFIED; hour++) this.#bits.set(destination, hour, serialOf(doc), false);
    if (kept !== NO_TERMS) return;
    this.#index.ids.change(hash48(id), spot, false);
    this.#index.store.cards.removeSync(destinationKey(destination) + docKey(doc));
  }

  #put(id: string, spot: Spot, terms: PlaceTerms, known: PlaceTerms): void {
    for (const term of terms.terms) if (!known.terms.has(term)) this.#note('added', term, spot);
    for (const name of terms.names) if (!known.names.has(name)) this.#index.names.change(name, spot, true);
    this.#index.ids.change(hash48(id), spot, true);
  }

  #note(what: 'added' | 'removed', term: string, spot: Spot): void {
    const { isHere, isWorld } = scopesOf(term);
    if (isHere) this.#noteIn(spot.destination, term)[what].add(spot.doc);
    if (isWorld) this.#noteIn(WORLD, term)[what].add(worldDoc(spot));
  }

  #noteIn(scope: number, term: string): ListChange {
    const key = destinationKey(scope) + term;
    let change = this.#lists.get(key);
    if (change === undefined)
      this.#lists.set(key, (change = { scope, term, added: new Set(), removed: new Set() }));
    return change;
  }

  #writeLists(): void {
    const { store } = this.#index;
    for (const [key, change] of this.#lists) {
      const { before, after } = changeList(store, key, change);
      if (change.scope !== WORLD || !change.term.startsWith('w') || (before === 0) === (after === 0))
        continue;
      const word = textOf(change.term);
      if (isSpelt(word)) changeSpelling(store, word, after > 0);
    }
  }

  #nextSerial(destination: number): number {
    const serial =
      this.#serials.get(destination) ?? Number(this.#index.store.meta(`serial/${destination}`) ?? 0);
    this.#serials.set(destination, serial + 1);
    return serial;
  }
}
