import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Ctx, OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import type { AddressGroup } from '../../core/text/address-group.ts';
import { HOUR_MS, MINUTE_MS } from '../../core/time.ts';
import { postMessage } from '../../messages/post-message.ts';
import { giveBack, takeFromWindow, type Limit } from '../../metering/rate-window.ts';
import {
  CODE_MINUTES,
  CODE_RULES,
  digitsOf,
  takeCode,
  TRIES_MAX,
  type SendingLimits,
} from './mailed-code.ts';
import { isReviewCode, isReviewMailbox } from '../review/review-account.ts';
import { rememberProven } from './proven-address.ts';

/**
 * How many codes go to a mailbox in a day, and how many one address asks for, for whatever mailboxes. A code that is
 * entered rightly is given back to the address, so that an office which shares one is not shut out.
 */
const PER_MAILBOX_A_DAY: SendingLimits = { perAddress: 10, inAll: 60 };
const PER_ADDRESS_AN_HOUR = 30;

/**
 * Who signs in by a mailed code. A code for one of them is worth nothing to the other. Where directories review, an
 * account that an operator made for that has a code of its own, within the same limits, and gets no mail.
 */
const KINDS = {
  operator: { prefix: 'osi', lockMs: 0, reviewed: true },
  member: { prefix: 'msi', lockMs: HOUR_MS, reviewed: false },
} as const;
export type SignInKind = keyof typeof KINDS;

/** What a sign-in needs beside its transaction. */
export type SignInContext = Pick<Ctx, 'deps' | 'now' | 'newId'>;

export type CodeSent =
  { outcome: 'sent'; attemptId: string } | { outcome: 'too_many'; retryAfterSeconds: number };

export interface SignIn {
  email: string;
  /** Where the request comes from, and the browser in which alone the code works. */
  address: AddressGroup;
  browser: Buffer;
  /** What the person is signing in for, as the mail says it. */
  purpose: string;
  /** What else the mail has to say before the code is entered. */
  note?: string | undefined;
}

/** Mails a code to whoever wants to sign in. It goes the same way for a mailbox that nobody has used here before. */
export async function sendSignInCode(
  tx: Db,
  ctx: SignInContext,
  kind: SignInKind,
  { email, address, browser, purpose, note }: SignIn,
): Promise<CodeSent> {
  const { deps, now } = ctx;
  const lockedUntil = await askersLock(tx, kind, { email, address }, now);
  if (lockedUntil !== undefined)
    return {
      outcome: 'too_many',
      retryAfterSeconds: Math.ceil((lockedUntil.getTime() - now.getTime()) / 1000),
    };
  const ofAddress = await takeFromWindow(tx, addressLimit(kind, address), now);
  if (!ofAddress.allowed) return { outcome: 'too_many', retryAfterSeconds: ofAddress.resetsInSeconds };
  const asked = { contact: mailboxName(deps, kind, email), address };
  const taken = await takeCode(tx, deps, asked, PER_MAILBOX_A_DAY, now);
  if (!('code' in taken)) return { outcome: 'too_many', ...taken };
  const attemptId = ctx.newId(KINDS[kind].prefix);
  const { code } = taken;
  await tx`
    insert into sign_in_code (id, email, browser, asked_from, code_hash, created_at, expires_at)
    values (${attemptId}, ${email}, ${browser}, ${address}, ${hashCode(deps, attemptId, code)}, ${now},
            ${new Date(now.getTime() + CODE_MINUTES * MINUTE_MS)})`;
  if (!(KINDS[kind].reviewed && (await isReviewMailbox(tx, email, now))))
    await tellCode(tx, ctx, { attemptId, kind, email, code, purpose, note });
  return { outcome: 'sent', attemptId };
}

function addressLimit(kind: SignInKind, address: AddressGroup): Limit {
  return { name: `${kind}_code/${address}`, max: PER_ADDRESS_AN_HOUR, windowMs: HOUR_MS };
}

