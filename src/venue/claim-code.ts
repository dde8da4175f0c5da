import { createHmac, timingSafeEqual } from 'node:crypto';
import { CODE_MINUTES, digitsOf, issueMailedCode, TRIES_MAX } from '../accounts/sign-in/mailed-code.ts';
import { markAddressProven, type CodeRequest } from '../accounts/sign-in/proven-address.ts';
import type { Ctx, OperationDeps } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import type { AddressGroup } from '../core/text/address-group.ts';
import { HOUR_MS, MINUTE_MS } from '../core/time.ts';
import { MESSAGE_CHANNELS } from '../messages/message-channels.ts';
import { postMessage } from '../messages/post-message.ts';
import { claimPlace } from './claim-place.ts';
import type { Contact } from './contact.ts';

const LOCK_MS = HOUR_MS;
const RESEND_MS = MINUTE_MS;
/** The client that requests or enters a code. */
export interface CodeRequester {
  address: AddressGroup;
  browser: Buffer;
}

export type SentOutcome =
  { outcome: 'sent' } | { outcome: 'too_soon' | 'locked' | 'daily_limit'; retryAfterSeconds: number };

interface Sending {
  placeId: string;
  contact: Contact;
  asker: CodeRequester;
}

interface CodeRow {
  code_hash: Buffer | null;
  sent_at: Date;
  expires_at: Date;
  tries: number;
}

/** The message with a code, in the language of the page where it is asked for. */
interface CodeMessage {
  subject: string;
  text: string;
}

/** Sends a code to a contact of the venue. It works only in the requesting browser and replaces the previous one. */
export async function sendClaimCode(
  deps: OperationDeps,
  tx: Db,
  sending: Sending,
  write: (code: string) => CodeMessage,
): Promise<SentOutcome> {
  const { placeId, contact, asker } = sending;
  const { channel, to } = contact;
  const now = deps.clock.now();
  const secondsUntil = (time: Date) => Math.max(1, Math.ceil((time.getTime() - now.getTime()) / 1000));
  const locked = await requesterLock(tx, sending, now);
  if (locked !== undefined) return { outcome: 'locked', retryAfterSeconds: secondsUntil(locked) };
  const row = await lockCode(tx, sending);
  const next = new Date((row?.sent_at.getTime() ?? 0) + RESEND_MS);
  if (next > now) return { outcome: 'too_soon', retryAfterSeconds: secondsUntil(next) };
  const issued = await issueMailedCode(
    tx,
    deps,
    codeRequestOf(sending),
    MESSAGE_CHANNELS[channel].codesPerDay,
    now,
  );
  if (!('code' in issued)) return { outcome: 'daily_limit', ...issued };
  const sent = await tx`
    insert into claim_code (place_id, channel, contact, browser, requested_from, code_hash, sent_at, expires_at)
    values (${placeId}, ${channel}, ${to}, ${asker.browser}, ${asker.address}, ${hashCode(deps, sending, issued.code)},
            ${now}, ${new Date(now.getTime() + CODE_MINUTES * MINUTE_MS)})
    on conflict (place_id, channel, contact, browser) do update set requested_from = excluded.requested_from,
      code_hash = excluded.code_hash, sent_at = excluded.sent_at, expires_at = excluded.expires_at, tries = 0,
      locked_until = null
    -- Of two concurrent requests, only one sends a code.
    where claim_code.sent_at <= ${new Date(now.getTime() - RESEND_MS)}`;
  if (sent.count === 0) return { outcome: 'too_soon', retryAfterSeconds: RESEND_MS / 1000 };
  const { subject, text } = write(issued.code);
  const message = { ...contact, subject, text, purpose: 'claim_code', subject_id: placeId } as const;
  await postMessage(tx, { newId: deps.newId, now }, message);
  return { outcome: 'sent' };
}

function codeRequestOf({ contact, asker }: Sending): CodeRequest {
  return { contact: `claim_code/${contact.to}`, address: asker.address };
}

export type EnterOutcome =
  | { outcome: 'claimed'; placeId: string }
  | { outcome: 'wrong'; triesLeft: number }
  | { outcome: 'locked'; retryAfterSeconds: number }
  | { outcome: 'no_code' };

/** Checks a code in the browser that requested it. The fifth wrong code locks this requester for an hour. */
export async function enterClaimCode(
  tx: Db,
  ctx: Pick<Ctx, 'deps' | 'now' | 'audit'>,
  { code, ...sending }: Sending & { code: string },
): Promise<EnterOutcome> {
  const { deps, now } = ctx;
  const { placeId, contact } = sending;
  const locked = await requesterLock(tx, sending, now);
  if (locked !== undefined)
    return { outcome: 'locked', retryAfterSeconds: Math.ceil((locked.getTime() - now.getTime()) / 1000) };
  const row = await lockCode(tx, sending);
  // A concurrent request from the same browser may have used up the last try while this one waited for the lock.
  if (row === undefined || row.code_hash === null || row.expires_at <= now)
    return row?.tries === TRIES_MAX && row.expires_at > now
      ? { outcome: 'locked', retryAfterSeconds: LOCK_MS / 1000 }
      : { outcome: 'no_code' };
  if (!timingSafeEqual(row.code_hash, hashCode(deps, sending, code)))
    return countWrong(tx, sending, row.tries + 1, now);
  await claimPlace(tx, ctx, placeId, contact);
  await markAddressProven(tx, deps, codeRequestOf(sending), now);
  return { outcome: 'claimed', placeId };
}

async function countWrong(tx: Db, sending: Sending, tries: number, now: Date): Promise<EnterOutcome> {
  const last = tries >= TRIES_MAX;
  await tx`
    update claim_code set tries = ${tries}, code_hash = case when ${last} then null else code_hash end,
      locked_until = ${last ? new Date(now.getTime() + LOCK_MS) : null}
    where ${isSending(tx, sending)}`;
  return last
    ? { outcome: 'locked', retryAfterSeconds: LOCK_MS / 1000 }
    : { outcome: 'wrong', triesLeft: TRIES_MAX - tries };
}

/** Returns the end of the lock of the requester's address group for this contact. */
async function requesterLock(
  db: Db,
  { placeId, contact: { channel, to }, asker }: Sending,
  now: Date,
): Promise<Date | undefined> {
  const [row] = await db<{ until: Date | null }[]>`
    select max(locked_until) as until from claim_code
    where place_id = ${placeId} and channel = ${channel} and contact = ${to} and requested_from = ${asker.address}
      and locked_until > ${now}`;
  return row?.until ?? undefined;
}

/** Locks the code row of this browser, so that concurrent sends and entries are serialized. */
async function lockCode(tx: Db, sending: Sending): Promise<CodeRow | undefined> {
  const [row] = await tx<CodeRow[]>`
    select code_hash, sent_at, expires_at, tries from claim_code where ${isSending(tx, sending)} for update`;
  return row;
}

function isSending(db: Db, { placeId, contact: { channel, to }, asker }: Sending) {
  return db`place_id = ${placeId} and channel = ${channel} and contact = ${to} and browser = ${asker.browser}`;
}

/** Hashes a code with a server secret: six digits could be brute-forced from a plain hash if the database leaked. */
function hashCode(
  { secrets }: OperationDeps,
  { placeId, contact: { channel, to } }: Sending,
  code: string,
): Buffer {
  return createHmac('sha256', secrets.session)
    .update(JSON.stringify(['claim', placeId, channel, to, digitsOf(code)]))
    .digest();
}
