import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Ctx, OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import type { AddressGroup } from '../../core/text/address-group.ts';
import { HOUR_MS, MINUTE_MS } from '../../core/time.ts';
import { postMessage } from '../../messages/post-message.ts';
import { returnOne, takeFromWindow, type Limit } from '../../metering/rate-window.ts';
import {
  CODE_MINUTES,
  CODE_RULES,
  digitsOf,
  issueMailedCode,
  TRIES_MAX,
  type SendingLimits,
} from './mailed-code.ts';
import { isReviewCode, isReviewMailbox } from '../review-account.ts';
import { markAddressProven } from './proven-address.ts';

/** A correct code is credited back to the address, so that an office which shares one is not locked out. */
const PER_MAILBOX_A_DAY: SendingLimits = { perAddress: 10, total: 60 };
const PER_ADDRESS_AN_HOUR = 30;

/** A code for one kind is not valid for the other. `reviewed`: accounts with a fixed code, for directories. */
const KINDS = {
  operator: { prefix: 'osi', lockMs: 0, reviewed: true },
  member: { prefix: 'msi', lockMs: HOUR_MS, reviewed: false },
} as const;
export type SignInKind = keyof typeof KINDS;

export type SignInContext = Pick<Ctx, 'deps' | 'now' | 'newId'>;

export type CodeSent =
  { outcome: 'sent'; attemptId: string } | { outcome: 'too_many'; retryAfterSeconds: number };

export interface SignIn {
  email: string;
  /** Address of the request. The code works only in this browser. */
  address: AddressGroup;
  browser: Buffer;
  purpose: string;
  /** Further paragraph of the mail, to be read before the code is entered. */
  note?: string | undefined;
}

/** Mails a sign-in code. A mailbox that was never used here is treated the same. */
export async function sendSignInCode(
  tx: Db,
  ctx: SignInContext,
  kind: SignInKind,
  { email, address, browser, purpose, note }: SignIn,
): Promise<CodeSent> {
  const { deps, now } = ctx;
  const lockedUntil = await requesterLock(tx, kind, { email, address }, now);
  if (lockedUntil !== undefined)
    return {
      outcome: 'too_many',
      retryAfterSeconds: Math.ceil((lockedUntil.getTime() - now.getTime()) / 1000),
    };
  const ofAddress = await takeFromWindow(tx, addressLimit(kind, address), now);
  if (!ofAddress.allowed) return { outcome: 'too_many', retryAfterSeconds: ofAddress.resetsInSeconds };
  const request = { contact: mailboxName(deps, kind, email), address };
  const issued = await issueMailedCode(tx, deps, request, PER_MAILBOX_A_DAY, now);
  if (!('code' in issued)) return { outcome: 'too_many', ...issued };
  const attemptId = ctx.newId(KINDS[kind].prefix);
  const { code } = issued;
  await tx`
    insert into sign_in_code (id, email, browser, requested_from, code_hash, created_at, expires_at)
    values (${attemptId}, ${email}, ${browser}, ${address}, ${hashCode(deps, attemptId, code)}, ${now},
            ${new Date(now.getTime() + CODE_MINUTES * MINUTE_MS)})`;
  if (!(KINDS[kind].reviewed && (await isReviewMailbox(tx, email, now))))
    await sendCode(tx, ctx, { attemptId, kind, email, code, purpose, note });
  return { outcome: 'sent', attemptId };
}

function addressLimit(kind: SignInKind, address: AddressGroup): Limit {
  return { name: `${kind}_code/${address}`, max: PER_ADDRESS_AN_HOUR, windowMs: HOUR_MS };
}

/** Locks a requester after too many wrong codes for a mailbox; requesters from other addresses are not affected. */
async function requesterLock(
  db: Db,
  kind: SignInKind,
  { email, address }: Pick<SignIn, 'email' | 'address'>,
  now: Date,
): Promise<Date | undefined> {
  const [row] = await db<{ until: Date | null }[]>`
    select max(locked_until) as until from sign_in_code
    where email = ${email} and requested_from = ${address} and starts_with(id, ${KINDS[kind].prefix})
      and locked_until > ${now}`;
  return row?.until ?? undefined;
}

