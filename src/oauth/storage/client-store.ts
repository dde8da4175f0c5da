import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Db, Pool } from '../../core/postgres/db.ts';
import { seal, unseal } from '../../core/secret/seal.ts';
import { keepTidy } from '../tidy-oauth.ts';

const CLIENT_ID = /^ocl_[0-9a-hjkmnp-tv-z]{26}$/;

export interface NewClient {
  id: string;
  metadata: Record<string, unknown>;
  secret: string | undefined;
  /** The address that registered it. */
  from: string;
  now: Date;
}

export async function addClient(
  db: Db,
  key: Buffer,
  { id, metadata, secret, from, now }: NewClient,
): Promise<void> {
  const sealed = secret === undefined ? null : seal(key, id, Buffer.from(secret));
  await db`
    insert into oauth_client (id, metadata, sealed_secret, registered_from, created_at, last_used_at)
    values (${id}, ${db.json(metadata)}, ${sealed}, ${from}, ${now}, ${now})`;
  await keepTidy(db);
}

/** Clients that registered themselves, as the library reads them. */
export class ClientStore implements Pick<Adapter, 'find'> {
  readonly #pool: Pool;
  readonly #key: Buffer;

  constructor(pool: Pool, key: Buffer) {
    this.#pool = pool;
    this.#key = key;
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    if (!CLIENT_ID.test(id)) return undefined;
    const [row] = await this.#pool<{ metadata: AdapterPayload; sealed_secret: Buffer | null }[]>`
      select metadata, sealed_secret from oauth_client where id = ${id}`;
    if (row === undefined) return undefined;
    const { metadata, sealed_secret } = row;
    if (sealed_secret === null) return { ...metadata, client_id: id };
    return { ...metadata, client_id: id, client_secret: unseal(this.#key, id, sealed_secret).toString() };
  }
}
