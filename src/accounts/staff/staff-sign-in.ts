import type { Ctx } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { openSession, type Origin } from '../sign-in/staff-session.ts';
import { verifyPassword } from './password.ts';
import { newTotpSecret, sealTotp, takeCode } from './second-factor.ts';

interface Account {
  id: string;
  password_hash: string;
  totp_secret: Buffer | null;
}

/** Whose email was given, if it is anybody's, and whether the password is theirs. */
export interface CheckedPassword {
  account: Account | undefined;
  right: boolean;
}

// Compared with when there is no such account, so that both answers take the same time.
const NOBODYS_HASH = `scrypt$131072$8$1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Slow on purpose: it is called outside a transaction, for an attempt that was counted before. */
export async function checkPassword(db: Db, email: string, password: string): Promise<CheckedPassword> {
  const [account] = await db<Account[]>`
    select id, password_hash, totp_secret from staff where email = ${email} and disabled_at is null`;
  const fits = await verifyPassword(password, account?.password_hash ?? NOBODYS_HASH);
  return { account, right: fits && account !== undefined };
}

/** Begins the session of a person whose password was right, if the code is too or no second factor is set up yet. */
export async function signIn(
  tx: Db,
  { deps, now }: Pick<Ctx, 'deps' | 'now'>,
  { id, totp_secret }: Account,
  code: string,
  origin: Origin,
): Promise<{ token: string; factor: 'none' | 'totp' | 'recovery' } | undefined> {
  const key = deps.secrets.staff;
  if (totp_secret === null) {
    const offer = sealTotp(key, id, newTotpSecret());
    return { token: await openSession(tx, { staffId: id, offer, now, ...origin }), factor: 'none' };
  }
  const factor = await takeCode(tx, key, { id, totp_secret }, code, now);
  if (factor === undefined) return undefined;
  return { token: await openSession(tx, { staffId: id, offer: undefined, now, ...origin }), factor };
}
