import type { Ctx } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { openSession, type Origin } from '../sign-in/staff-session.ts';
import { verifyPassword } from './password.ts';
import { newTotpSecret, sealTotp, takeCode } from './second-factor.ts';
import type { Account } from './sign-in-lookup.ts';

/** Whose email was given, if it is anybody's, and whether the password is theirs. */
export interface CheckedPassword {
  account: Account | undefined;
  right: boolean;
}

// Compared with when there is no such account, so that both answers take the same time.
const NOBODYS_HASH = `scrypt$131072$8$1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Slow on purpose: it is called outside a transaction, in the line, for an attempt that was counted before. */
export async function checkPassword(
  account: Account | undefined,
  password: string,
): Promise<CheckedPassword> {
  const fits = await verifyPassword(password, account?.password_hash ?? NOBODYS_HASH);
  return { account, right: fits && account !== undefined };
}

/** Begins the session of a person whose password was right, if the code is too or no second factor is set up yet. */
export async function signIn(
  tx: Db,
  { deps, now }: Pick<Ctx, 'deps' | 'now'>,
  { id, password_hash, totp_secret }: Account,
  code: string,
  origin: Origin,
): Promise<{ token: string; factor: 'none' | 'totp' | 'recovery' } | undefined> {
  const key = deps.secrets.staff;
  // Whoever waited in the line may have been given another password meanwhile, or no access.
  const same = await tx`
    select from staff where id = ${id} and password_hash = ${password_hash} and disabled_at is null
      and totp_secret is not distinct from ${totp_secret}`;
  if (same.count === 0) return undefined;
  if (totp_secret === null) {
    const offer = sealTotp(key, id, newTotpSecret());
    return { token: await openSession(tx, { staffId: id, offer, now, ...origin }), factor: 'none' };
  }
  const factor = await takeCode(tx, key, { id, totp_secret }, code, now);
  if (factor === undefined) return undefined;
  return { token: await openSession(tx, { staffId: id, offer: undefined, now, ...origin }), factor };
}
