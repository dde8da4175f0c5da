import type { Clock } from '../core/clock.ts';
import { coalesce } from '../core/coalesce.ts';
import type { Db, Pool } from '../core/db.ts';
import { AppError } from '../core/errors.ts';
import { planAt, type PlanRow } from '../metering/paid-plan.ts';
import type { AgentPlanName } from '../metering/plans.ts';
import { createApiKey, displayPrefix, hashApiKey, isWellFormedKey } from './api-key.ts';
import { KeyUses } from './key-uses.ts';

declare module '../core/context.ts' {
  interface Deps {
    keyOwners: KeyOwners;
  }
}

export interface KeyOwner {
  id: string;
  status: 'active' | 'suspended' | 'revoked';
  /** The plan that is paid for at this moment. */
  plan: AgentPlanName;
  keyHash: Buffer;
}

interface KnownKey extends Omit<KeyOwner, 'keyHash'> {
  revoked: boolean;
}

const BATCH_MAX = 1_000;

/** Finds the agents behind keys. Nothing is cached, so a revoked key fails at once on every node. */
export class KeyOwners {
  readonly #clock: Clock;
  readonly #prefix: string;
  readonly #find: (hash: Buffer) => Promise<KnownKey | undefined>;
  readonly #uses: KeyUses;

  constructor(pool: Pool, clock: Clock, prefix: string) {
    this.#clock = clock;
    this.#prefix = prefix;
    this.#find = coalesce((hashes) => findKeys(pool, hashes, clock.now()), BATCH_MAX);
    this.#uses = new KeyUses(pool);
  }

  async close(): Promise<void> {
    await this.#uses.close();
  }

  /** The agent behind a key, or the error that says why there is none. */
  async find(key: string): Promise<KeyOwner> {
    const keyHash = hashApiKey(key);
    const known = isWellFormedKey(this.#prefix, 'live', key) ? await this.#find(keyHash) : undefined;
    if (known === undefined) {
      throw new AppError('invalid_key', 'This key is not one that we issued, or it was mistyped.', {
        hint: 'Check the key for missing characters. A key that was lost cannot be shown again.',
      });
    }
    if (known.revoked || known.status === 'revoked') {
      throw new AppError('key_revoked', 'This key was revoked and no longer opens anything.');
    }
    this.#uses.note(keyHash.toString('hex'), this.#clock.now());
    return { id: known.id, status: known.status, plan: known.plan, keyHash };
  }
}

async function findKeys(pool: Pool, hashes: readonly Buffer[], now: Date): Promise<(KnownKey | undefined)[]> {
  const names = hashes.map((hash) => hash.toString('hex'));
  const rows = await pool<(KnownKey & PlanRow & { hash: string })[]>`
    select encode(k.hash, 'hex') as hash, a.id, a.status, a.plan, a.plan_until, a.prior_plan, a.prior_until,
           k.revoked_at is not null as revoked
    from string_to_table(${names.join(',')}, ',') asked(hash)
    join api_key k on k.hash = decode(asked.hash, 'hex') join agent a on a.id = k.agent_id`;
  const found = new Map(rows.map((row) => [row.hash, { ...row, plan: planAt(row, now) }]));
  return names.map((name) => found.get(name));
}

/** Makes the one live key of an account. The caller shows it once; only its hash stays. */
export async function issueKey(
  db: Db,
  prefix: string,
  owner: { agentId: string } | { partnerId: string },
  now: Date,
): Promise<string> {
  const key = createApiKey(prefix, 'agentId' in owner ? 'live' : 'partner');
  await db`
    insert into api_key (hash, prefix, agent_id, partner_id, created_at)
    values (${hashApiKey(key)}, ${displayPrefix(key)}, ${'agentId' in owner ? owner.agentId : null},
            ${'partnerId' in owner ? owner.partnerId : null}, ${now})`;
  return key;
}
