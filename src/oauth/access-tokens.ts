import { isWellFormedKey } from '../accounts/keys/api-key.ts';
import { KeyUses, NOTED_EVERY_MS } from '../accounts/keys/key-uses.ts';
import type { Clock } from '../core/clock.ts';
import { coalesce } from '../core/memory/coalesce.ts';
import type { Pool } from '../core/postgres/db.ts';
import { AppError } from '../core/errors.ts';
import { planAt, type PlanRow, type AgentPlanName } from '../metering/plans.ts';
import { readScopes, type Scope } from './scopes.ts';
import { hashToken } from './storage/hash-token.ts';

declare module '../core/context.ts' {
  interface Deps {
    accessTokens: AccessTokens;
  }
}

export interface TokenOwner {
  id: string;
  status: 'active' | 'suspended' | 'revoked';
  plan: AgentPlanName;
  scopes: readonly Scope[];
}

interface TokenRow extends PlanRow {
  hash: string;
  grant_id: string;
  audience: string | null;
  scope: string | null;
  expires_at: Date;
  agent_id: string;
  status: TokenOwner['status'];
}

const BATCH_MAX = 1_000;

/** Finds the accounts behind access tokens. Nothing is kept, so that a client that was disconnected fails at once. */
export class AccessTokens {
  readonly #clock: Clock;
  readonly #prefix: string;
  readonly #find: (hash: string) => Promise<TokenRow | undefined>;
  readonly #uses: KeyUses;

  constructor(pool: Pool, clock: Clock, prefix: string) {
    this.#clock = clock;
    this.#prefix = prefix;
    this.#find = coalesce((hashes) => findTokens(pool, hashes), BATCH_MAX);
    this.#uses = new KeyUses(pool, writeGrantUses);
  }

  async close(): Promise<void> {
    await this.#uses.close();
  }

  /** Whether a credential means to be an access token, whatever it is worth. */
  isToken(credential: string): boolean {
    return credential.startsWith(`${this.#prefix}_at_`);
  }

  /** The account behind a token for this resource, or the error that says why there is none. */
  async find(token: string, resource: string): Promise<TokenOwner> {
    const row = isWellFormedKey(this.#prefix, 'at', token)
      ? await this.#find(hashToken(token).toString('hex'))
      : undefined;
    if (row === undefined || row.status === 'revoked')
      throw new AppError('invalid_key', 'This token is not one that we issued, or it was revoked.', {
        hint: 'Ask for authorization again.',
      });
    const now = this.#clock.now();
    if (row.expires_at <= now)
      throw new AppError('token_expired', 'This token has expired.', {
        hint: 'Renew it with your refresh token.',
      });
    if (row.audience !== resource)
      throw new AppError('wrong_audience', 'This token was issued for another address.', {
        hint: `It opens ${row.audience ?? 'nothing here'}. Send an API key here.`,
      });
    this.#uses.note(row.grant_id, now);
    const scopes = readScopes(this.#prefix, row.scope ?? '');
    return { id: row.agent_id, status: row.status, plan: planAt(row, now), scopes };
  }
}

async function findTokens(pool: Pool, hashes: readonly string[]): Promise<(TokenRow | undefined)[]> {
  const rows = await pool<TokenRow[]>`
    select asked.hash, t.grant_id, t.payload ->> 'aud' as audience, t.payload ->> 'scope' as scope, t.expires_at,
           a.id as agent_id, a.status, a.plan, a.plan_until, a.prior_plan, a.prior_until
    from unnest(${[...hashes]}::text[]) asked(hash)
    join oauth_token t on t.hash = decode(asked.hash, 'hex') and t.kind = 'AccessToken'
    join oauth_grant g on g.id = t.grant_id join agent a on a.id = g.agent_id`;
  const found = new Map(rows.map((row) => [row.hash, row]));
  return hashes.map((hash) => found.get(hash));
}

async function writeGrantUses(pool: Pool, ids: string[], times: string[]): Promise<void> {
  await pool`
    update oauth_grant g set last_used_at = greatest(g.last_used_at, used.at)
    from unnest(${ids}::text[], ${times}::text[]::timestamptz[]) as used(id, at)
    where g.id = used.id
      and (g.last_used_at is null or g.last_used_at <= used.at - ${NOTED_EVERY_MS} * interval '1 millisecond')`;
}
