import { hash, randomBytes } from 'node:crypto';

/** Text that can be a token of `newToken`. */
export const TOKEN = /^[\w-]{43}$/;

/** Returns a secret of 256 random bits for a cookie or a mailed link. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Hash under which a secret (key, token, code) is stored. A fast hash is safe for keys and tokens, because they have 128
 * random bits or more.
 */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
