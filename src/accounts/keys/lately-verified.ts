import { LRUCache } from 'lru-cache';
import { isUnavailable } from '../../core/postgres/db.ts';

/** Time for which a verified credential is accepted while the database cannot be asked. */
const OUTAGE_GRACE_MS = 120_000;
const GRACED_MAX = 50_000;

/**
 * Credentials that were verified lately, for the time in which the database cannot be asked. One that is not among them
 * is looked for on a standby: what that does not know may be newer, so it is neither accepted nor refused.
 */
export class LatelyVerified<Value extends object> {
  readonly #findOnStandby: (name: string) => Promise<Value | undefined>;
  readonly #values = new LRUCache<string, Value>({ max: GRACED_MAX, ttl: OUTAGE_GRACE_MS });

  constructor(findOnStandby: (name: string) => Promise<Value | undefined>) {
    this.#findOnStandby = findOnStandby;
  }

  keep(name: string, value: Value): void {
    this.#values.set(name, value);
  }

  forget(name: string): void {
    this.#values.delete(name);
  }

  /** Returns the value if a lookup failed because the database is unavailable; throws the failure otherwise. */
  async insteadOf(thrown: unknown, name: string): Promise<Value> {
    if (!isUnavailable(thrown)) throw thrown;
    const kept = this.#values.get(name);
    if (kept !== undefined) return kept;
    const found = await this.#findOnStandby(name).catch(() => undefined);
    if (found === undefined) throw thrown;
    this.keep(name, found);
    return found;
  }
}
