import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Db, Pool } from '../../core/postgres/db.ts';
import { seal, unseal } from '../../core/secret/seal.ts';
import { DAY_MS } from '../../core/time.ts';

const CLIENT_ID = /^ocl_[0-9a-hjkmnp-tv-z]{26}$/;

interface NewClient {
  id: string;
  metadata: Record<string, unknown>;
  secret: string | undefined;
  /** Identifies a public client that registers with the same metadata again. */
  fingerprint: Buffer | undefined;
  from: string;
  now: Date;
}

export async function addClient(
  db: Db,
  key: Buffer,
  { id, metadata, secret, fingerprint, from, now }: NewClient,
): Promise<boolean> {
  const sealed = secret === undefined ? null : seal(key, id, Buffer.from(secret));
  const added = await db`
    insert into oauth_client (id, metadata, sealed_secret, fingerprint, registered_from, created_at, last_used_at)
    values (${id}, ${db.json(metadata)}, ${sealed}, ${fingerprint ?? null}, ${from}, ${now}, ${now})
    on conflict on constraint oauth_client_fingerprint_unique do nothing`;
  return added.count === 1;
}

export async function findSameClient(
  db: Db,
  fingerprint: Buffer,
  now: Date,
): Promise<(Record<string, unknown> & { client_id: string }) | undefined> {
  const [row] = await db<{ id: string; metadata: Record<string, unknown> }[]>`
    select id, metadata from oauth_client where fingerprint = ${fingerprint}`;
  if (row === undefined) return undefined;
  await noteClientUse(db, row.id, now);
  return { client_id: row.id, ...row.metadata };
}

const NOTED_EVERY_MS = DAY_MS;

/** Records that a registered client is in use. Many people may use one, so it is written at most once a day. */
export async function noteClientUse(db: Db, id: string, now: Date): Promise<void> {
  await db`
    update oauth_client set last_used_at = ${now}
    where id = ${id} and last_used_at <= ${new Date(now.getTime() - NOTED_EVERY_MS)}`;
}

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
