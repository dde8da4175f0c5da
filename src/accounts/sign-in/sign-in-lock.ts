import { createHash } from 'node:crypto';
import type { Db } from '../../core/postgres/db.ts';
import type { AddressGroup } from '../../core/text/address-group.ts';
import { DAY_MS, MINUTE_MS } from '../../core/time.ts';

/** Failed attempts before a lock. Strangers lock out strangers only: second factor and session count separately. */
const PAIR_ATTEMPTS_MAX = 5;
const ADDRESS_ATTEMPTS_MAX = 30;
const ACCOUNT_ATTEMPTS_MAX = 20;
const SECOND_FACTOR_ATTEMPTS_MAX = 10;
const CODE_ATTEMPTS_MAX = 3;
const SESSION_ATTEMPTS_MAX = 5;

/** Duration of the first lock. Each further lock within a day doubles it, at most DOUBLED_MAX times. */
const LOCK_MINUTES = 15;
const LOCK_MS = LOCK_MINUTES * MINUTE_MS;
const DOUBLED_MAX = 4;

/** Trust in an attempt before the password is checked. */
export type AttemptTrust = 'stranger' | 'second_factor' | 'session';

export interface Attempt {
  email: string;
  address: AddressGroup;
  trust: AttemptTrust;
  code?: string;
  now: Date;
}

/** Counts an attempt before it is checked, and returns the end of a lock. Unknown emails are locked alike. */
export async function countAttempt(tx: Db, attempt: Attempt): Promise<Date | undefined> {
  for (const [subject, max] of countsOf(attempt)) {
    const until = await takeOne(tx, subject, max, attempt.now);
    if (until !== undefined) return until;
  }
  return undefined;
}

/** Undoes the counting after a success, in the order of counting, so that two requests never deadlock. */
export async function undoAttempt(tx: Db, attempt: Attempt): Promise<void> {
  const own = new Set([pairSubject(attempt), ...(attempt.trust === 'stranger' ? [] : subjectsOf(attempt))]);
  for (const subject of new Set([...subjectsOf(attempt), ...own]))
    if (own.has(subject)) await tx`delete from sign_in_attempt where subject = ${subject}`;
    else
      await tx`
        update sign_in_attempt set attempts = greatest(attempts - 1, 0), locked_until = null,
          locks = greatest(locks - case when locked_until is null then 0 else 1 end, 0)
        where subject = ${subject}`;
}

async function takeOne(tx: Db, subject: string, max: number, now: Date): Promise<Date | undefined> {
  const past = new Date(now.getTime() - LOCK_MS);
  const yesterday = new Date(now.getTime() - DAY_MS);
  const counted = await tx`
    insert into sign_in_attempt as a (subject, attempts, last_at) values (${subject}, 1, ${now})
    on conflict (subject) do update set last_at = excluded.last_at,
      attempts = case when a.locked_until is not null or a.last_at <= ${past} then 1 else a.attempts + 1 end,
      locks = case when a.last_at <= ${yesterday} then 0
                   when a.locked_until is null and a.last_at > ${past} and a.attempts + 1 >= ${max} then a.locks + 1
                   else a.locks end,
      locked_until = case when a.locked_until is null and a.last_at > ${past} and a.attempts + 1 >= ${max}
                          then ${now}::timestamptz + ${LOCK_MS} * power(2, least(a.locks, ${DOUBLED_MAX}))
                               * interval '1 millisecond' end
    where a.locked_until is null or a.locked_until <= ${now}`;
  if (counted.count === 1) return undefined;
  const [row] = await tx<{ locked_until: Date | null }[]>`
    select locked_until from sign_in_attempt where subject = ${subject}`;
  return row?.locked_until ?? now;
}

/** Counters of an attempt with their limits, always in the same order. */
function countsOf(attempt: Attempt): (readonly [subject: string, max: number])[] {
  switch (attempt.trust) {
    case 'stranger':
      return [
        [`address:${attempt.address}`, ADDRESS_ATTEMPTS_MAX],
        [pairSubject(attempt), PAIR_ATTEMPTS_MAX],
        [`account:${accountHash(attempt)}`, ACCOUNT_ATTEMPTS_MAX],
      ];
    case 'second_factor':
      return [
        [`second_factor:${accountHash(attempt)}:${attempt.address}`, SECOND_FACTOR_ATTEMPTS_MAX],
        [`code:${codeHash(attempt)}`, CODE_ATTEMPTS_MAX],
      ];
    case 'session':
      return [[`session:${accountHash(attempt)}`, SESSION_ATTEMPTS_MAX]];
  }
}

export function subjectsOf(attempt: Attempt): string[] {
  return countsOf(attempt).map(([subject]) => subject);
}

function pairSubject(attempt: Attempt): string {
  return `pair:${accountHash(attempt)}:${attempt.address}`;
}

/** Only a hash is stored, because people may type anything into the email field, even a password. */
function accountHash({ email }: Attempt): string {
  return createHash('sha256').update(email).digest('hex');
}

function codeHash({ email, code = '' }: Attempt): string {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, '');
  return createHash('sha256')
    .update(JSON.stringify([email, plain]))
    .digest('hex');
}
