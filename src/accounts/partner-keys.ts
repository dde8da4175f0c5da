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

/** Keys go out and owners come back as one text each, which costs a fraction of a list and its rows. */
async function findKeys(pool: Pool, hashes: readonly Buffer[]): Promise<(KnownKey | undefined)[]> {
  const names = hashes.map((hash) => hash.toString('hex'));
  const [row] = await pool<{ owners: string | null }[]>`
    select json_agg(json_build_array(encode(k.hash, 'hex'), p.id, p.status, p.plan, p.pay_per_call, p.spend_limit_cents,
             p.bookings_enabled, p.bookings_from, k.revoked_at is not null, k.pending_until))::text as owners
    from string_to_table(${names.join(',')}, ',') asked(hash)
    join api_key k on k.hash = decode(asked.hash, 'hex') join partner p on p.id = k.partner_id`;
  const owners = JSON.parse(row?.owners ?? '[]') as OwnerText[];
  const found = new Map(owners.map((owner) => [owner[0], knownKey(owner)]));
  return names.map((name) => found.get(name));
}

type OwnerText = [
  hash: string,
  id: string,
  status: KnownKey['status'],
  plan: PartnerPlanName,
  pay_per_call: boolean,
  spend_limit_cents: number,
  bookings_enabled: boolean,
  bookings_from: string | null,
  revoked: boolean,
  pending_until: string | null,
];

function knownKey(owner: OwnerText): KnownKey {
  const [, id, status, plan, pay_per_call, spend_limit_cents, bookings_enabled, from, revoked, until] = owner;
  const bookings_from = from === null ? null : new Date(from);
  const pending_until = until === null ? null : new Date(until);
  return {
    id,
    status,
    plan,
    pay_per_call,
    spend_limit_cents,
    bookings_enabled,
    bookings_from,
    revoked,
    pending_until,
  };
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
