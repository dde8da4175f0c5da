import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { Db, Pool } from '../../core/postgres/db.ts';
import { AppError } from '../../core/errors.ts';
import { HOUR_MS } from '../../core/time.ts';

const IDEMPOTENCY_KEPT_MS = 24 * HOUR_MS;

export interface IdempotentCall {
  caller: string;
  key: string;
  operation: string;
  input: unknown;
  secret: Buffer;
}

interface StoredAnswer {
  status: number;
  json: string;
}

/** Parses the Idempotency-Key header: a structured-field string, or the bare value that many clients send. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const value = typeof header === 'string' ? header.trim() : '';
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(value);
  const key = quoted ? (quoted[1] ?? '').replace(/\\(["\\])/g, '$1') : value;
  const unclosed = quoted === null && value.startsWith('"');
  if (unclosed || !/^[\x21-\x7e][\x20-\x7e]{0,254}$/.test(key))
    throw new AppError(
      'bad_request',
      'The Idempotency-Key header must be 1 to 255 printable ASCII characters.',
    );
  return key;
}

const RANDOM_KEY_MIN = 20;
const DIFFERENT_CHARACTERS_MIN = 8;

/**
 * Refuses a key that others could guess. Callers without an account share addresses, and the stored response
 * may contain a new API key.
 */
export function refuseGuessableKey(key: string): void {
  if (key.length >= RANDOM_KEY_MIN && new Set(key).size >= DIFFERENT_CHARACTERS_MIN) return;
  throw new AppError(
    'bad_request',
    `The key must be random and have at least ${RANDOM_KEY_MIN} characters: others share your account or IP.`,
    {
      hint: 'Create a new one for each request, such as a UUID, and keep it for as long as you may repeat the request.',
    },
  );
}

/** Finds the response of an earlier identical call. The lock makes a simultaneous second call fail at once. */
export async function findStoredAnswer(
  db: Db,
  call: IdempotentCall,
  now: Date,
): Promise<StoredAnswer | undefined> {
  const hash = keyHash(call);
  const [lock] = await db<{ taken: boolean }[]>`
    select pg_try_advisory_xact_lock(${hash.readBigInt64BE(0).toString()}::bigint) as taken`;
  if (lock?.taken !== true)
    throw new AppError('idempotency_in_progress', 'A request with this Idempotency-Key is still running.', {
      hint: 'Wait a moment and send the same request again to get its answer.',
    });
  const [row] = await db<{ request_hash: Buffer; status: number; answer: Buffer }[]>`
    select request_hash, status, answer from idempotency_key
    where key_hash = ${hash} and created_at > ${keptSince(now)}`;
  if (row === undefined) return undefined;
  if (!requestHash(call).equals(row.request_hash))
    throw new AppError(
      'idempotency_key_reused',
      'This Idempotency-Key was used before with another request.',
      { hint: 'Use a new key for a new request, and the same key only to repeat the same one.' },
    );
  return { status: row.status, json: decrypt(call, row.answer) };
}

/** Stores the response in the write's transaction. It is erased together with its `subject`. */
export async function storeAnswer(
  db: Db,
  call: IdempotentCall,
  answer: StoredAnswer & { subject: string | null },
  now: Date,
): Promise<void> {
  await db`
    insert into idempotency_key (key_hash, request_hash, status, answer, subject, created_at)
    values (${keyHash(call)}, ${requestHash(call)}, ${answer.status}, ${encrypt(call, answer.json)}, ${answer.subject}, ${now})
    -- Only an expired row can conflict here; the cleanup may not have run yet.
    on conflict (key_hash) do update set request_hash = excluded.request_hash, status = excluded.status,
      answer = excluded.answer, subject = excluded.subject, created_at = excluded.created_at`;
}

export async function forgetOldAnswers(pool: Pool, now: Date): Promise<void> {
  await pool`delete from idempotency_key where created_at <= ${keptSince(now)}`;
}

function keptSince(now: Date): Date {
  return new Date(now.getTime() - IDEMPOTENCY_KEPT_MS);
}

function keyHash(call: IdempotentCall): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([call.caller, call.key]))
    .digest();
}

function requestHash(call: IdempotentCall): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([call.operation, call.input]))
    .digest();
}

// Encrypted under the caller's key, which is not stored, and a secret of ours, because it may contain secrets.
function cipherKey(call: IdempotentCall): Buffer {
  return Buffer.from(hkdfSync('sha256', call.secret, call.key, `idempotency/${call.caller}`, 32));
}

function encrypt(call: IdempotentCall, text: string): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', cipherKey(call), iv);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

function decrypt(call: IdempotentCall, stored: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', cipherKey(call), stored.subarray(0, 12));
  decipher.setAuthTag(stored.subarray(12, 28));
  return Buffer.concat([decipher.update(stored.subarray(28)), decipher.final()]).toString('utf8');
}
