import type { CompiledHours } from '../hours/compiled-hours.ts';
import { openWeekHours } from '../hours/weekly-hours.ts';
import { documentOf, type PlaceRow } from './document.ts';
import { rowidOf, scoreOf } from './rank.ts';
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
  /** The numbers of its tokens; one may come twice. */
  terms: readonly number[];
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
  readonly #placeTerms = new PlaceTerms(this.terms);
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
    const document = documentOf(place, destination, this.#now, hours, this.#placeTerms);
    const { terms, card, method, hoursUntil } = document;
    return {
      rowid: rowidOf(scoreOf(place.verified, place.rating, place.review_count), this.#serial++),
      placeId: place.id,
      terms,
      card,
      method,
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
