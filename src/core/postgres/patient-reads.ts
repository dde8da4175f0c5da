import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { connectionError, isUnavailable } from './connection-error.ts';
import { dbOf, openPool, type Pool } from './pool.ts';
import { hasSeveralServers, standbysOf } from './servers.ts';
import type { SentQuery } from './statement.ts';

/** Time that a read waits at most for a server that was restarted, or for a promotion. */
const WAIT_MS = 4_000;
const WAIT_FOR_PROMOTION_MS = 8_000;
const AGAIN_MS = 100;
/** A standby is asked too when the primary has not answered within this time: it may be frozen. */
const SUSPECT_MS = 1_500;
const STANDBY_CONNECTIONS = 2;

/** Errors of a server that answers, but slowly: to ask again would only add to its work. */
const SLOW = ['57014', 'STATEMENT_TIMEOUT', 'POOL_BUSY'];

interface Outcome {
  error: Error | null | undefined;
  result: pg.QueryResult | pg.QueryResult[];
}

interface PatientOptions {
  statementTimeoutMs: number;
  /** True when a standby may answer while there is no primary: for what everybody may see. */
  asksStandby: boolean;
}

/**
 * Returns a read-only pool whose single statements outlast a change of the primary: they ask a standby, or wait for
 * the next primary and are sent again. Transactions are passed on as they are.
 */
export function patientReads(pool: Pool, url: string, options: PatientOptions): Pool {
  const reads = new PatientReads(pool, url, options);
  const db = dbOf((query) => {
    reads.send(query);
  });
  const end = async (limit?: { timeout: number }) => {
    await Promise.all([reads.end(limit), pool.end(limit)]);
  };
  return Object.assign(db, { ...pool, ...db, end });
}

class PatientReads {
  readonly #pool: Pool;
  readonly #url: string;
  readonly #options: PatientOptions;
  readonly #waitMs: number;
  readonly #standbys = new Map<string, Pool>();
  /** Set while the database does not answer: resolves when it does, or when nobody waits any more. */
  #back: Promise<void> | undefined;
  #waitUntil = -Infinity;

  constructor(pool: Pool, url: string, options: PatientOptions) {
    this.#pool = pool;
    this.#url = url;
    this.#options = options;
    this.#waitMs = hasSeveralServers(url) ? WAIT_FOR_PROMOTION_MS : WAIT_MS;
  }

  send(query: SentQuery): void {
    const { again, callback } = query;
    if (again === undefined) {
      this.#pool.send(query);
      return;
    }
    const until = performance.now() + this.#waitMs;
    const standbys = this.#usableStandbys();
    let isOver = false;
    let suspecting: NodeJS.Timeout | undefined;
    const deliver = ({ error, result }: Outcome) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(suspecting);
      callback(error, result);
    };
    const patiently: SentQuery['callback'] = (error, result) => {
      if (error && isGone(error)) void this.#findAnswer(again, until, { error, result }).then(deliver);
      else deliver({ error, result });
    };
    if (standbys.length > 0)
      suspecting = setTimeout(() => {
        void this.#askStandbys(again).then((outcome) => outcome && deliver(outcome));
      }, SUSPECT_MS).unref();
    query.callback = patiently;
    query.again = () => Object.assign(again(), { callback: patiently });
    if (this.#back === undefined || standbys.length === 0) this.#pool.send(query);
    else
      void this.#askStandbys(again).then((outcome) => (outcome ? deliver(outcome) : this.#pool.send(query)));
  }

  async #findAnswer(again: () => SentQuery, until: number, failed: Outcome): Promise<Outcome> {
    for (let last = failed; ;) {
      const outcome = await this.#askStandbys(again);
      if (outcome !== undefined) return outcome;
      const leftMs = until - performance.now();
      if (leftMs <= 0) return last;
      await Promise.race([this.#waitForDatabase(until), pause(leftMs, undefined, { ref: false })]);
      last = await outcomeOf(this.#pool, again());
      if (!last.error || !isGone(last.error)) return last;
    }
  }

  #waitForDatabase(until: number): Promise<void> {
    this.#waitUntil = Math.max(this.#waitUntil, until);
    return (this.#back ??= this.#probe().finally(() => {
      this.#back = undefined;
      void this.end();
    }));
  }

  async #probe(): Promise<void> {
    let isBack = false;
    while (!isBack && performance.now() < this.#waitUntil) {
      await pause(AGAIN_MS, undefined, { ref: false });
      isBack = await this.#pool`select`.then(
        () => true,
        (thrown: unknown) => !isUnavailable(thrown),
      );
    }
  }

  /** Closes the connections to standbys, which are opened again when they are needed. */
  async end(limit?: { timeout: number }): Promise<void> {
    const standbys = [...this.#standbys.values()];
    this.#standbys.clear();
    await Promise.all(standbys.map((standby) => standby.end(limit)));
  }

  #usableStandbys(): string[] {
    return this.#options.asksStandby ? standbysOf(this.#url) : [];
  }

  /** Returns undefined when no standby has an answer; the reason does not matter to the caller. */
  async #askStandbys(again: () => SentQuery): Promise<Outcome | undefined> {
    for (const url of this.#usableStandbys()) {
      const outcome = await outcomeOf(this.#standby(url), again());
      if (!outcome.error) return outcome;
    }
    return undefined;
  }

  #standby(url: string): Pool {
    const { statementTimeoutMs } = this.#options;
    return this.#standbys.getOrInsertComputed(url, () =>
      openPool(url, { max: STANDBY_CONNECTIONS, statementTimeoutMs, readOnly: true }),
    );
  }
}

function outcomeOf(pool: Pool, query: SentQuery): Promise<Outcome> {
  return new Promise((resolve) => {
    query.callback = (error, result) => {
      resolve({ error, result });
    };
    pool.send(query);
  });
}

/** True for the errors of a server that is gone, frozen or no longer the primary. */
function isGone(error: Error): boolean {
  const thrown = connectionError(error);
  return isUnavailable(thrown) && !SLOW.includes((thrown as { code?: string }).code ?? '');
}
