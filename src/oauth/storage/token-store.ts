import type { Adapter, AdapterPayload } from 'oidc-provider';
import { violatedConstraint, type Pool } from '../../core/postgres/db.ts';
import { noteClientUse } from './client-store.ts';
import { hashToken } from '../../core/secret/token.ts';
import type { LibraryClock } from './library-clock.ts';
import { errors } from '../library.ts';

type TokenKind = 'AuthorizationCode' | 'AccessToken' | 'RefreshToken';

/** An exchanged refresh token is accepted once more for this long: a response may be lost. Later reuse is theft. */
const REFRESH_GRACE_MS = 30_000;

interface TokenRow {
  payload: AdapterPayload;
  consumed_at: Date | null;
  consumed_again_at: Date | null;
}

export class TokenStore implements Pick<
  Adapter,
  'upsert' | 'find' | 'consume' | 'destroy' | 'revokeByGrantId'
> {
  readonly #pool: Pool;
  readonly #clock: LibraryClock;
  readonly #kind: TokenKind;

  constructor(pool: Pool, clock: LibraryClock, kind: TokenKind) {
    this.#pool = pool;
    this.#clock = clock;
    this.#kind = kind;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn = 0): Promise<void> {
    const { jti: _jti, ...stored } = this.#clock.toService(payload);
    const expiresAt = new Date(this.#clock.now().getTime() + expiresIn * 1000);
    try {
      await this.#pool`
        insert into oauth_token (hash, kind, grant_id, payload, expires_at)
        values (${hashToken(id)}, ${this.#kind}, ${payload.grantId ?? ''}, ${this.#pool.json(stored)}, ${expiresAt})
        on conflict (hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`;
    } catch (thrown) {
      if (violatedConstraint(thrown) === 'oauth_token_grant_exists')
        throw new errors.InvalidGrant('grant not found');
      throw thrown;
    }
    if (this.#kind === 'AccessToken')
      await noteClientUse(this.#pool, payload.clientId ?? '', this.#clock.now());
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const [row] = await this.#pool<TokenRow[]>`
      select payload, consumed_at, consumed_again_at from oauth_token where hash = ${hashToken(id)} and kind = ${this.#kind}`;
    if (row === undefined) return undefined;
    const payload = { ...this.#clock.toLibrary(row.payload), jti: id };
    return this.#isSpent(row) ? { ...payload, consumed: true } : payload;
  }

  #isSpent({ consumed_at, consumed_again_at }: TokenRow): boolean {
    if (consumed_at === null) return false;
    return this.#kind !== 'RefreshToken' || consumed_again_at !== null || consumed_at <= this.#graceStart();
  }

  /** Of two simultaneous requests with one code, the second revokes the grant of the first, like a later reuse. */
  async consume(id: string): Promise<void> {
    const now = this.#clock.now();
    const consumed = await this.#pool`
      update oauth_token set consumed_at = coalesce(consumed_at, ${now}),
        consumed_again_at = case when consumed_at is not null then ${now}::timestamptz end
      where hash = ${hashToken(id)} and (consumed_at is null or
        kind = 'RefreshToken' and consumed_again_at is null and consumed_at > ${this.#graceStart()})`;
    if (consumed.count > 0) return;
    await this.#pool`
      delete from oauth_grant where id = (select grant_id from oauth_token where hash = ${hashToken(id)})`;
    throw new errors.InvalidGrant('it was already exchanged');
  }

  #graceStart(): Date {
    return new Date(this.#clock.now().getTime() - REFRESH_GRACE_MS);
  }

  async destroy(id: string): Promise<void> {
    await this.#pool`delete from oauth_token where hash = ${hashToken(id)} and kind = ${this.#kind}`;
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#pool`delete from oauth_token where grant_id = ${grantId} and kind = ${this.#kind}`;
  }
}
