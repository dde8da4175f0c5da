import { randomBytes } from 'node:crypto';
import type { Pool } from '../postgres/db.ts';

declare module '../context.ts' {
  interface Deps {
    secrets: Secrets;
  }
}

/** Random keys shared by all nodes of an installation. They are stored in the database, so restarts keep them. */
export interface Secrets {
  session: Buffer;
  idempotency: Buffer;
  /** Encrypts the second factors of staff. */
  staff: Buffer;
  /** Signs OAuth cookies and encrypts the secrets of OAuth clients. */
  oauth: Buffer;
  /** Encrypts the secrets with which webhook receivers verify our calls. */
  webhooks: Buffer;
  /** Encrypts the credentials of venues' booking systems, and derives guests' pseudonyms for them. */
  connector: Buffer;
}

export async function loadSecrets(pool: Pool): Promise<Secrets> {
  return {
    session: await loadSecret(pool, 'session'),
    idempotency: await loadSecret(pool, 'idempotency'),
    staff: await loadSecret(pool, 'staff'),
    oauth: await loadSecret(pool, 'oauth'),
    webhooks: await loadSecret(pool, 'webhooks'),
    connector: await loadSecret(pool, 'connector'),
  };
}

async function loadSecret(pool: Pool, name: keyof Secrets): Promise<Buffer> {
  await pool`insert into service_secret (name, value) values (${name}, ${randomBytes(32)}) on conflict do nothing`;
  const [row] = await pool<{ value: Buffer }[]>`select value from service_secret where name = ${name}`;
  if (row === undefined) throw new Error(`The secret ${name} disappeared while it was being read.`);
  return row.value;
}
