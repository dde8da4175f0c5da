import { LRUCache } from 'lru-cache';
import { isUnavailable } from '../../core/postgres/db.ts';

/** Time for which a verified credential is accepted while the database cannot be asked. */
const OUTAGE_GRACE_MS = 120_000;
const GRACED_MAX = 50_000;

/** Credentials that were verified lately, for the time in which the database cannot be asked. */
export class LatelyVerified<Value extends object> {
  readonly #values = new LRUCache<string, Value>({ max: GRACED_MAX, ttl: OUTAGE_GRACE_MS });

  keep(name: string, value: Value): void {
    this.#values.set(name, value);
  }

  forget(name: string): void {
    this.#values.delete(name);
  }

  /** Returns the value if a lookup failed because the database is unavailable; throws the failure otherwise. */
  insteadOf(thrown: unknown, name: string): Value {
    const value = isUnavailable(thrown) ? this.#values.get(name) : undefined;
    if (value === undefined) throw thrown;
    return value;
  }
}
