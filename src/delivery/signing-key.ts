import {
  createHash,
  createPrivateKey,
  createPublicKey,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto';
import type { Db } from '../core/postgres/db.ts';

interface KeyRow {
  kid: string;
  seed: Buffer;
  not_before: Date;
  not_after: Date | null;
}

/** A published public key: a JSON Web Key, and the same key in the format of Standard Webhooks. */
export interface PublishedKey {
  kid: string;
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  whpk: string;
  not_before: string;
  not_after: string | null;
}

// RFC 8410: the DER prefix of a 32-byte Ed25519 private key.
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

export function webhookKeysPath(prefix: string): string {
  return `/.well-known/${prefix}-webhook-keys.json`;
}

/** Returns a signer for the current key. The first node that needs the key creates it; the others read it. */
export async function currentSigner(db: Db, now: Date): Promise<(text: string) => string> {
  const { seed } = await currentKey(db, now);
  const key = privateKey(seed);
  return (text) => sign(null, Buffer.from(text), key).toString('base64');
}

/** Returns every key whose signatures may still be in use. */
export async function publishedKeys(db: Db, now: Date): Promise<PublishedKey[]> {
  await currentKey(db, now);
  const rows = await db<KeyRow[]>`select * from signing_key order by not_before desc, kid`;
  return rows.map(({ kid, seed, not_before, not_after }) => {
    const x = publicHalf(seed);
    return {
      kid,
      kty: 'OKP',
      crv: 'Ed25519',
      x,
      whpk: `whpk_${Buffer.from(x, 'base64url').toString('base64')}`,
      not_before: not_before.toISOString(),
      not_after: not_after?.toISOString() ?? null,
    };
  });
}

async function currentKey(db: Db, now: Date): Promise<KeyRow> {
  const existing = await findCurrent(db);
  if (existing !== undefined) return existing;
  const seed = randomBytes(32);
  await db`
    insert into signing_key (kid, seed, not_before) values (${keyId(publicHalf(seed))}, ${seed}, ${now})
    on conflict do nothing`;
  const created = await findCurrent(db);
  if (created === undefined) throw new Error('The signing key disappeared while it was being created.');
  return created;
}

async function findCurrent(db: Db): Promise<KeyRow | undefined> {
  const [row] = await db<KeyRow[]>`select * from signing_key where not_after is null`;
  return row;
}

function privateKey(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
}

function publicHalf(seed: Buffer): string {
  const { x } = createPublicKey(privateKey(seed)).export({ format: 'jwk' });
  if (x === undefined) throw new Error('A key of this type must have a public half.');
  return x;
}

function keyId(x: string): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');
}
