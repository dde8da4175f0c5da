import { isWellFormedKey } from '../accounts/keys/api-key.ts';
import { partnerOwner, type PartnerKeyOwner, type PartnerRow } from '../accounts/partners/partner-keys.ts';
import { LatelyVerified } from '../accounts/keys/lately-verified.ts';
import { LastUseRecorder, LAST_USE_INTERVAL_MS } from '../accounts/keys/key-uses.ts';
import type { Clock } from '../core/clock.ts';
import { coalesce } from '../core/memory/coalesce.ts';
import type { Pool } from '../core/postgres/db.ts';
import { AppError } from '../core/errors.ts';
import type { Deps, Scope } from '../core/context.ts';
import { planAt, type AgentPlanName, type PartnerPlanName, type PlanRow } from '../metering/plans.ts';
import { readScopes, SCOPES } from './scopes.ts';
import { hashToken } from '../core/secret/token.ts';

declare module '../core/context.ts' {
  interface Deps {
    accessTokens: AccessTokens;
  }
}

/** The account behind a token: an agent's, or a partner's with the same data that its key would give. */
export type TokenOwner = { scopes: readonly Scope[] } & (
  | { kind: 'agent'; id: string; status: Status; plan: AgentPlanName }
  | ({ kind: 'partner' } & Omit<PartnerKeyOwner, 'keyHash'>)
);

type Status = 'active' | 'suspended' | 'revoked';

interface TokenRow extends PlanRow, Omit<PartnerRow, 'plan'> {
  hash: string;
  grant_id: string;
  audience: string | null;
  scope: string | null;
  expires_at: Date;
  of: TokenOwner['kind'];
  partner_plan: PartnerPlanName;
}

const BATCH_MAX = 1_000;

/** Finds the accounts behind access tokens. Each is looked up, so that a disconnected client fails at once. */
export class AccessTokens {
  readonly #clock: Clock;
  readonly #prefix: string;
  readonly #find: (hash: string) => Promise<TokenRow | undefined>;
  readonly #lately: LatelyVerified<TokenRow>;
  readonly #uses: LastUseRecorder;

  constructor({ pool, publicReads }: Pick<Deps, 'pool' | 'publicReads'>, clock: Clock, prefix: string) {
    this.#clock = clock;
    this.#prefix = prefix;
    this.#find = coalesce((hashes) => findTokens(pool, hashes), BATCH_MAX);
    this.#lately = new LatelyVerified(async (hash) => (await findTokens(publicReads, [hash]))[0]);
    this.#uses = new LastUseRecorder(pool, writeGrantUses);
  }

  async close(): Promise<void> {
    await this.#uses.close();
  }

  isToken(credential: string): boolean {
    return credential.startsWith(`${this.#prefix}_at_`);
  }

  /** Returns the account behind a token for this resource, or throws the error that explains why there is none. */
  async find(token: string, resource: string): Promise<TokenOwner> {
    const row = isWellFormedKey(this.#prefix, 'at', token)
      ? await this.#row(hashToken(token).toString('hex'))
      : undefined;
    if (row === undefined || row.status === 'revoked')
      throw new AppError('invalid_key', 'We did not issue this token, or it was revoked.', {
        hint: 'Request authorization again.',
      });
    const now = this.#clock.now();
    if (row.expires_at <= now)
      throw new AppError('token_expired', 'This token has expired.', {
        hint: 'Renew it with your refresh token.',
      });
    if (row.audience !== resource)
      throw new AppError('wrong_audience', 'This token was issued for another address.', {
        hint: `It is valid for ${row.audience ?? 'no endpoint here'}. Request a token for this address, or send a key.`,
      });
    this.#uses.note(row.grant_id, now);
    return ownerOf(row, readScopes(this.#prefix, row.scope ?? '', { scopes: SCOPES }), now);
  }

  async #row(hash: string): Promise<TokenRow | undefined> {
    try {
      const row = await this.#find(hash);
      if (row === undefined) this.#lately.forget(hash);
      else this.#lately.keep(hash, row);
      return row;
    } catch (thrown) {
      return await this.#lately.insteadOf(thrown, hash);
    }
  }
}

function ownerOf(row: TokenRow, scopes: readonly Scope[], now: Date): TokenOwner {
  const { of: kind, id, status } = row;
  if (kind === 'agent') return { kind, id, status, plan: planAt(row, now), scopes };
  return { kind, ...partnerOwner({ ...row, plan: row.partner_plan }), scopes };
}

async function findTokens(pool: Pool, hashes: readonly string[]): Promise<(TokenRow | undefined)[]> {
  const rows = await pool<TokenRow[]>`
    select asked.hash, t.grant_id, t.payload ->> 'aud' as audience, t.payload ->> 'scope' as scope, t.expires_at,
           case when g.partner_id is null then 'agent' else 'partner' end as of,
           coalesce(a.id, p.id) as id, coalesce(a.status, p.status) as status,
           a.plan, a.plan_until, a.prior_plan, a.prior_until,
           p.plan as partner_plan, p.pay_per_call, p.spend_limit_cents, p.bookings_enabled, p.bookings_from
    from unnest(${[...hashes]}::text[]) asked(hash)
    join oauth_token t on t.hash = decode(asked.hash, 'hex') and t.kind = 'AccessToken'
    join oauth_grant g on g.id = t.grant_id
    left join agent a on a.id = g.agent_id left join partner p on p.id = g.partner_id`;
  const rowsByHash = new Map(rows.map((row) => [row.hash, row]));
  return hashes.map((hash) => rowsByHash.get(hash));
}

async function writeGrantUses(pool: Pool, ids: string[], times: string[]): Promise<void> {
  await pool`
    update oauth_grant g set last_used_at = greatest(g.last_used_at, used.at)
    from unnest(${ids}::text[], ${times}::text[]::timestamptz[]) as used(id, at)
    where g.id = used.id
      and (g.last_used_at is null or g.last_used_at <= used.at - ${LAST_USE_INTERVAL_MS} * interval '1 millisecond')`;
}
