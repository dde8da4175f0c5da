import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { Ctx, OperationDeps } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import { postMessage } from '../messages/post-message.ts';
import { takeFromWindow } from '../metering/rate-window.ts';
import { claimPlace } from './claim-place.ts';
import type { Contact } from './contact.ts';
import { DAY_MS, HOUR_MS } from '../core/time.ts';

export const CODE_MINUTES = 10;
export const TRIES_MAX = 5;
const LOCK_MS = HOUR_MS;
const RESEND_MS = 60_000;
/** How many codes a day may go to one contact: nobody is to be pestered by strangers who press a button. */
const PER_DAY = { mail: 6, sms: 3 } as const;
const CODES = 1_000_000;

export type SentOutcome =
  { outcome: 'sent' } | { outcome: 'too_soon' | 'locked' | 'daily_limit'; retryAfterSeconds: number };

interface Sending {
  placeId: string;
  contact: Contact;
  /** Whose submission the venue is told of; absent when somebody asked for the code on the page. */
  invitedBy?: { agent_name: string; operator_name: string };
}

interface CodeRow {
  code_hash: Buffer | null;
  sent_at: Date | null;
  expires_at: Date | null;
  tries: number;
  locked_until: Date | null;
}

/** Sends a new code to a contact of the venue. The one before it stops working. */
export async function sendClaimCode(deps: OperationDeps, tx: Db, sending: Sending): Promise<SentOutcome> {
  const { placeId, contact } = sending;
  const now = deps.clock.now();
  const row = await lockCode(tx, placeId, contact);
  const until = (time: Date) => Math.max(1, Math.ceil((time.getTime() - now.getTime()) / 1000));
  if (row.locked_until !== null && row.locked_until > now)
    return { outcome: 'locked', retryAfterSeconds: until(row.locked_until) };
  const next = row.sent_at === null ? now : new Date(row.sent_at.getTime() + RESEND_MS);
  if (next > now) return { outcome: 'too_soon', retryAfterSeconds: until(next) };
  const limit = { name: `claim_code/${contact.to}`, max: PER_DAY[contact.channel], windowMs: DAY_MS };
  const taken = await takeFromWindow(tx, limit, now);
  if (!taken.allowed) return { outcome: 'daily_limit', retryAfterSeconds: taken.resetsInSeconds };
  const code = String(randomInt(CODES)).padStart(6, '0');
  await tx`
    update claim_code set code_hash = ${hashCode(deps, placeId, contact, code)}, sent_at = ${now}, tries = 0,
      locked_until = null, expires_at = ${new Date(now.getTime() + CODE_MINUTES * 60_000)}
    where place_id = ${placeId} and channel = ${contact.channel} and contact = ${contact.to}`;
  await tellCode(deps, tx, sending, code);
  return { outcome: 'sent' };
}

async function tellCode(
  deps: OperationDeps,
  tx: Db,
  { placeId, contact, invitedBy }: Sending,
  code: string,
): Promise<void> {
  const { serviceName, baseUrl } = deps.config;
  const [place] = await tx<{ name: string }[]>`select name from place where id = ${placeId}`;
  const name = place?.name ?? 'your place';
  const why =
    invitedBy === undefined
      ? `Somebody asked for a code to look after the listing of ${name} on ${serviceName}.`
      : `${invitedBy.operator_name} (agent: ${invitedBy.agent_name}) submitted ${name} to ${serviceName} and says that it is its owner. The listing is now on ${serviceName}; with this code you claim it as yours. You then see what was said in your name, and decide whether ${invitedBy.operator_name} acts for you.`;
  const text = `${why}\n\nYour code: ${code}\nEnter it here: ${baseUrl}/venue/claim/${placeId}\n\nThe code works for ${CODE_MINUTES} minutes; the page sends you a new one whenever you ask. If this is not your place, or you did not expect this, do nothing and give the code to nobody.`;
  await postMessage(
    tx,
    { newId: deps.newId, now: deps.clock.now() },
    {
      channel: contact.channel,
      to: contact.to,
      subject: `${serviceName}: claim ${name}`,
      text,
      purpose: 'claim_code',
      subject_id: placeId,
    },
  );
}

export type EnterOutcome =
  | { outcome: 'claimed'; placeId: string }
  | { outcome: 'wrong'; triesLeft: number }
  | { outcome: 'locked'; retryAfterSeconds: number }
  | { outcome: 'no_code' };

/** Takes a code. A wrong one counts, whoever enters it, and the fifth locks the contact for an hour. */
export async function enterClaimCode(
  tx: Db,
  ctx: Pick<Ctx, 'deps' | 'now' | 'audit'>,
  { placeId, contact, code }: { placeId: string; contact: Contact; code: string },
): Promise<EnterOutcome> {
  const { deps, now } = ctx;
  const row = await lockCode(tx, placeId, contact);
  if (row.locked_until !== null && row.locked_until > now)
    return {
      outcome: 'locked',
      retryAfterSeconds: Math.ceil((row.locked_until.getTime() - now.getTime()) / 1000),
    };
  if (row.code_hash === null || row.expires_at === null || row.expires_at <= now)
    return { outcome: 'no_code' };
  const digits = code.replaceAll(/[\s-]/g, '');
  if (!timingSafeEqual(row.code_hash, hashCode(deps, placeId, contact, digits))) {
    const tries = row.tries + 1;
    const locked = tries >= TRIES_MAX ? new Date(now.getTime() + LOCK_MS) : null;
    await setTries(tx, placeId, contact, tries, locked);
    return locked === null
      ? { outcome: 'wrong', triesLeft: TRIES_MAX - tries }
      : { outcome: 'locked', retryAfterSeconds: LOCK_MS / 1000 };
  }
  await claimPlace(tx, ctx, placeId, contact);
  return { outcome: 'claimed', placeId };
}

async function setTries(
  tx: Db,
  placeId: string,
  { channel, to }: Contact,
  tries: number,
  lockedUntil: Date | null,
): Promise<void> {
  await tx`
    update claim_code set tries = ${tries}, locked_until = ${lockedUntil},
      code_hash = case when ${lockedUntil === null} then code_hash end,
      sent_at = case when ${lockedUntil === null} then sent_at end,
      expires_at = case when ${lockedUntil === null} then expires_at end
    where place_id = ${placeId} and channel = ${channel} and contact = ${to}`;
}

/** Whoever sends or enters a code for the same contact at the same time waits here. */
async function lockCode(tx: Db, placeId: string, { channel, to }: Contact): Promise<CodeRow> {
  await tx`
    insert into claim_code (place_id, channel, contact) values (${placeId}, ${channel}, ${to}) on conflict do nothing`;
  const [row] = await tx<CodeRow[]>`
    select code_hash, sent_at, expires_at, tries, locked_until from claim_code
    where place_id = ${placeId} and channel = ${channel} and contact = ${to} for update`;
  if (row === undefined) throw new Error('A code vanished while it was being read.');
  return row;
}

/** Six digits are found by trying from a plain hash; with a secret of ours the database alone does not give them away. */
function hashCode(
  { secrets }: OperationDeps,
  placeId: string,
  { channel, to }: Contact,
  code: string,
): Buffer {
  return createHmac('sha256', secrets.session)
    .update(JSON.stringify(['claim', placeId, channel, to, code]))
    .digest();
}