/** Whoever enters too many wrong codes for a mailbox waits; others who ask for one from elsewhere do not. */
async function askersLock(
  db: Db,
  kind: SignInKind,
  { email, address }: Pick<SignIn, 'email' | 'address'>,
  now: Date,
): Promise<Date | undefined> {
  const [row] = await db<{ until: Date | null }[]>`
    select max(locked_until) as until from sign_in_code
    where email = ${email} and asked_from = ${address} and starts_with(id, ${KINDS[kind].prefix})
      and locked_until > ${now}`;
  return row?.until ?? undefined;
}

async function tellCode(
  tx: Db,
  { deps, now, newId }: SignInContext,
  told: Pick<SignIn, 'email' | 'purpose' | 'note'> & { attemptId: string; kind: SignInKind; code: string },
): Promise<void> {
  const { attemptId, kind, email, code, purpose, note } = told;
  const { serviceName } = deps.config;
  const text = [
    `Your code: ${code}`,
    `Somebody asked for it to sign in to ${serviceName} ${purpose}, with your address. ${CODE_RULES}`,
    ...(note === undefined ? [] : [note]),
    `If it was you, enter it there. If it was not, do nothing and give it to nobody: whoever asked cannot get in without it. Nobody from ${serviceName} will ever ask you for it.`,
  ].join('\n\n');
  await postMessage(
    tx,
    { newId, now },
    {
      channel: 'mail',
      to: email,
      subject: `${serviceName}: your sign-in code`,
      text,
      purpose: `${kind}_code`,
      subject_id: attemptId,
    },
  );
}

/** The mailbox that a code went to, as long as the code can still be entered in this browser. */
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

export type CodeEntered =
  { outcome: 'proven'; email: string } | { outcome: 'wrong'; triesLeft: number } | { outcome: 'no_code' };

/**
 * Takes a code in the browser that asked for it. Each sending has its own few tries, and a code works once. A wrong one
 * counts: it must be committed.
 */
export async function enterSignInCode(
  tx: Db,
  { deps, now }: SignInContext,
  kind: SignInKind,
  { attemptId, browser, code }: { attemptId: string; browser: Buffer; code: string },
): Promise<CodeEntered> {
  const [row] = isAttempt(kind, attemptId)
    ? await tx<
        { email: string; asked_from: AddressGroup; created_at: Date; code_hash: Buffer; tries: number }[]
      >`
        select email, asked_from, created_at, code_hash, tries from sign_in_code
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
  await giveBack(tx, addressLimit(kind, row.asked_from), row.created_at);
  const contact = mailboxName(deps, kind, row.email);
  await rememberProven(tx, deps, { contact, address: row.asked_from }, now);
  return { outcome: 'proven', email: row.email };
}

export async function forgetSignInCodes(db: Db, now: Date): Promise<void> {
  await db`
    delete from sign_in_code where expires_at <= ${now} and (locked_until is null or locked_until <= ${now})`;
}

/** Takes back every trace of somebody's sign-ins, the mails that carried the codes among them. */
export async function forgetSignInsOf(db: Db, kind: SignInKind, email: string): Promise<void> {
  await db`delete from sign_in_code where email = ${email} and starts_with(id, ${KINDS[kind].prefix})`;
  await db`delete from message where recipient = ${email} and purpose = ${`${kind}_code`}`;
}

function isAttempt(kind: SignInKind, attemptId: string): boolean {
  return attemptId.startsWith(`${KINDS[kind].prefix}_`) && /^\w{4}[0-9a-hjkmnp-tv-z]{26}$/.test(attemptId);
}

/** Counters outlive what they count, so that they never hold an address of somebody who wants to be forgotten. */
function mailboxName({ secrets }: Pick<OperationDeps, 'secrets'>, kind: SignInKind, email: string): string {
  const hash = createHmac('sha256', secrets.session).update(JSON.stringify(['mailbox', email]));
  return `${kind}_code/${hash.digest('base64url')}`;
}

/** Six digits are found by trying from a plain hash; with a secret of ours the database alone does not give them away. */
function hashCode({ secrets }: Pick<OperationDeps, 'secrets'>, attemptId: string, code: string): Buffer {
  return createHmac('sha256', secrets.session)
    .update(JSON.stringify(['sign_in_code', attemptId, digitsOf(code)]))
    .digest();
}