async function sendCode(
  tx: Db,
  ctx: SignInContext,
  message: Pick<SignIn, 'email' | 'purpose' | 'note'> & { attemptId: string; kind: SignInKind; code: string },
): Promise<void> {
  const { attemptId, kind, email, code, purpose, note } = message;
  const { serviceName } = ctx.deps.config;
  const text = [
    `Your code: ${code}`,
    `Somebody asked for it to sign in to ${serviceName} ${purpose}, with your address. ${CODE_RULES}`,
    ...(note === undefined ? [] : [note]),
    `If it was you, enter it there. If it was not, do nothing and do not share it: nobody can sign in without it. Nobody from ${serviceName} will ever ask you for it.`,
  ].join('\n\n');
  await postMessage(tx, ctx, {
    channel: 'mail',
    to: email,
    subject: `${serviceName}: your sign-in code`,
    text,
    purpose: `${kind}_code`,
    subject_id: attemptId,
  });
}

/** Returns the mailbox that a code was sent to, while the code can still be entered in this browser. */
export async function openSignIn(
  db: Db,
  kind: SignInKind,
  { attemptId, browser }: { attemptId: string; browser: Buffer },
  now: Date,
): Promise<string | undefined> {
  if (!isAttempt(kind, attemptId)) return undefined;
  const [row] = await db<{ email: string }[]>`
    select email from sign_in_code
    where id = ${attemptId} and browser = ${browser} and used_at is null and tries < ${TRIES_MAX}
      and expires_at > ${now}`;
  return row?.email;
}

type CodeEntered =
  { outcome: 'proven'; email: string } | { outcome: 'wrong'; triesLeft: number } | { outcome: 'no_code' };

/** Redeems a code in the browser that requested it. A wrong one counts, so the transaction must be committed. */
export async function enterSignInCode(
  tx: Db,
  { deps, now }: SignInContext,
  kind: SignInKind,
  { attemptId, browser, code }: { attemptId: string; browser: Buffer; code: string },
): Promise<CodeEntered> {
  const [row] = isAttempt(kind, attemptId)
    ? await tx<
        { email: string; requested_from: AddressGroup; created_at: Date; code_hash: Buffer; tries: number }[]
      >`
        select email, requested_from, created_at, code_hash, tries from sign_in_code
        where id = ${attemptId} and browser = ${browser} and used_at is null and tries < ${TRIES_MAX}
          and expires_at > ${now} for update`
    : [];
  if (row === undefined) return { outcome: 'no_code' };
  const { email } = row;
  const right =
    timingSafeEqual(row.code_hash, hashCode(deps, attemptId, code)) ||
    (KINDS[kind].reviewed && (await isReviewCode(tx, deps.secrets, { email, digits: digitsOf(code) }, now)));
  if (!right) {
    const triesLeft = TRIES_MAX - row.tries - 1;
    const { lockMs } = KINDS[kind];
    const lockedUntil = triesLeft === 0 && lockMs > 0 ? new Date(now.getTime() + lockMs) : null;
    await tx`
      update sign_in_code set tries = tries + 1, locked_until = ${lockedUntil} where id = ${attemptId}`;
    return triesLeft > 0 ? { outcome: 'wrong', triesLeft } : { outcome: 'no_code' };
  }
  await tx`update sign_in_code set used_at = ${now} where id = ${attemptId}`;
  await returnOne(tx, addressLimit(kind, row.requested_from), row.created_at);
  const contact = mailboxName(deps, kind, row.email);
  await markAddressProven(tx, deps, { contact, address: row.requested_from }, now);
  return { outcome: 'proven', email: row.email };
}

/** Deletes all data of somebody's sign-ins, including the mails that carried the codes. */
export async function forgetSignInsOf(db: Db, kind: SignInKind, email: string): Promise<void> {
  await db`delete from sign_in_code where email = ${email} and starts_with(id, ${KINDS[kind].prefix})`;
  await db`delete from message where recipient = ${email} and purpose = ${`${kind}_code`}`;
}

function isAttempt(kind: SignInKind, attemptId: string): boolean {
  return attemptId.startsWith(`${KINDS[kind].prefix}_`) && /^\w{4}[0-9a-hjkmnp-tv-z]{26}$/.test(attemptId);
}

/** Hashed, because counters must not hold the address of somebody who wants to be forgotten. */
function mailboxName({ secrets }: Pick<OperationDeps, 'secrets'>, kind: SignInKind, email: string): string {
  const hash = createHmac('sha256', secrets.session).update(JSON.stringify(['mailbox', email]));
  return `${kind}_code/${hash.digest('base64url')}`;
}

/** With the server's secret, because a plain hash of six digits can be brute-forced. */
function hashCode({ secrets }: Pick<OperationDeps, 'secrets'>, attemptId: string, code: string): Buffer {
  return createHmac('sha256', secrets.session)
    .update(JSON.stringify(['sign_in_code', attemptId, digitsOf(code)]))
    .digest();
}
