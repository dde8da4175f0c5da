import type { Deps } from '../../core/context.ts';
import { coalesce } from '../../core/memory/coalesce.ts';
import type { Lease } from '../../core/memory/lease.ts';
import { andThen, orElse, type MaybePromise } from '../../core/memory/maybe-promise.ts';
import type { Pool } from '../../core/postgres/db.ts';
import { hashToken } from '../../core/secret/token.ts';
import { isWellFormedKey, type KeyKind } from './api-key.ts';
import { LastUseRecorder } from './key-uses.ts';
import { LatelyVerified } from './lately-verified.ts';

const BATCH_MAX = 1_000;
/** Number of times that keys in use are refreshed within a lease. */
const RENEWALS = 2;

export interface CachedKey<Owner> {
  owner: Owner;
  hash: Buffer;
  name: string;
}

interface Entry<Owner> extends CachedKey<Owner> {
  until: number;
  used: boolean;
}

type FindAll<Owner> = (names: readonly string[]) => Promise<readonly (Owner | undefined)[]>;

/** Reads the owners of the keys with these hashes in hexadecimal, each row with its hash. */
type FindOwners<Owner> = (pool: Pool, hashes: readonly string[]) => Promise<readonly Owner[]>;

/**
 * Caches key owners for a lease, and records the last uses of keys. Keys in use are refreshed before the lease expires,
 * all in one statement.
 */
export class KeyCache<Owner extends { hash: string }> {
  readonly #lease: Lease;
  readonly #isWellFormed: (key: string) => boolean;
  readonly #findAll: FindAll<Owner>;
  readonly #find: (name: string) => Promise<{ owner: Owner | undefined; askedAt: number }>;
  /** Keyed by the key itself, because hashing costs as much as the rest. Timing reveals nothing about a guess. */
  readonly #entries = new Map<string, Entry<Owner>>();
  readonly #lately: LatelyVerified<{ owner: Owner }>;
  readonly #uses: LastUseRecorder;
  #renewing: NodeJS.Timeout | undefined;

  /** While the database cannot be asked, `publicReads` asks a standby. */
  constructor(
    lease: Lease,
    [prefix, kind]: readonly [prefix: string, kind: KeyKind],
    { pool, publicReads }: Pick<Deps, 'pool' | 'publicReads'>,
    findOwners: FindOwners<Owner>,
  ) {
    const findAllIn =
      (db: Pool): FindAll<Owner> =>
      async (hashes) => {
        const owners = new Map((await findOwners(db, hashes)).map((owner) => [owner.hash, owner]));
        return hashes.map((hash) => owners.get(hash));
      };
    const findAll = findAllIn(pool);
    const findOnStandby = findAllIn(publicReads);
    this.#uses = new LastUseRecorder(pool);
    this.#lease = lease;
    this.#lately = new LatelyVerified<{ owner: Owner }>(async (name) => {
      const [owner] = await findOnStandby([name]);
      return owner === undefined ? undefined : { owner };
    });
    this.#isWellFormed = (key) => isWellFormedKey(prefix, kind, key);
    this.#findAll = findAll;
    this.#find = coalesce(async (names) => {
      const askedAt = performance.now();
      return (await findAll(names)).map((owner) => ({ owner, askedAt }));
    }, BATCH_MAX);
  }

  find(key: string): MaybePromise<CachedKey<Owner> | undefined> {
    const entry = this.#entries.get(key);
    if (entry !== undefined && entry.until > performance.now()) {
      entry.used = true;
      return entry;
    }
    if (!this.#isWellFormed(key)) return undefined;
    const hash = hashToken(key);
    const name = hash.toString('hex');
    return orElse<CachedKey<Owner> | undefined>(
      () =>
        andThen(this.#find(name), ({ owner, askedAt }) => {
          if (owner === undefined) this.forget(key, name);
          else return this.#keep(key, { owner, hash, name, until: askedAt + this.#lease.ms, used: false });
        }),
      async (thrown) => ({ ...(await this.#lately.insteadOf(thrown, name)), hash, name }),
    );
  }

  forget(key: string, name: string): void {
    this.#entries.delete(key);
    this.#lately.forget(name);
  }

  noteUse(name: string, now: Date): void {
    this.#uses.note(name, now);
  }

  async close(): Promise<void> {
    clearTimeout(this.#renewing);
    this.#entries.clear();
    await this.#uses.close();
  }

  /** The lease starts when the query is sent: the result may lack any later change. */
  #keep(key: string, entry: Entry<Owner>): Entry<Owner> {
    if (this.#lease.ms > 0) this.#entries.set(key, entry);
    this.#lately.keep(entry.name, entry);
    this.#renewLater();
    return entry;
  }

  #renewLater(): void {
    if (this.#entries.size === 0) return;
    this.#renewing ??= setTimeout(() => void this.#renew(), this.#lease.ms / RENEWALS).unref();
  }

  async #renew(): Promise<void> {
    const askedAt = performance.now();
    const used: [key: string, entry: Entry<Owner>][] = [];
    for (const [key, entry] of this.#entries) {
      if (entry.used) used.push([key, entry]);
      else if (entry.until <= askedAt) this.#entries.delete(key);
      entry.used = false;
    }
    // When the database is unavailable, the leases expire; then the requests query it themselves.
    const owners =
      used.length === 0 ? [] : await this.#findAll(used.map(([, { name }]) => name)).catch(() => []);
    for (const [i, owner] of owners.entries()) {
      const [key, entry] = used[i] ?? [];
      if (key === undefined || entry === undefined || this.#entries.get(key) !== entry) continue;
      if (owner === undefined) this.forget(key, entry.name);
      else {
        Object.assign(entry, { owner, until: askedAt + this.#lease.ms });
        this.#lately.keep(entry.name, entry);
      }
    }
    this.#renewing = undefined;
    this.#renewLater();
  }
}
