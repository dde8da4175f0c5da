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
interface PublishedKey {
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

type Signer = (text: string) => string;

/**
 * Returns a signer for every valid key, the newest first: two during a rotation. The first node that needs a key creates
 * it; the others read it.
 */
export async function currentSigners(db: Db, now: Date): Promise<Signer[]> {
  return (await validKeys(db, now)).map(({ seed }) => {
    const key = privateKey(seed);
    return (text) => sign(null, Buffer.from(text), key).toString('base64');
  });
}

/** Creates a new key. The old one also signs, and stays published, until the end of the grace period. */
export async function rotateSigningKey(
  tx: Db,
  now: Date,
  graceMs: number,
): Promise<{ kid: string; until: Date }> {
  await currentKey(tx, now);
  const until = new Date(now.getTime() + graceMs);
  await tx`update signing_key set not_after = ${until} where not_after is null`;
  return { kid: (await currentKey(tx, now)).kid, until };
}

/** Returns every key that signs, the newest first. */
export async function publishedKeys(db: Db, now: Date): Promise<PublishedKey[]> {
  return (await validKeys(db, now)).map(({ kid, seed, not_before, not_after }) => {
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

async function validKeys(db: Db, now: Date): Promise<readonly KeyRow[]> {
  await currentKey(db, now);
  return db<KeyRow[]>`
    select * from signing_key where not_after is null or not_after > ${now} order by not_after desc nulls first, kid`;
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
