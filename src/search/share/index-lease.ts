import { randomUUID } from 'node:crypto';
import type { Pool } from '../../core/postgres/db.ts';

const LEASE = '30 seconds';
const RENEW_MS = 10_000;

/** The right to build the index of a format for all nodes. It ends by itself when its node no longer renews it. */
export class IndexLease {
  readonly #pool: Pool;
  readonly #format: string;
  readonly #holder = randomUUID();
  #renewal: NodeJS.Timeout | undefined;

  constructor(pool: Pool, format: string) {
    this.#pool = pool;
    this.#format = format;
  }

  async take(): Promise<boolean> {
    const taken = await this.#pool`
      insert into index_lease (format, holder, until)
      values (${this.#format}, ${this.#holder}, now() + ${LEASE}::interval)
      on conflict (format) do update set holder = excluded.holder, until = excluded.until
        where index_lease.until < now() or index_lease.holder = excluded.holder
      returning format`;
    if (taken.length === 0) return false;
    this.#renewal ??= setInterval(() => void this.#renew(), RENEW_MS).unref();
    return true;
  }

  /** A lease that could not be given back ends by itself. */
  async release(): Promise<void> {
    clearInterval(this.#renewal);
    this.#renewal = undefined;
    await this
      .#pool`delete from index_lease where format = ${this.#format} and holder = ${this.#holder}`.catch(
      () => undefined,
    );
  }

  async #renew(): Promise<void> {
    await this.#pool`
      update index_lease set until = now() + ${LEASE}::interval
      where format = ${this.#format} and holder = ${this.#holder}`.catch(() => undefined);
  }
}
