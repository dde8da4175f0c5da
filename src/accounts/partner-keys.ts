import type { Clock } from '../core/clock.ts';
import { coalesce } from '../core/coalesce.ts';
import type { Pool } from '../core/db.ts';
import { AppError } from '../core/errors.ts';
import { PARTNER_PLANS, type PartnerPlanName } from '../metering/plans.ts';
import { hashApiKey, isWellFormedKey } from './api-key.ts';
import { KeyUses } from './key-uses.ts';
import { takeOverKey } from './partner-key-change.ts';

declare module '../core/context.ts' {
  interface Deps {
    partnerKeys: PartnerKeys;
  }
}

export interface PartnerKeyOwner {
  id: string;
  status: 'active' | 'suspended' | 'revoked';
  plan: PartnerPlanName;
  /** What may be spent in a month on calls past the allowance; null: they are refused. */
  spendLimitCents: number | null;
  bookingsEnabled: boolean;
  bookingsFrom: Date | null;
  keyHash: Buffer;
}

interface KnownKey {
  id: string;
  status: PartnerKeyOwner['status'];
  plan: PartnerPlanName;
  pay_per_call: boolean;
  spend_limit_cents: number;
  bookings_enabled: boolean;
  bookings_from: Date | null;
  revoked: boolean;
  pending_until: Date | null;
}

const BATCH_MAX = 1_000;

/** Finds the partners behind keys. Nothing is cached, so that a revoked key fails at once on every node. */
export class PartnerKeys {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #prefix: string;
  readonly #find: (hash: Buffer) => Promise<KnownKey | undefined>;
  readonly #uses: KeyUses;

  constructor(pool: Pool, clock: Clock, prefix: string) {
    this.#pool = pool;
    this.#clock = clock;
    this.#prefix = prefix;
    this.#find = coalesce((hashes) => findKeys(pool, hashes), BATCH_MAX);
    this.#uses = new KeyUses(pool);
  }

  async close(): Promise<void> {
    await this.#uses.close();
  }

  /** The partner behind a key, or the error that says why there is none. The first use of a mailed key ends the old one. */
  async find(key: string, requestId: string): Promise<PartnerKeyOwner> {
    const keyHash = hashApiKey(key);
    const known = isWellFormedKey(this.#prefix, 'partner', key) ? await this.#find(keyHash) : undefined;
    if (known === undefined) throw notOurs();
    if (known.revoked || known.status === 'revoked') throw revoked();
    const now = this.#clock.now();
    if (known.pending_until !== null) {
      if (known.pending_until <= now) throw notOurs();
      const live = await this.#pool.begin((sql) => takeOverKey(sql, keyHash, { now, requestId }));
      if (!live) throw revoked();
    }
    this.#uses.note(keyHash.toString('hex'), now);
    return {
      id: known.id,
      status: known.status,
      plan: known.plan,
      spendLimitCents:
        known.pay_per_call || PARTNER_PLANS[known.plan].pay_per_call ? known.spend_limit_cents : null,
      bookingsEnabled: known.bookings_enabled,
      bookingsFrom: known.bookings_from,
      keyHash,
    };
  }
}

async function findKeys(pool: Pool, hashes: readonly Buffer[]): Promise<(KnownKey | undefined)[]> {
  const names = hashes.map((hash) => hash.toString('hex'));
  const rows = await pool<(KnownKey & { hash: string })[]>`
    select encode(k.hash, 'hex') as hash, p.id, p.status, p.plan, p.pay_per_call, p.spend_limit_cents,
           p.bookings_enabled, p.bookings_from, k.revoked_at is not null as revoked, k.pending_until
    from unnest(${names}::text[]) asked(hash)
    join api_key k on k.hash = decode(asked.hash, 'hex') join partner p on p.id = k.partner_id`;
  const found = new Map(rows.map((row) => [row.hash, row]));
  return names.map((name) => found.get(name));
}

function notOurs(): AppError {
  return new AppError('invalid_key', 'This partner key is not one that we issued, or it was mistyped.', {
    hint: 'Check it for missing characters. A lost key is replaced by mail: POST /api/partner/signup again.',
  });
}

function revoked(): AppError {
  return new AppError(
    'key_revoked',
    'This partner key was replaced or revoked and no longer opens anything.',
    {
      hint: 'A new one is mailed to the partner by POST /api/partner/signup.',
    },
  );
}
