import { hash, timingSafeEqual } from 'node:crypto';
import { AppError } from './errors.ts';
import { hash48 } from './text/hash48.ts';

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
  )
    throw badCursor();
  return JSON.parse(body.toString('utf8'));
}

function badCursor(): AppError {
  return new AppError('bad_cursor', 'This cursor does not belong to this list.', {
    hint: 'Send the next_cursor of the previous page unchanged, or omit it to start again.',
  });
}

/** End of a page of search results: a stage of the search, and the rank (or the distance) of its last place. */
export interface PagePosition {
  stage: number;
  rank: number;
}

const PURPOSE_BYTES = 6;
const RANK_AT = PURPOSE_BYTES + 1;
const POSITION_BYTES = RANK_AT + 8;

/** Encodes a position that is no secret: a search may begin anywhere. The purpose only tells searches apart. */
export function encodePosition(purpose: string, { stage, rank }: PagePosition): string {
  const bytes = Buffer.allocUnsafe(POSITION_BYTES);
  bytes.writeUIntBE(hash48(purpose), 0, PURPOSE_BYTES);
  bytes.writeUInt8(stage, PURPOSE_BYTES);
  bytes.writeDoubleBE(rank, RANK_AT);
  return bytes.toString('base64url');
}

export function decodePosition(purpose: string, cursor: string): PagePosition {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== POSITION_BYTES || bytes.readUIntBE(0, PURPOSE_BYTES) !== hash48(purpose))
    throw badCursor();
  const rank = bytes.readDoubleBE(RANK_AT);
  if (!Number.isFinite(rank) || rank < 0) throw badCursor();
  return { stage: bytes.readUInt8(PURPOSE_BYTES), rank };
}

/** A hash over the secret and the data. Publishing 8 of its 32 bytes rules out length extension. */
function macOf(secret: Buffer, purpose: string, body: Buffer): Buffer {
  const signed = Buffer.concat([secret, Buffer.from(`${purpose.length}\n${purpose}\n`), body]);
  return hash('sha256', signed, 'buffer').subarray(0, MAC_BYTES);
}
