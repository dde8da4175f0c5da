import { coalesce } from '../../core/memory/coalesce.ts';
import type { Lease } from '../../core/memory/lease.ts';
import { andThen, type NowOrLater } from '../../core/memory/now-or-later.ts';
import { hashApiKey, isWellFormedKey, type KeyKind } from './api-key.ts';

const BATCH_MAX = 1_000;
/** Keys in use are asked about again so many times within a lease. */
const RENEWALS = 2;

/** A key that was found, with what is known of its owner. */
export interface FoundKey<Owner> {
  owner: Owner;
  hash: Buffer;
  /** The hash as text. */
  name: string;
}

interface Entry<Owner> extends FoundKey<Owner> {
  until: number;
  used: boolean;
}

type FindAll<Owner> = (names: readonly string[]) => Promise<readonly (Owner | undefined)[]>;

/**
 * What a node knows of keys, each for the time of its lease. Keys that are in use are asked about again before that is
 * over, all in one statement, so that their requests do not wait for the database.
 */
export class KnownKeys<Owner> {
  readonly #lease: Lease;
  readonly #isWellFormed: (key: string) => boolean;
  readonly #findAll: FindAll<Owner>;
  readonly #find: (name: string) => Promise<{ owner: Owner | undefined; askedAt: number }>;
  /** By the key itself: to hash it costs as much as all the rest. Nobody can see from outside how far a guess was right. */
  readonly #entries = new Map<string, Entry<Owner>>();
  #renewing: NodeJS.Timeout | undefined;

  constructor(lease: Lease, prefix: string, kind: KeyKind, findAll: FindAll<Owner>) {
    this.#lease = lease;
    this.#isWellFormed = (key) => isWellFormedKey(prefix, kind, key);
    this.#findAll = findAll;
    this.#find = coalesce(async (names) => {
      const askedAt = performance.now();
      return (await findAll(names)).map((owner) => ({ owner, askedAt }));
    }, BATCH_MAX);
  }

  find(key: string): NowOrLater<FoundKey<Owner> | undefined> {
    const entry = this.#entries.get(key);
    if (entry !== undefined && entry.until > performance.now()) {
      entry.used = true;
      return entry;
    }
    if (!this.#isWellFormed(key)) return undefined;
    const hash = hashApiKey(key);
    const name = hash.toString('hex');
    return andThen(this.#find(name), ({ owner, askedAt }) => {
      if (owner === undefined) this.#entries.delete(key);
      else return this.#keep(key, { owner, hash, name, until: askedAt + this.#lease.ms, used: false });
    });
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }

  close(): void {
    clearTimeout(this.#renewing);
    this.#entries.clear();
  }

  /** The lease begins with the question: what changes after it was asked may not be in the answer. */
  #keep(key: string, entry: Entry<Owner>): Entry<Owner> {
    if (this.#lease.ms > 0) this.#entries.set(key, entry);
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
    // A database that cannot be asked lets the leases end; then the requests themselves ask, and hear of it.
    const found =
      used.length === 0 ? [] : await this.#findAll(used.map(([, { name }]) => name)).catch(() => []);
    for (const [i, owner] of found.entries()) {
      const [key, entry] = used[i] ?? [];
      if (key === undefined || entry === undefined || this.#entries.get(key) !== entry) continue;
      if (owner === undefined) this.#entries.delete(key);
      else Object.assign(entry, { owner, until: askedAt + this.#lease.ms });
    }
    this.#renewing = undefined;
    this.#renewLater();
  }
}
