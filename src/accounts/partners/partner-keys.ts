import { recordAudit } from '../../core/audit.ts';
import type { Clock } from '../../core/clock.ts';
import type { Deps } from '../../core/context.ts';
import { transactionsOf, type InTransaction, type Pool } from '../../core/postgres/db.ts';
import { AppError } from '../../core/errors.ts';
import type { Lease } from '../../core/memory/lease.ts';
import { andThen, type MaybePromise } from '../../core/memory/maybe-promise.ts';
import { PARTNER_PLANS, type PartnerPlanName } from '../../metering/plans.ts';
import { KeyCache } from '../keys/key-cache.ts';
import { activatePendingKey } from './partner-key-change.ts';

declare module '../../core/context.ts' {
  interface Deps {
    partnerKeys: PartnerKeys;
  }
}

export interface PartnerKeyOwner {
  id: string;
  status: 'active' | 'suspended' | 'revoked';
  plan: PartnerPlanName;
  spendLimitCents: number | null;
  bookingsEnabled: boolean;
  bookingsFrom: Date | null;
  keyHash: Buffer;
}

export interface PartnerRow {
  id: string;
  status: PartnerKeyOwner['status'];
  plan: PartnerPlanName;
  pay_per_call: boolean;
  spend_limit_cents: number;
  bookings_enabled: boolean;
  bookings_from: Date | null;
}

interface KnownKey extends PartnerRow {
  hash: string;
  revoked: boolean;
  revoked_because: 'mailbox_proven' | null;
  pending_until: Date | null;
}

/** Finds the partners behind keys. Entries are cached for a lease; a revocation waits until that lease has expired. */
export class PartnerKeys {
  readonly #inTransaction: InTransaction;
  readonly #clock: Clock;
  readonly #letters: Pick<Deps, 'config' | 'newId'>;
  readonly #lease: Lease;
  readonly #cache: KeyCache<KnownKey>;

  constructor(
    databases: Pick<Deps, 'pool' | 'publicReads'>,
    clock: Clock,
    letters: Pick<Deps, 'config' | 'newId'>,
    lease: Lease,
  ) {
    this.#inTransaction = transactionsOf(databases.pool);
    this.#clock = clock;
    this.#letters = letters;
    this.#lease = lease;
    this.#cache = new KeyCache(lease, [letters.config.prefix, 'partner'], databases, findKeys);
  }

  close(): Promise<void> {
    return this.#cache.close();
  }

  /** The partner behind a key, or the error that explains why there is none. A mailed key replaces the old one. */
  find(key: string, requestId: string): MaybePromise<PartnerKeyOwner> {
    return andThen(this.#cache.find(key), (cached) => {
      if (cached === undefined) throw notOurs();
      const { owner: row, hash, name } = cached;
      if (row.revoked || row.status === 'revoked') throw revoked(row.revoked_because);
      const now = this.#clock.now();
      this.#cache.noteUse(name, now);
      const owner = { ...partnerOwner(row), keyHash: hash };
      if (row.pending_until === null) return owner;
      if (row.pending_until <= now) throw notOurs();
      return this.#takeOver(key, hash, { requestId, now }).then(() => owner);
    });
  }

  /** Runs before any operation, also reads, so it has a transaction and an audit row of its own. */
  async #takeOver(key: string, hash: Buffer, by: { requestId: string; now: Date }): Promise<void> {
    const live = await this.#inTransaction(async (tx) => {
      const takeover = await activatePendingKey(tx, { ...this.#letters, now: by.now }, hash);
      if (takeover?.changed === true) {
        const { partnerId } = takeover;
        const { now: at, requestId } = by;
        const operation = 'take_over_partner_key';
        await recordAudit(tx, { at, actor: partnerId, operation, requestId, subject: partnerId });
      }
      return takeover !== undefined;
    });
    this.#cache.forget(key, hash.toString('hex'));
    if (!live) throw revoked();
    await this.#lease.lapsed();
  }
}

export function partnerOwner(row: PartnerRow): Omit<PartnerKeyOwner, 'keyHash'> {
  const { id, status, plan, pay_per_call, spend_limit_cents, bookings_enabled, bookings_from } = row;
  return {
    id,
    status,
    plan,
    spendLimitCents: pay_per_call || PARTNER_PLANS[plan].pay_per_call ? spend_limit_cents : null,
    bookingsEnabled: bookings_enabled,
    bookingsFrom: bookings_from,
  };
}

function findKeys(pool: Pool, hashes: readonly string[]): Promise<KnownKey[]> {
  return pool<KnownKey[]>`
    select encode(k.hash, 'hex') as hash, p.id, p.status, p.plan, p.pay_per_call, p.spend_limit_cents,
           p.bookings_enabled, p.bookings_from, k.revoked_at is not null as revoked, k.revoked_because,
           k.pending_until
    from string_to_table(${hashes.join(',')}, ',') asked(hash)
    join api_key k on k.hash = decode(asked.hash, 'hex') join partner p on p.id = k.partner_id`;
}

function notOurs(): AppError {
  return new AppError('invalid_key', 'We did not issue this partner key, or it was mistyped.', {
    hint: 'Check it for missing characters. A lost key is replaced by mail: POST /api/partner/signup again.',
  });
}

function revoked(because: KnownKey['revoked_because'] = null): AppError {
  const message =
    because === 'mailbox_proven'
      ? 'This partner key no longer works: the mailbox of the account was verified after the key was issued.'
      : 'This partner key was replaced or revoked and no longer works.';
  return new AppError('key_revoked', message, {
    hint: 'POST /api/partner/signup mails a new one to the partner.',
  });
}
