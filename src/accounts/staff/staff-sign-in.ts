import type { Ctx } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { openStaffSession, type SessionOrigin } from '../sign-in/staff-session.ts';
import { verifyPassword } from './password.ts';
import { newTotpSecret, sealTotp, redeemSecondFactor } from './second-factor.ts';
import type { Account } from './sign-in-lookup.ts';

interface CheckedPassword {
  account: Account | undefined;
  right: boolean;
}

// Compared when there is no such account, so that both responses take the same time.
const NOBODYS_HASH = `scrypt$131072$8$1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Slow on purpose: call it outside a transaction, in the hash queue, for an attempt that was already counted. */
export async function checkPassword(
  account: Account | undefined,
  password: string,
): Promise<CheckedPassword> {
  const matches = await verifyPassword(password, account?.password_hash ?? NOBODYS_HASH);
  return { account, right: matches && account !== undefined };
}

/** Begins the session after the right password and code, or before a second factor is set up. */
export async function signIn(
  tx: Db,
  { deps, now }: Pick<Ctx, 'deps' | 'now'>,
  { id, password_hash, totp_secret }: Account,
  code: string,
  origin: SessionOrigin,
): Promise<{ token: string; factor: 'none' | 'totp' | 'recovery' } | undefined> {
  const key = deps.secrets.staff;
  // While the attempt was queued, the password may have been changed or the account disabled.
  const same = await tx`
    select from staff where id = ${id} and password_hash = ${password_hash} and disabled_at is null
      and totp_secret is not distinct from ${totp_secret}`;
  if (same.count === 0) return undefined;
  if (totp_secret === null) {
    const offer = sealTotp(key, id, newTotpSecret());
    return { token: await openStaffSession(tx, { staffId: id, offer, now, ...origin }), factor: 'none' };
  }
  const factor = await redeemSecondFactor(tx, key, { id, totp_secret }, code, now);
  if (factor === undefined) return undefined;
  return { token: await openStaffSession(tx, { staffId: id, offer: undefined, now, ...origin }), factor };
}
