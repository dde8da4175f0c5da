import type { Ctx } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import type { Standing } from '../sign-in/sign-in-lock.ts';
import { openSession, type Origin } from '../sign-in/staff-session.ts';
import { verifyPassword } from './password.ts';
import { holdsCode, newTotpSecret, sealTotp, takeCode } from './second-factor.ts';

interface Account {
  id: string;
  password_hash: string;
  totp_secret: Buffer | null;
  totp_last_step: number | null;
}

/** Whose email was given, if it is anybody's, and whether the password is theirs. */
export interface CheckedPassword {
  account: Account | undefined;
  right: boolean;
}

// Compared with when there is no such account, so that both answers take the same time.
const NOBODYS_HASH = `scrypt$131072$8$1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
const NOBODYS_ID = 'stf_00000000000000000000000000';
const NOBODYS_SECRET = newTotpSecret();

/** Whose email it is, and whether the code proves the second factor. It costs little, and uses no code up. */
export async function findAccount(
  db: Db,
  { deps: { secrets }, now }: Pick<Ctx, 'deps' | 'now'>,
  email: string,
  code: string,
): Promise<{ account: Account | undefined; standing: Standing }> {
  const [account] = await db<Account[]>`
    select id, password_hash, totp_secret, totp_last_step::float8 as totp_last_step from staff
    where email = ${email} and disabled_at is null`;
  const holder =
    account?.totp_secret == null
      ? { id: NOBODYS_ID, totp_secret: sealTotp(secrets.staff, NOBODYS_ID, NOBODYS_SECRET) }
      : { ...account, totp_secret: account.totp_secret };
  const held = await holdsCode(db, secrets.staff, holder, code, now);
  return { account, standing: held && holder.id !== NOBODYS_ID ? 'second_factor' : 'stranger' };
}

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
