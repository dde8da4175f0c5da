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

export interface PlaceHours {
  hours: number;
  hoursUntil: number;
  /** The hours of the week for which its bits are set. */
  bits: readonly number[];
}

const KEPT_MAX = 100_000;
const NEVER_VERIFIED = [UNVERIFIED];

/** Hours that many places share: each is read and stored once. */
export class HoursTable {
  readonly #store: IndexStore;
  readonly #known = new Map<string, KnownHours>();

  constructor(store: IndexStore) {
    this.#store = store;
  }

  /** What the index says of a place's hours at a moment. Hours that it does not have yet are stored. */
  of(place: PlaceRow, now: Date): PlaceHours {
    if (place.hours_compiled === null) return { hours: 0, hoursUntil: 0, bits: NEVER_VERIFIED };
    const { hash, open, understood } = this.#know(place.hours_compiled);
    const hoursUntil = verifiedUntilDay(place, understood, now);
    return { hours: hash, hoursUntil, bits: hoursUntil === 0 ? NEVER_VERIFIED : open };
  }

  #know(text: string): KnownHours {
    let known = this.#known.get(text);
    if (known === undefined) {
      const compiled = JSON.parse(text) as CompiledHours;
      known = { hash: hash48(text), open: openWeekHours(compiled), understood: isUnderstood(compiled) };
      if (this.#known.size >= KEPT_MAX) this.#known.clear();
      this.#known.set(text, known);
      this.#store.hours.putSync(hoursKey(known.hash), Buffer.from(text));
    }
    return known;
  }
}
