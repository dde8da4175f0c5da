import { hash } from 'node:crypto';

/** Hash under which a code or a token is stored. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
