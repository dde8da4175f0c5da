import { LRUCache } from 'lru-cache';
import type { CompiledHours } from '../../directory/hours/compile/compiled-hours.ts';
import { isUnderstood, openWeekHours } from '../../directory/hours/weekly-hours.ts';
import type { IndexStore } from '../store/index-store.ts';
import { hash48 } from '../../core/text/hash48.ts';
import { DAY_MS } from '../../core/time.ts';
import { OLD_HOURS, UNVERIFIED } from '../store/open-bits.ts';
import { daysOfHours, type PlaceRow } from '../store/place-row.ts';
import { hoursKey } from '../store/stored-place.ts';

interface KnownHours {
  hash: number;
  open: readonly number[];
  /** The bitmaps of a place with these hours, if they are too old to be verified. */
  old: readonly number[];
  understood: boolean;
}

/** Index data for the hours of a place. `bits` are its bitmaps. */
interface HoursInIndex {
  hours: number;
  hoursFrom: number;
  hoursUntil: number;
  bits: readonly number[];
}

const CACHE_MAX = 100_000;
const NEVER_VERIFIED = [UNVERIFIED];

/** Returns every bitmap in which a place with these hours may be, whatever their age. */
export function bitmapsFor(compiled: CompiledHours | undefined): number[] {
  const open = compiled === undefined ? [] : openWeekHours(compiled);
  return [UNVERIFIED, ...open, ...open.map((hour) => OLD_HOURS + hour)];
}

/** Opening hours shared by many places, compiled and stored once each. */
export class HoursTable {
  readonly #store: IndexStore;
  // With `max` the cache would reserve room for all at once, at each change of one place.
  readonly #cache = new LRUCache<string, KnownHours>({ maxSize: CACHE_MAX, sizeCalculation: () => 1 });

  constructor(store: IndexStore) {
    this.#store = store;
  }

  /**
   * Returns the index data for a place's hours, and stores hours that are not in the index yet.
   */
  of(place: PlaceRow, now: Date): HoursInIndex {
    if (place.hours_compiled === null) return { hours: 0, hoursFrom: 0, hoursUntil: 0, bits: NEVER_VERIFIED };
    const { hash, open, old, understood } = this.#compile(place.hours_compiled);
    const days = daysOfHours(place, understood);
    const isVerified = days.hoursUntil >= Math.floor(now.getTime() / DAY_MS);
    return { hours: hash, ...days, bits: isVerified ? open : days.hoursUntil > 0 ? old : NEVER_VERIFIED };
  }

  #compile(text: string): KnownHours {
    let entry = this.#cache.get(text);
    if (entry === undefined) {
      const compiled = JSON.parse(text) as CompiledHours;
      const open = openWeekHours(compiled);
      const old = [UNVERIFIED, ...open.map((hour) => OLD_HOURS + hour)];
      entry = { hash: hash48(text), open, old, understood: isUnderstood(compiled) };
      this.#cache.set(text, entry);
      this.#store.hours.putSync(hoursKey(entry.hash), Buffer.from(text));
    }
    return entry;
  }
}
