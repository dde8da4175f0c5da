import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { InTransaction, Pool } from '../../core/postgres/db.ts';
import type { LibraryClock } from './library-clock.ts';
import { AUTHORIZE_PATH } from '../paths.ts';
import { noteClientUse } from './client-store.ts';
import { hashToken } from '../../core/secret/token.ts';

/** Requests that wait for a person's decision. Their id is known to one browser only, and stored as a hash. */
export class InteractionStore implements Pick<Adapter, 'upsert' | 'find' | 'destroy'> {
  readonly #pool: Pool;
  readonly #inTransaction: InTransaction;
  readonly #clock: LibraryClock;
  readonly #baseUrl: string;

  constructor(pool: Pool, inTransaction: InTransaction, clock: LibraryClock, baseUrl: string) {
    this.#pool = pool;
    this.#inTransaction = inTransaction;
    this.#clock = clock;
    this.#baseUrl = baseUrl;
  }

  async upsert(uid: string, payload: AdapterPayload, expiresIn = 0): Promise<void> {
    const { jti: _jti, returnTo: _returnTo, ...stored } = this.#clock.toService(payload);
    const now = this.#clock.now();
    const expiresAt = new Date(now.getTime() + expiresIn * 1000);
    const clientId = payload.params?.['client_id'];
    await this.#inTransaction(async (tx) => {
      await tx`
        insert into oauth_interaction (uid_hash, payload, expires_at)
        values (${hashToken(uid)}, ${tx.json(stored)}, ${expiresAt})
        on conflict (uid_hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`;
      if (typeof clientId === 'string') await noteClientUse(tx, clientId, now);
    });
  }

  async find(uid: string): Promise<AdapterPayload | undefined> {
    const [row] = await this.#pool<{ payload: AdapterPayload }[]>`
      select payload from oauth_interaction
      where uid_hash = ${hashToken(uid)} and expires_at > ${this.#clock.now()}`;
    if (row === undefined) return undefined;
    const returnTo = `${this.#baseUrl}${AUTHORIZE_PATH}/${uid}`;
    return { ...this.#clock.toLibrary(row.payload), jti: uid, returnTo };
  }

  async destroy(uid: string): Promise<void> {
    await this.#pool`delete from oauth_interaction where uid_hash = ${hashToken(uid)}`;
  }
}
