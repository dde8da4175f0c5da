import { hash, timingSafeEqual } from 'node:crypto';
import { AppError } from './errors.ts';

const MAC_BYTES = 8;

/** Opaque cursors: what a page ended with, signed, so that nobody can make one up. */
export function encodeCursor(secret: Buffer, purpose: string, value: object): string {
  const body = Buffer.from(JSON.stringify(value));
  return Buffer.concat([macOf(secret, purpose, body), body]).toString('base64url');
}

export function decodeCursor(secret: Buffer, purpose: string, cursor: string): unknown {
  const bytes = Buffer.from(cursor, 'base64url');
  const body = bytes.subarray(MAC_BYTES);
  if (
    bytes.length <= MAC_BYTES ||
    !timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(secret, purpose, body))
  ) {
    throw new AppError('bad_cursor', 'This cursor is not one that we gave out for this list.', {
      hint: 'Send the next_cursor of the last page as it was, or leave it out to begin again.',
    });
  }
  return JSON.parse(body.toString('utf8'));
}

const BLOCK_BYTES = 64;
const pads = new WeakMap<Buffer, { inner: Buffer; outer: Buffer }>();

/** HMAC-SHA-256 by its definition: two hashes in one call each take a third of what an Hmac object does. */
function macOf(secret: Buffer, purpose: string, body: Buffer): Buffer {
  const { inner, outer } = padsOf(secret);
  const inside = hash('sha256', Buffer.concat([inner, Buffer.from(`${purpose}\n`), body]), 'buffer');
  return hash('sha256', Buffer.concat([outer, inside]), 'buffer').subarray(0, MAC_BYTES);
}

function padsOf(secret: Buffer): { inner: Buffer; outer: Buffer } {
  let both = pads.get(secret);
  if (both === undefined) {
    const key = Buffer.alloc(BLOCK_BYTES);
    (secret.length > BLOCK_BYTES ? hash('sha256', secret, 'buffer') : secret).copy(key);
    both = {
      inner: Buffer.from(key.map((byte) => byte ^ 0x36)),
      outer: Buffer.from(key.map((byte) => byte ^ 0x5c)),
    };
    pads.set(secret, both);
  }
  return both;
}
