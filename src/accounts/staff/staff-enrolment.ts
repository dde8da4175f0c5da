import type { Ctx, OperationDeps } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import type { Db, InTransaction } from '../../core/postgres/db.ts';
import { undoAttempt, countAttempt, type Attempt } from '../sign-in/sign-in-lock.ts';
import {
  endSessionsOf,
  openStaffSession,
  type SessionOrigin,
  type StaffSession,
} from '../sign-in/staff-session.ts';
import type { PasswordHashQueue } from './password-hash-queue.ts';
import { hashPassword, verifyPassword } from './password.ts';
import {
  replaceRecoveryCodes,
  sealTotp,
  stepOfCode,
  redeemSecondFactor,
  unsealTotp,
} from './second-factor.ts';

export const PASSWORD_MIN = 12;
const PASSWORD_MAX = 200;

/** The secret that this session offers to an authenticator, the same on every page view. */
export async function offeredSecret(
  db: Db,
  { secrets }: Pick<OperationDeps, 'secrets'>,
  { staff, tokenHash }: StaffSession,
): Promise<Buffer> {
  const [row] = await db<{ offered_totp: Buffer | null }[]>`
    select offered_totp from staff_session where token_hash = ${tokenHash}`;
  if (row?.offered_totp == null)
    throw new AppError('sign_in_required', 'The session ended while the page was being prepared.', {
      hint: 'Sign in again.',
    });
  return unsealTotp(secrets.staff, staff.id, row.offered_totp);
}

/** Sets up the second factor and replaces the session. Undefined when the code is wrong or another was first. */
export async function confirmSecondFactor(
  tx: Db,
  { deps, now }: Pick<Ctx, 'deps' | 'now'>,
  session: StaffSession,
  code: string,
  origin: SessionOrigin,
): Promise<{ token: string; recoveryCodes: string[] } | undefined> {
  const { id } = session.staff;
  const secret = await offeredSecret(tx, deps, session);
  const step = stepOfCode(secret, code, now);
  if (step === undefined) return undefined;
  const set = await tx`
    update staff set totp_secret = ${sealTotp(deps.secrets.staff, id, secret)}, totp_confirmed_at = ${now},
      totp_last_step = ${step}
    where id = ${id} and totp_secret is null`;
  if (set.count === 0) return undefined;
  await endSessionsOf(tx, id);
  const token = await openStaffSession(tx, { staffId: id, offer: undefined, now, ...origin });
  return { token, recoveryCodes: await replaceRecoveryCodes(tx, id) };
}

export type PasswordFault = 'not_repeated' | 'too_short' | 'too_long' | 'locked' | 'wrong_password' | 'same';

/** Checks a password change. A wrong password stays counted. No transaction is open during the slow hashing. */
export async function checkNewPassword(
  { db, inTransaction, line }: { db: Db; inTransaction: InTransaction; line: PasswordHashQueue },
  attempt: Attempt,
  { current, next, repeated }: { current: string; next: string; repeated: string },
): Promise<{ hash: string } | { fault: PasswordFault; until?: Date }> {
  const length = Array.from(next).length;
  if (next !== repeated) return { fault: 'not_repeated' };
  if (length < PASSWORD_MIN) return { fault: 'too_short' };
  if (length > PASSWORD_MAX) return { fault: 'too_long' };
  const until = await inTransaction((tx) => countAttempt(tx, attempt));
  if (until !== undefined) return { fault: 'locked', until };
  const [person] = await db<{ password_hash: string }[]>`
    select password_hash from staff where email = ${attempt.email}`;
  const { password_hash: currentHash = '' } = person ?? {};
  if (!(await line.take('session', () => verifyPassword(current, currentHash))))
    return { fault: 'wrong_password' };
  await inTransaction((tx) => undoAttempt(tx, attempt));
  if (next.normalize('NFKC') === current.normalize('NFKC')) return { fault: 'same' };
  return { hash: await line.take('session', () => hashPassword(next)) };
}

export async function setPassword(tx: Db, { staff, tokenHash }: StaffSession, hash: string): Promise<void> {
  await tx`update staff set password_hash = ${hash}, must_change_password = false where id = ${staff.id}`;
  await endSessionsOf(tx, staff.id, tokenHash);
}

export async function renewRecoveryCodes(
  tx: Db,
  { deps, now }: Pick<Ctx, 'deps' | 'now'>,
  id: string,
  code: string,
): Promise<string[] | undefined> {
  const [row] = await tx<{ totp_secret: Buffer }[]>`select totp_secret from staff where id = ${id}`;
  if (row === undefined) return undefined;
  const factor = await redeemSecondFactor(
    tx,
    deps.secrets.staff,
    { id, totp_secret: row.totp_secret },
    code,
    now,
  );
  return factor === undefined ? undefined : replaceRecoveryCodes(tx, id);
}
