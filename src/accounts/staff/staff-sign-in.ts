import { recordAudit } from '../../core/audit.ts';
import type { Deps } from '../../core/context.ts';
import { verifyPassword } from './password.ts';
import { takeCode } from './second-factor.ts';
import { forgiveAttempt, takeAttempt } from '../sign-in/sign-in-lock.ts';
import { openSession } from '../sign-in/staff-session.ts';

export interface SignInAttempt {
  email: string;
  password: string;
  /** A code of the authenticator, or a recovery code; empty at the very first sign-in. */
  code: string;
  address: string;
  userAgent: string;
  requestId: string;
}

export type SignInOutcome =
  { outcome: 'signed_in'; token: string } | { outcome: 'refused' } | { outcome: 'locked'; until: Date };

interface Account {
  id: string;
  password_hash: string;
  totp_secret: Buffer | null;
}

// Compared with when there is no such account, so that both answers take the same time.
const NOBODY: Account = {
  id: '',
  password_hash: `scrypt$131072$8$1$${'A'.repeat(22)}$${'A'.repeat(43)}`,
  totp_secret: null,
};

/** Checks a person and begins a session. The answer never says which of the three was wrong. */
export async function signIn(deps: Deps, attempt: SignInAttempt): Promise<SignInOutcome> {
  const now = deps.clock.now();
  const counted = { email: attempt.email.trim().toLowerCase(), address: attempt.address, now };
  const until = await takeAttempt(deps.pool, counted);
  if (until !== undefined) return { outcome: 'locked', until };
  const [account = NOBODY] = await deps.pool<Account[]>`
    select id, password_hash, totp_secret from staff where email = ${counted.email} and disabled_at is null`;
  const known = (await verifyPassword(attempt.password, account.password_hash)) && account !== NOBODY;
  const token = known ? await open(deps, account, attempt, now) : undefined;
  if (token === undefined) {
    await recordAudit(deps.pool, {
      at: now,
      actor: `address:${attempt.address}`,
      operation: 'staff_sign_in_refused',
      requestId: attempt.requestId,
      subject: account === NOBODY ? null : account.id,
      detail: { password_right: known },
    });
    return { outcome: 'refused' };
  }
  await forgiveAttempt(deps.pool, counted);
  return { outcome: 'signed_in', token };
}

/** The session of a person whose password was right, if the code is too or no second factor is set up yet. */
async function open(
  deps: Deps,
  account: Account,
  attempt: SignInAttempt,
  now: Date,
): Promise<string | undefined> {
  const { id, totp_secret } = account;
  return deps.pool.begin(async (sql) => {
    const factor =
      totp_secret === null
        ? 'none'
        : await takeCode(sql, deps.secrets.staff, { id, totp_secret }, attempt.code, now);
    if (factor === undefined) return undefined;
    const token = await openSession(sql, {
      staffId: id,
      secondFactor: factor !== 'none',
      address: attempt.address,
      userAgent: attempt.userAgent,
      now,
    });
    await recordAudit(sql, {
      at: now,
      actor: id,
      operation: 'staff_sign_in',
      requestId: attempt.requestId,
      subject: id,
      detail: { second_factor: factor, address: attempt.address },
    });
    return token;
  });
}
