import type { Deps } from '../../core/context.ts';
import type { Clock } from '../../core/clock.ts';
import { violatedConstraint, type Db, type Pool } from '../../core/postgres/db.ts';
import { AppError } from '../../core/errors.ts';
import type { Lease } from '../../core/memory/lease.ts';
import { andThen, type MaybePromise } from '../../core/memory/maybe-promise.ts';
import { planAt, type PlanRow, type AgentPlanName } from '../../metering/plans.ts';
import { hashToken } from '../../core/secret/token.ts';
import { createApiKey, displayPrefix } from './api-key.ts';
import { KeyCache, type CachedKey } from './key-cache.ts';

declare module '../../core/context.ts' {
  interface Deps {
    keyOwners: KeyOwners;
  }
}

export interface KeyOwner {
  id: string;
  status: 'active' | 'suspended' | 'revoked';
  plan: AgentPlanName;
  keyHash: Buffer;
}

interface KnownKey extends PlanRow {
  hash: string;
  id: string;
  status: KeyOwner['status'];
  revoked: boolean;
  revoked_because: 'mailbox_proven' | null;
}

/** Finds the agents behind keys. Entries are cached for a lease; a revocation waits until that lease has expired. */
export class KeyOwners {
  readonly #clock: Clock;
  readonly #contactEmail: string;
  readonly #cache: KeyCache<KnownKey>;

  constructor(
    databases: Pick<Deps, 'pool' | 'publicReads'>,
    clock: Clock,
    { prefix, contactEmail }: Pick<Deps['config'], 'prefix' | 'contactEmail'>,
    lease: Lease,
  ) {
    this.#clock = clock;
    this.#contactEmail = contactEmail;
    this.#cache = new KeyCache(lease, [prefix, 'live'], databases, findKeys);
  }

  close(): Promise<void> {
    return this.#cache.close();
  }

  /** Returns the agent behind a key, or throws the error that explains why there is none. */
  find(key: string): MaybePromise<KeyOwner> {
    return andThen(this.#cache.find(key), (cached) => this.#owner(cached));
  }

  #owner(key: CachedKey<KnownKey> | undefined): KeyOwner {
    if (key === undefined)
      throw new AppError('invalid_key', 'We did not issue this key, or it was mistyped.', {
        hint: 'Check the key for missing characters. A key that was lost cannot be shown again.',
      });
    const { owner, hash: keyHash, name } = key;
    if (owner.revoked && owner.revoked_because === 'mailbox_proven')
      throw new AppError(
        'key_revoked',
        "This key no longer works: the operator's mailbox was verified after the key was issued.",
        {
          hint: 'Keys issued before that do not work. The operator gets a new one by mail with POST /api/agent/recover, or connects a client by OAuth.',
        },
      );
    if (owner.revoked || owner.status === 'revoked') {
      throw new AppError('key_revoked', 'This key was revoked and no longer works.', {
        hint:
          owner.status === 'revoked'
            ? `Its account is closed, so no new key can be issued. If you think that this is wrong, write to ${this.#contactEmail}.`
            : 'It was replaced by a newer key. If that key is lost, the operator gets a new one by mail with POST /api/agent/recover.',
      });
    }
    const now = this.#clock.now();
    this.#cache.noteUse(name, now);
    return { id: owner.id, status: owner.status, plan: planAt(owner, now), keyHash };
  }
}

function findKeys(pool: Pool, hashes: readonly string[]): Promise<KnownKey[]> {
  return pool<KnownKey[]>`
    select encode(k.hash, 'hex') as hash, a.id, a.status, a.plan, a.plan_until, a.prior_plan, a.prior_until,
           k.revoked_at is not null as revoked, k.revoked_because
    from string_to_table(${hashes.join(',')}, ',') asked(hash)
    join api_key k on k.hash = decode(asked.hash, 'hex') join agent a on a.id = k.agent_id`;
}

type KeyAccount = { agentId: string } | { partnerId: string };

/** Issues the single live key of an account. The caller shows it once; only its hash is stored. */
export async function issueKey(db: Db, prefix: string, account: KeyAccount, now: Date): Promise<string> {
  const key = createApiKey(prefix, 'agentId' in account ? 'live' : 'partner');
  await db`
    insert into api_key (hash, prefix, agent_id, partner_id, created_at)
    values (${hashToken(key)}, ${displayPrefix(key)}, ${'agentId' in account ? account.agentId : null},
            ${'partnerId' in account ? account.partnerId : null}, ${now})`;
  return key;
}

/** Issues a key in place of a revoked one. Of two simultaneous replacements, one is refused. */
export async function issueReplacement(
  db: Db,
  prefix: string,
  account: KeyAccount,
  now: Date,
): Promise<string> {
  try {
    return await issueKey(db, prefix, account, now);
  } catch (thrown) {
    if (violatedConstraint(thrown)?.startsWith('api_key_one_live_per_') === true) throw keyReplaced(thrown);
    throw thrown;
  }
}

export function keyReplaced(cause?: unknown): AppError {
  return new AppError('key_revoked', 'This key was replaced by another request a moment ago.', { cause });
}
