import { hash } from 'node:crypto';

/** Under what a code or a token is kept. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
