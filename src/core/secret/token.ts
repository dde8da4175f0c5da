import { hash, randomBytes } from 'node:crypto';

/** Text that can be a token of `newToken`. */
export const TOKEN = /^[\w-]{43}$/;

export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Hash under which a secret is stored. A fast hash is safe, because keys and tokens have 128 random bits. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
