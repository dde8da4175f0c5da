import type { CompiledHours } from '../../directory/hours/compile/compiled-hours.ts';
import { openWeekHours } from '../../directory/hours/weekly-hours.ts';
import { verifiedUntilDay, type PlaceRow } from '../build/document.ts';
import type { RowFacts } from '../build/indexed-row.ts';
import { TermList } from '../store/term-list.ts';
import { Terms } from './terms.ts';
import { PlaceTerms } from './tokens.ts';

/** What a row says about the hours of its place. */
export type RowHours = Pick<RowFacts, 'hours' | 'hoursUntil'>;

/** Hours that places share: their number, their text, and the hours of the week in which they are open. */
export interface SharedHours {
  id: number;
  text: string;
  open: readonly number[];
}

interface KnownHours extends SharedHours {
  doubtful: boolean;
}

/** The terms and the hours of places, each of them kept once and under a number. */
export class Lexicon {
  readonly terms = new Terms();
  readonly #termList = new TermList();
  readonly #placeTerms = new PlaceTerms(this.terms, this.#termList);
  readonly #now: Date;
  readonly #hours = new Map<string, KnownHours>();
  #newHours: SharedHours[] = [];

  constructor(now: Date) {
    this.#now = now;
  }

  /** Takes in a place; its terms are told with those of the others. */
  add(place: PlaceRow, destination: number): RowHours {
    const hours = place.hours_compiled === null ? undefined : this.#know(place.hours_compiled);
    const hoursUntil = hours === undefined ? 0 : verifiedUntilDay(place, hours.doubtful, this.#now);
    this.#placeTerms.add(place, destination, hoursUntil === 0);
    return { hours: hours?.id ?? null, hoursUntil };
  }

  /** The hours that were met since the last look. They must be stored before the rows that name them are read. */
  takeNewHours(): SharedHours[] {
    const met = this.#newHours;
    this.#newHours = [];
    return met;
  }

  /** The terms of the places that were added since the last look, see TermList. */
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
