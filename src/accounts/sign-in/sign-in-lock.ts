import { createHash } from 'node:crypto';
import type { Db } from '../../core/postgres/db.ts';

/** How many attempts may fail before the door stays shut, and for how long it does. */
export const ACCOUNT_ATTEMPTS_MAX = 5;
export const ADDRESS_ATTEMPTS_MAX = 30;
export const LOCK_MINUTES = 15;
const LOCK_MS = LOCK_MINUTES * 60_000;

export interface Attempt {
  email: string;
  address: string;
  now: Date;
}

/**
 * Counts an attempt before it is judged, so that many at the same instant cannot slip through together. Gives the end
 * of the lock when there is one. An email that nobody has is locked like any other, so a lock tells nothing.
 */
export async function takeAttempt(db: Db, attempt: Attempt): Promise<Date | undefined> {
  const address = await takeOne(db, addressSubject(attempt), ADDRESS_ATTEMPTS_MAX, attempt.now);
  if (address !== undefined) return address;
  return takeOne(db, accountSubject(attempt), ACCOUNT_ATTEMPTS_MAX, attempt.now);
}

/**
 * A success takes back what it had counted: all of the account, and its own attempt of the address. The address comes
 * first here too, so that two requests never wait for each other.
 */
export async function forgiveAttempt(db: Db, attempt: Attempt): Promise<void> {
  await db`
    update sign_in_attempt set attempts = greatest(attempts - 1, 0), locked_until = null
    where subject = ${addressSubject(attempt)}`;
  await db`delete from sign_in_attempt where subject = ${accountSubject(attempt)}`;
}

export async function forgetOldAttempts(db: Db, now: Date): Promise<void> {
  const past = new Date(now.getTime() - LOCK_MS);
  await db`
    delete from sign_in_attempt where last_at < ${past} and (locked_until is null or locked_until < ${now})`;
}

async function takeOne(db: Db, subject: string, max: number, now: Date): Promise<Date | undefined> {
  const past = new Date(now.getTime() - LOCK_MS);
  const until = new Date(now.getTime() + LOCK_MS);
  const taken = await db`
    insert into sign_in_attempt as a (subject, attempts, last_at) values (${subject}, 1, ${now})
    on conflict (subject) do update set last_at = excluded.last_at,
      attempts = case when a.locked_until is not null or a.last_at <= ${past} then 1 else a.attempts + 1 end,
      locked_until = case when a.locked_until is null and a.last_at > ${past} and a.attempts + 1 >= ${max}
                          then ${until}::timestamptz end
    where a.locked_until is null or a.locked_until <= ${now}`;
  if (taken.count === 1) return undefined;
  const [row] = await db<{ locked_until: Date | null }[]>`
    select locked_until from sign_in_attempt where subject = ${subject}`;
  return row?.locked_until ?? now;
}

function addressSubject({ address }: Attempt): string {
  return `address:${address}`;
}

/** What people type into the field of an email may be anything, a password included: only its hash is kept. */
function accountSubject({ email }: Attempt): string {
  return `account:${createHash('sha256').update(email).digest('hex')}`;
}
