import { randomInt, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

interface Cost {
  N: number;
  r: number;
  p: number;
}

// OWASP's parameters for scrypt: N = 2^17, r = 8, p = 1; about 130 MB and 0.3 s per guess.
const COST: Cost = { N: 2 ** 17, r: 8, p: 1 };
const MEMORY_MAX = 256 * 1024 * 1024;
const KEY_BYTES = 32;

const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789';

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, COST);
  return `scrypt$${COST.N}$${COST.r}$${COST.p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

/** Uses the cost stored with the hash, so that passwords hashed under an older cost still work. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [kind, N, r, p, salt, key] = stored.split('$');
  if (kind !== 'scrypt' || salt === undefined || key === undefined) return false;
  const expected = Buffer.from(key, 'base64url');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const derived = await derive(password, Buffer.from(salt, 'base64url'), cost);
  return derived.length === expected.length && timingSafeEqual(derived, expected);
}

/** Four groups of five: 99 bits, and easy to read aloud. */
function randomPassword(): string {
  const group = () => Array.from({ length: 5 }, () => READABLE.charAt(randomInt(READABLE.length))).join('');
  return [group(), group(), group(), group()].join('-');
}

function derive(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { ...cost, maxmem: MEMORY_MAX }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

/** A password that is shown once, with its hash. Hashing is slow on purpose, so it is done before a transaction. */
export interface HashedPassword {
  password: string;
  hash: string;
}

export async function preparePassword(password = randomPassword()): Promise<HashedPassword> {
  return { password, hash: await hashPassword(password) };
}
