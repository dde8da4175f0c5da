import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

import type { Db } from '../../core/postgres/db.ts';
import { seal, unseal } from '../../core/secret/seal.ts';
import { hashToken } from '../../core/secret/token.ts';

const PERIOD_SECONDS = 30;
/** Also accepts the code of the previous and the next step, because the clocks of phones differ. */
const STEPS_AROUND = 1;
const RECOVERY_CODES = 10;
const RECOVERY_CHARACTERS = 10;
// Excludes characters that look alike on paper.
const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Creates a secret of 160 bits, as RFC 4226 recommends. */
export function newTotpSecret(): Buffer {
  return Buffer.from(new Secret({ size: 20 }).bytes);
}

export function totpAddress(secret: Buffer, issuer: string, email: string): { uri: string; base32: string } {
  const totp = totpOf(secret, issuer, email);
  return { uri: totp.toString(), base32: totp.secret.base32 };
}

/** Returns the time step that a code belongs to; undefined when it is not valid now. */
export function stepOfCode(secret: Buffer, code: string, now: Date): number | undefined {
  const token = code.replaceAll(' ', '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = totpOf(secret).validate({ token, timestamp: now.getTime(), window: STEPS_AROUND });
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / PERIOD_SECONDS) + delta;
}

export function sealTotp(key: Buffer, staffId: string, secret: Buffer): Buffer {
  return seal(key, `totp/${staffId}`, secret);
}

export function unsealTotp(key: Buffer, staffId: string, sealed: Buffer): Buffer {
  return unseal(key, `totp/${staffId}`, sealed);
}

export function isValidTotp(
  key: Buffer,
  person: { id: string; totp_secret: Buffer; totp_last_step: number | null },
  code: string,
  now: Date,
): boolean {
  const step = stepOfCode(unsealTotp(key, person.id, person.totp_secret), code, now);
  return step !== undefined && (person.totp_last_step ?? -1) < step;
}

/** Redeems a code of the authenticator or a recovery code. Each works once, also under concurrency. */
export async function redeemSecondFactor(
  db: Db,
  key: Buffer,
  person: { id: string; totp_secret: Buffer },
  code: string,
  now: Date,
): Promise<'totp' | 'recovery' | undefined> {
  const step = stepOfCode(unsealTotp(key, person.id, person.totp_secret), code, now);
  if (step === undefined)
    return (await redeemRecoveryCode(db, person.id, code, now)) ? 'recovery' : undefined;
  const updated = await db`
    update staff set totp_last_step = ${step} where id = ${person.id} and coalesce(totp_last_step, -1) < ${step}`;
  return updated.count === 1 ? 'totp' : undefined;
}

async function redeemRecoveryCode(db: Db, staffId: string, code: string, now: Date): Promise<boolean> {
  const hash = recoveryHash(code);
  if (hash === undefined) return false;
  const redeemed = await db`
    update staff_recovery_code set used_at = ${now}
    where staff_id = ${staffId} and code_hash = ${hash} and used_at is null`;
  return redeemed.count === 1;
}

/** Replaces all recovery codes. The new ones are returned only here; their hashes are stored. */
export async function replaceRecoveryCodes(db: Db, staffId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, recoveryCode);
  await db`delete from staff_recovery_code where staff_id = ${staffId}`;
  await db`
    insert into staff_recovery_code (staff_id, code_hash)
    select ${staffId}, decode(hash, 'hex')
    from unnest(${codes.map((code) => recoveryHash(code)?.toString('hex') ?? '')}::text[]) hash`;
  return codes;
}

export async function countRecoveryCodes(db: Db, staffId: string): Promise<number> {
  const [row] = await db<{ left: number }[]>`
    select count(*)::int as left from staff_recovery_code where staff_id = ${staffId} and used_at is null`;
  return row?.left ?? 0;
}

/** Two groups of five: 49 bits, protected by a password and a lock on attempts. */
function recoveryCode(): string {
  const group = () => Array.from({ length: 5 }, () => READABLE.charAt(randomInt(READABLE.length))).join('');
  return `${group()}-${group()}`;
}

/** Hash by which a recovery code is looked up; undefined when the text cannot be one. */
export function recoveryHash(code: string): Buffer | undefined {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, '');
  return plain.length === RECOVERY_CHARACTERS ? hashToken(plain) : undefined;
}

function totpOf(secret: Buffer, issuer = '', label = ''): TOTP {
  const bytes = new Uint8Array(secret);
  return new TOTP({
    issuer,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: new Secret({ buffer: bytes.buffer }),
  });
}
