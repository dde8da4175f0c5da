import { hash, timingSafeEqual } from 'node:crypto';
import { AppError } from './errors.ts';

const MAC_BYTES = 8;

/** Encodes an opaque cursor: the end of a page, signed so that it cannot be forged. */
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
    throw new AppError('bad_cursor', 'This cursor does not belong to this list.', {
      hint: 'Send the next_cursor of the previous page unchanged, or omit it to start again.',
    });
  }
  return JSON.parse(body.toString('utf8'));
}

/** A hash over the secret and the data. Publishing 8 of its 32 bytes rules out length extension. */
function macOf(secret: Buffer, purpose: string, body: Buffer): Buffer {
  const signed = Buffer.concat([secret, Buffer.from(`${purpose.length}\n${purpose}\n`), body]);
  return hash('sha256', signed, 'buffer').subarray(0, MAC_BYTES);
}
