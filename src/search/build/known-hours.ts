import { LRUCache } from 'lru-cache';
import type { CompiledHours } from '../../directory/hours/compile/compiled-hours.ts';
import { isUnderstood, openWeekHours } from '../../directory/hours/weekly-hours.ts';
import type { IndexStore } from '../store/index-store.ts';
import { hash48 } from '../store/keys.ts';
import { UNVERIFIED } from '../store/open-bits.ts';
import { verifiedUntilDay, type PlaceRow } from '../store/place-row.ts';
import { hoursKey } from '../store/stored-place.ts';

interface KnownHours {
  hash: number;
  open: readonly number[];
  understood: boolean;
}

const CACHE_MAX = 100_000;
const NEVER_VERIFIED = [UNVERIFIED];

/** Opening hours shared by many places, compiled and stored once each. */
export class HoursTable {
  readonly #store: IndexStore;
  readonly #cache = new LRUCache<string, KnownHours>({ max: CACHE_MAX });

  constructor(store: IndexStore) {
    this.#store = store;
  }

  /**
   * Returns the index data for a place's hours; its bits are set in the hours `bits` of the week. Stores hours that are
   * not in the index yet.
   */
  of(place: PlaceRow, now: Date): { hours: number; hoursUntil: number; bits: readonly number[] } {
    if (place.hours_compiled === null) return { hours: 0, hoursUntil: 0, bits: NEVER_VERIFIED };
    const { hash, open, understood } = this.#compile(place.hours_compiled);
    const hoursUntil = verifiedUntilDay(place, understood, now);
    return { hours: hash, hoursUntil, bits: hoursUntil === 0 ? NEVER_VERIFIED : open };
  }

  #compile(text: string): KnownHours {
    let entry = this.#cache.get(text);
    if (entry === undefined) {
      const compiled = JSON.parse(text) as CompiledHours;
      entry = { hash: hash48(text), open: openWeekHours(compiled), understood: isUnderstood(compiled) };
      this.#cache.set(text, entry);
      this.#store.hours.putSync(hoursKey(entry.hash), Buffer.from(text));
    }
    return entry;
  }
}
