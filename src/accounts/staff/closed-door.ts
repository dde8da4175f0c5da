import type { NowOrLater } from '../../core/memory/now-or-later.ts';
import { HOUR_MS } from '../../core/time.ts';

/** How often in an hour somebody may try at a door that is closed, where only a code of the second factor opens. */
export const CLOSED_DOOR_ATTEMPTS_MAX = 100;
const ADDRESSES_MAX = 50_000;

/** Counts attempts at closed doors by address, so that nobody finds a code by trying. */
export interface DoorCount {
  /** Counts one more. Gives when the hour of the address ends, once it has tried too often. */
  take(address: string, now: Date): NowOrLater<Date | undefined>;
}

/** In memory: what strangers are refused is to cost the database nothing. */
export class ClosedDoor implements DoorCount {
  readonly #tried = new Map<string, { attempts: number; endsAt: number }>();

  take(address: string, now: Date): Date | undefined {
    const known = this.#tried.get(address);
    if (known !== undefined && known.endsAt > now.getTime()) {
      known.attempts += 1;
      return known.attempts > CLOSED_DOOR_ATTEMPTS_MAX ? new Date(known.endsAt) : undefined;
    }
    this.#tried.delete(address);
    const [oldest] = this.#tried.keys();
    if (oldest !== undefined && this.#tried.size >= ADDRESSES_MAX) this.#tried.delete(oldest);
    this.#tried.set(address, { attempts: 1, endsAt: now.getTime() + HOUR_MS });
    return undefined;
  }
}
