import { worldDoc } from '../query/expression.ts';
import { changeSpelling, isCorrectable } from '../query/spelling.ts';
import { destinationTerm } from '../query/stages.ts';
import { bitmapsFor, HoursTable } from '../build/known-hours.ts';
import { scopesOf, placeTerms, type PlaceTerms } from '../build/place-terms.ts';
import type { Spot } from '../store/hash-table.ts';
import { hash48 } from '../../core/text/hash48.ts';
import { destinationKey, docKey, textOf, WORLD } from '../store/keys.ts';
import { noteSpot } from '../store/world.ts';
import { changeList, type ListChange } from '../store/list-parts.ts';
import { BitChanges } from '../store/open-bits.ts';
import type { IndexedDestination, OpenIndex } from '../store/open-index.ts';
import { docOf, scoreOf, serialOf } from '../store/rank.ts';
import { methodOf, type PlaceRow } from '../store/place-row.ts';
import { packPlace } from '../store/stored-place.ts';

/** The current state of a place; undefined when it is gone. */
export interface PlaceChange {
  id: string;
  place: PlaceRow | undefined;
}

/** A place as the index holds it. */
interface IndexedPlace {
  spot: Spot;
  terms: PlaceTerms;
  /** Every bitmap that may contain it. */
  bits: readonly number[];
}

const NO_TERMS: PlaceTerms = { terms: new Set(), names: new Set() };

/** Updates places of an index in place, within one transaction that the caller begins. */
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
    const score = place === undefined ? 0 : scoreOf(place);
    const before = old?.terms ?? NO_TERMS;
    if (place === undefined || destination === undefined) {
      if (old !== undefined) this.#remove(id, old, NO_TERMS);
      return;
    }
    const { number } = destination;
    // A place with an unchanged score keeps its document, so that pagination in progress misses nothing.
    const stays = old?.spot.destination === number && old.spot.doc === docOf(score, serialOf(old.spot.doc));
    const spot: Spot = stays
      ? old.spot
      : { destination: number, doc: docOf(score, this.#nextSerial(number)), world: this.#nextSerial(WORLD) };
    const terms = placeTerms(place);
    terms.terms.add(destinationTerm(number));
    if (old !== undefined) this.#remove(id, old, stays ? terms : NO_TERMS);
    this.#put(id, spot, terms, stays ? before : NO_TERMS);
    const { bits, ...hours } = this.#hours.of(place, this.#now);
    const serial = serialOf(spot.doc);
    for (const hour of bits) this.#bits.set(number, hour, serial, true);
    const facts = { method: methodOf(place), ...hours, world: spot.world };
    const packed = packPlace(place, destination.slug, facts);
    noteSpot(this.#index.store, spot);
    this.#index.store.cards.putSync(destinationKey(number) + docKey(spot.doc), packed);
  }

  #find(id: string): IndexedPlace | undefined {
    for (const spot of this.#index.ids.find(hash48(id))) {
      const place = this.#index.place(spot);
      if (place?.placeId !== id) continue;
      const terms = placeTerms(place.described);
      terms.terms.add(destinationTerm(spot.destination));
      return { spot, terms, bits: bitmapsFor(this.#index.hours(place.hours)) };
    }
    return undefined;
  }

  /** Removes a place from all lists except those that it stays in. */
  #remove(id: string, { spot, terms: old, bits }: IndexedPlace, remaining: PlaceTerms): void {
    const { destination, doc } = spot;
    for (const term of old.terms) if (!remaining.terms.has(term)) this.#note('removed', term, spot);
    for (const name of old.names) if (!remaining.names.has(name)) this.#index.names.change(name, spot, false);
    for (const hour of bits) this.#bits.set(destination, hour, serialOf(doc), false);
    if (remaining !== NO_TERMS) return;
    this.#index.ids.change(hash48(id), spot, false);
    this.#index.store.cards.removeSync(destinationKey(destination) + docKey(doc));
  }

  #put(id: string, spot: Spot, terms: PlaceTerms, existing: PlaceTerms): void {
    for (const term of terms.terms) if (!existing.terms.has(term)) this.#note('added', term, spot);
    for (const name of terms.names) if (!existing.names.has(name)) this.#index.names.change(name, spot, true);
    this.#index.ids.change(hash48(id), spot, true);
  }

  #note(what: 'added' | 'removed', term: string, spot: Spot): void {
    const { isHere, isWorld } = scopesOf(term);
    if (isHere) this.#noteIn(spot.destination, term)[what].add(spot.doc);
    if (isWorld) this.#noteIn(WORLD, term)[what].add(worldDoc(spot));
  }

  #noteIn(scope: number, term: string): ListChange {
    const key = destinationKey(scope) + term;
    const unchanged = () => ({ scope, term, added: new Set<number>(), removed: new Set<number>() });
    return this.#lists.getOrInsertComputed(key, unchanged);
  }

  #writeLists(): void {
    const { store } = this.#index;
    for (const [key, change] of this.#lists) {
      const { before, after } = changeList(store, key, change);
      if (change.scope !== WORLD || !change.term.startsWith('w') || (before === 0) === (after === 0))
        continue;
      const word = textOf(change.term);
      if (isCorrectable(word)) changeSpelling(store, word, after > 0);
    }
  }

  #nextSerial(destination: number): number {
    const serial =
      this.#serials.get(destination) ?? Number(this.#index.store.meta(`serial/${destination}`) ?? 0);
    this.#serials.set(destination, serial + 1);
    return serial;
  }
}
