import { recordAudit } from '../../core/audit.ts';
import type { Deps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { hashPassword, verifyPassword } from './password.ts';
import {
  newTotpSecret,
  replaceRecoveryCodes,
  sealTotp,
  stepOfCode,
  takeCode,
  unsealTotp,
} from './second-factor.ts';
import { forgiveAttempt, takeAttempt } from '../sign-in/sign-in-lock.ts';
import { endSession, endSessionsOf, openSession, type StaffSession } from '../sign-in/staff-session.ts';

export const PASSWORD_MIN = 12;
export const PASSWORD_MAX = 200;

/** From where a person acts, for the audit trail and the list of sessions. */
export interface Origin {
  address: string;
  userAgent: string;
  requestId: string;
}

/** The secret that this session offers to an authenticator: made at the first look, the same at every later one. */
export async function offeredSecret(deps: Deps, session: StaffSession): Promise<Buffer> {
  const key = deps.secrets.staff;
  const fresh = sealTotp(key, session.staff.id, newTotpSecret());
  const [row] = await deps.pool<{ offered_totp: Buffer }[]>`
    update staff_session set offered_totp = coalesce(offered_totp, ${fresh})
    where token_hash = ${session.tokenHash} returning offered_totp`;
  if (row === undefined) throw new Error('The session ended while its page was being made.');
  return unsealTotp(key, session.staff.id, row.offered_totp);
}

/**
 * Sets up the second factor with a first code. The session of the password ends, another begins, and recovery codes
 * are returned this once. Undefined when the code is wrong or somebody else was first.
 */
export async function confirmSecondFactor(
  deps: Deps,
  session: StaffSession,
  code: string,
  origin: Origin,
): Promise<{ token: string; recoveryCodes: string[] } | undefined> {
  const { id } = session.staff;
  const now = deps.clock.now();
  const secret = await offeredSecret(deps, session);
  const step = stepOfCode(secret, code, now);
  if (step === undefined) return undefined;
  return deps.pool.begin(async (sql) => {
    const set = await sql`
      update staff set totp_secret = ${sealTotp(deps.secrets.staff, id, secret)}, totp_confirmed_at = ${now},
        totp_last_step = ${step}
      where id = ${id} and totp_secret is null`;
    if (set.count === 0) return undefined;
    await endSessionsOf(sql, id);
    const token = await openSession(sql, { staffId: id, secondFactor: true, now, ...origin });
    const recoveryCodes = await replaceRecoveryCodes(sql, id);
    await audit(sql, session, 'staff_second_factor_set', origin, now);
    return { token, recoveryCodes };
  });
}

export type PasswordOutcome = 'changed' | 'locked' | 'wrong_password' | 'too_short' | 'too_long' | 'same';

/** Changes the password of the person who is signed in, and ends their other sessions. */
export async function changePassword(
  deps: Deps,
  session: StaffSession,
  change: { current: string; next: string },
  origin: Origin,
): Promise<PasswordOutcome> {
  const length = Array.from(change.next).length;
  if (length < PASSWORD_MIN) return 'too_short';
  if (length > PASSWORD_MAX) return 'too_long';
  const { id, email } = session.staff;
  const now = deps.clock.now();
  const counted = { email, address: origin.address, now };
  if ((await takeAttempt(deps.pool, counted)) !== undefined) return 'locked';
  const [row] = await deps.pool<
    { password_hash: string }[]
  >`select password_hash from staff where id = ${id}`;
  if (row === undefined || !(await verifyPassword(change.current, row.password_hash)))
    return 'wrong_password';
  await forgiveAttempt(deps.pool, counted);
  if (change.next.normalize('NFKC') === change.current.normalize('NFKC')) return 'same';
  const hash = await hashPassword(change.next);
  await deps.pool.begin(async (sql) => {
    await sql`update staff set password_hash = ${hash}, must_change_password = false where id = ${id}`;
    await endSessionsOf(sql, id, session.tokenHash);
    await audit(sql, session, 'staff_password_changed', origin, now);
  });
  return 'changed';
}

/** New recovery codes in place of the old ones, for a person who proves the second factor once more. */
export async function renewRecoveryCodes(
  deps: Deps,
  session: StaffSession,
  code: string,
  origin: Origin,
): Promise<string[] | undefined> {
  const { id } = session.staff;
  const now = deps.clock.now();
  const counted = { email: session.staff.email, address: origin.address, now };
  if ((await takeAttempt(deps.pool, counted)) !== undefined) return undefined;
  return deps.pool.begin(async (sql) => {
    const [row] = await sql<{ totp_secret: Buffer }[]>`select totp_secret from staff where id = ${id}`;
    if (row === undefined) return undefined;
    const person = { id, totp_secret: row.totp_secret };
    if ((await takeCode(sql, deps.secrets.staff, person, code, now)) === undefined) return undefined;
    await forgiveAttempt(sql, counted);
    await audit(sql, session, 'staff_recovery_codes_renewed', origin, now);
    return replaceRecoveryCodes(sql, id);
  });
}

/** Ends this session, or every session that the person has anywhere. */
export async function signOut(
  deps: Deps,
  session: StaffSession,
  everywhere: boolean,
  origin: Origin,
): Promise<void> {
  await deps.pool.begin(async (sql) => {
    if (everywhere) await endSessionsOf(sql, session.staff.id);
    else await endSession(sql, session.tokenHash);
    const operation = everywhere ? 'staff_sign_out_everywhere' : 'staff_sign_out';
    await audit(sql, session, operation, origin, deps.clock.now());
  });
}

function audit(db: Db, { staff }: StaffSession, operation: string, origin: Origin, at: Date): Promise<void> {
  return recordAudit(db, {
    at,
    actor: staff.id,
    operation,
    requestId: origin.requestId,
    subject: staff.id,
    detail: { address: origin.address },
  });
}
