import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { Deps } from '../core/context.ts';
import type { Db } from '../core/db.ts';
import { postMessage } from '../messages/post-message.ts';
import { takeFromWindow } from '../metering/rate-window.ts';
import { openOperatorSession } from './operator-session.ts';
import { keepTidy } from './tidy-oauth.ts';

export const CODE_MINUTES = 10;
export const TRIES_MAX = 5;
const CODES = 1_000_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Nobody is to be pestered, and nobody is to get many tries at six digits. */
const PER_MAILBOX_A_DAY = 10;
const PER_ADDRESS_AN_HOUR = 30;
const ATTEMPT_ID = /^osi_[0-9a-hjkmnp-tv-z]{26}$/;

export type CodeSent =
  { outcome: 'sent'; attemptId: string } | { outcome: 'too_many'; retryAfterSeconds: number };

export interface SignIn {
  email: string;
  /** Where the request comes from. */
  address: string;
  /** What the person is signing in for, as the mail says it. */
  purpose: string;
}

/** Mails a code to whoever wants to sign in. It goes the same way for a mailbox that nobody has used here before. */
export function sendOperatorCode(deps: Deps, { email, address, purpose }: SignIn): Promise<CodeSent> {
  const now = deps.clock.now();
  return deps.pool.begin(async (sql): Promise<CodeSent> => {
    for (const limit of [
      { name: `operator_code/${address}`, max: PER_ADDRESS_AN_HOUR, windowMs: HOUR_MS },
      { name: `operator_code/${email}`, max: PER_MAILBOX_A_DAY, windowMs: DAY_MS },
    ]) {
      const taken = await takeFromWindow(sql, limit, now);
      if (!taken.allowed) return { outcome: 'too_many', retryAfterSeconds: taken.resetsInSeconds };
    }
    const attemptId = deps.newId('osi');
    const code = String(randomInt(CODES)).padStart(6, '0');
    await sql`
      insert into operator_code (id, email, code_hash, created_at, expires_at)
      values (${attemptId}, ${email}, ${hashCode(deps, attemptId, code)}, ${now},
              ${new Date(now.getTime() + CODE_MINUTES * 60_000)})`;
    await tellCode(deps, sql, { attemptId, email, code, purpose });
    await keepTidy(sql);
    return { outcome: 'sent', attemptId };
  });
}

async function tellCode(
  deps: Deps,
  db: Db,
  { attemptId, email, code, purpose }: { attemptId: string; email: string; code: string; purpose: string },
): Promise<void> {
  const { serviceName } = deps.config;
  const text = `Your code: ${code}\n\nIt signs you in to ${serviceName} ${purpose}. It works for ${CODE_MINUTES} minutes, in the browser in which you asked for it.\n\nNobody from ${serviceName} will ever ask you for it. If you did not ask for it, do nothing and give it to nobody.`;
  await postMessage(
    db,
    { newId: deps.newId, now: deps.clock.now() },
    {
      channel: 'mail',
      to: email,
      subject: `${serviceName}: your sign-in code`,
      text,
      purpose: 'operator_code',
      subject_id: attemptId,
    },
  );
}

/** The mailbox that a code went to, as long as the code can still be entered. */
export async function openAttempt(deps: Deps, attemptId: string): Promise<string | undefined> {
  if (!ATTEMPT_ID.test(attemptId)) return undefined;
  const [row] = await deps.pool<{ email: string }[]>`
    select email from operator_code
    where id = ${attemptId} and used_at is null and tries < ${TRIES_MAX} and expires_at > ${deps.clock.now()}`;
  return row?.email;
}

export type CodeEntered =
  { outcome: 'signed_in'; cookie: string } | { outcome: 'wrong'; triesLeft: number } | { outcome: 'no_code' };

/** Takes a code. Each sending has its own few tries, and a code works once. */
export function enterOperatorCode(deps: Deps, attemptId: string, code: string): Promise<CodeEntered> {
  const now = deps.clock.now();
  return deps.pool.begin(async (sql): Promise<CodeEntered> => {
    const [row] = ATTEMPT_ID.test(attemptId)
      ? await sql<{ email: string; code_hash: Buffer; tries: number }[]>`
          select email, code_hash, tries from operator_code
          where id = ${attemptId} and used_at is null and tries < ${TRIES_MAX} and expires_at > ${now} for update`
      : [];
    if (row === undefined) return { outcome: 'no_code' };
    if (!timingSafeEqual(row.code_hash, hashCode(deps, attemptId, code.replaceAll(/[\s-]/g, '')))) {
      await sql`update operator_code set tries = tries + 1 where id = ${attemptId}`;
      const triesLeft = TRIES_MAX - row.tries - 1;
      return triesLeft > 0 ? { outcome: 'wrong', triesLeft } : { outcome: 'no_code' };
    }
    await sql`update operator_code set used_at = ${now} where id = ${attemptId}`;
    await sql`
      update agent set email_verified_at = coalesce(email_verified_at, ${now}) where operator_email = ${row.email}`;
    return { outcome: 'signed_in', cookie: await openOperatorSession(deps, sql, row.email) };
  });
}

/** Six digits are found by trying from a plain hash; with a secret of ours the database alone does not give them away. */
function hashCode({ secrets }: Deps, attemptId: string, code: string): Buffer {
  return createHmac('sha256', secrets.session)
    .update(JSON.stringify(['operator_code', attemptId, code]))
    .digest();
}
