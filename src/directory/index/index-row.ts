import type { CompiledHours } from '../hours/compiled-hours.ts';
import { openWeekHours } from '../hours/weekly-hours.ts';
import { cardMembers, methodOf, verifiedUntilDay, type PlaceRow } from './document.ts';
import { rowidOf, scoreOf } from './rank.ts';
import { TermList } from './term-list.ts';
import { Terms } from './terms.ts';
import { PlaceTerms } from './tokens.ts';

export interface IndexedDestination {
  number: number;
  id: string;
  slug: string;
  timezone: string;
}

/** One place as it is stored in a segment. */
export interface IndexRow {
  rowid: number;
  placeId: string;
  card: string;
  method: number;
  /** The number of its hours; null when none are known. */
  hours: number | null;
  hoursUntil: number;
  destination: number;
  lat: number;
  lng: number;
}

/** Hours that places share: their number, their text, and the hours of the week in which they are open. */
export interface SharedHours {
  id: number;
  text: string;
  open: readonly number[];
}

interface KnownHours extends SharedHours {
  doubtful: boolean;
}

/** Makes rows from places, and numbers them and their hours. */
export class RowMaker {
  readonly terms = new Terms();
  readonly #termList = new TermList();
  readonly #placeTerms = new PlaceTerms(this.terms, this.#termList);
  readonly #now: Date;
  readonly #hours = new Map<string, KnownHours>();
  #newHours: SharedHours[] = [];
  #serial: number;

  constructor(now: Date, firstSerial: number) {
    this.#now = now;
    this.#serial = firstSerial;
  }

  make(place: PlaceRow, destination: IndexedDestination): IndexRow {
    const hours = place.hours_compiled === null ? undefined : this.#know(place.hours_compiled);
    const hoursUntil = hours === undefined ? 0 : verifiedUntilDay(place, hours.doubtful, this.#now);
    this.#placeTerms.add(place, destination.number, hoursUntil === 0);
    return {
      rowid: rowidOf(scoreOf(place.verified, place.rating, place.review_count), this.#serial++),
      placeId: place.id,
      card: cardMembers(place, destination.slug),
      method: methodOf(place),
      hours: hours?.id ?? null,
      hoursUntil,
      destination: destination.number,
      lat: place.lat,
      lng: place.lng,
    };
  }

  /** The hours that were met since the last look. They must be stored before the rows that name them are read. */
  takeNewHours(): SharedHours[] {
    const met = this.#newHours;
    this.#newHours = [];
    return met;
  }

  /** The terms of the rows that were made since the last look, see TermList. */
  takeTerms(): Uint32Array<ArrayBuffer> {
    return this.#termList.take();
  }

  /** Many places keep the same hours: they are read and stored once. */
  #know(text: string): KnownHours {
    let known = this.#hours.get(text);
    if (known === undefined) {
      const compiled = JSON.parse(text) as CompiledHours;
      const { doubtful = false } = compiled;
      known = { id: this.#hours.size + 1, text, open: openWeekHours(compiled), doubtful };
      this.#hours.set(text, known);
      this.#newHours.push({ id: known.id, text, open: known.open });
    }
    return known;
  }
}
