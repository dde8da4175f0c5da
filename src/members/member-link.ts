import { createHash, randomInt } from 'node:crypto';
import type { Db } from '../core/postgres/db.ts';
import { HOUR_MS } from '../core/time.ts';

const CODE_MS = 24 * HOUR_MS;
export const LINK_CODE_HOURS = CODE_MS / HOUR_MS;
// Without letters that look like digits or like each other. Twelve of them cannot be found by trying.
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 12;
const CODE_GROUP = 4;

/** A new code for a member to give to one partner. The one before it stops working. */
export async function makeLinkCode(
  db: Db,
  { memberId, now }: { memberId: string; now: Date },
): Promise<{ code: string; expiresAt: Date }> {
  const letters = Array.from({ length: CODE_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length)));
  const code = letters.join('').replaceAll(new RegExp(`(.{${CODE_GROUP}})(?=.)`, 'g'), '$1-');
  const expiresAt = new Date(now.getTime() + CODE_MS);
  await db`
    insert into member_link_code (member_id, code_hash, created_at, expires_at)
    values (${memberId}, ${hashCode(code)}, ${now}, ${expiresAt})
    on conflict (member_id) do update
      set code_hash = excluded.code_hash, created_at = excluded.created_at, expires_at = excluded.expires_at`;
  return { code, expiresAt };
}

/** Links a member with the partner that brings the member's code. False when the code is wrong, used or too old. */
export async function redeemLinkCode(
  db: Db,
  redeemed: { memberId: string; partnerId: string; code: string; now: Date },
): Promise<boolean> {
  const { memberId, partnerId, code, now } = redeemed;
  // The row goes with its use, so that of two who bring the same code at the same time one is too late.
  const [taken] = await db`
    delete from member_link_code
    where member_id = ${memberId} and code_hash = ${hashCode(code)} and expires_at > ${now} returning 1`;
  if (taken === undefined) return false;
  await db`
    insert into member_link (member_id, partner_id, linked_at) values (${memberId}, ${partnerId}, ${now})
    on conflict (member_id, partner_id) do nothing`;
  return true;
}

/** Whether a partner may ask for tables in a member's name. */
export async function isLinked(db: Db, memberId: string, partnerId: string): Promise<boolean> {
  const [row] = await db`
    select from member_link where member_id = ${memberId} and partner_id = ${partnerId}`;
  return row !== undefined;
}

export interface LinkedPartner {
  partnerId: string;
  name: string;
  linkedAt: Date;
}

export async function listLinkedPartners(db: Db, memberId: string): Promise<readonly LinkedPartner[]> {
  return db<LinkedPartner[]>`
    select l.partner_id as "partnerId", p.name, l.linked_at as "linkedAt"
    from member_link l join partner p on p.id = l.partner_id
    where l.member_id = ${memberId} order by l.linked_at desc, l.partner_id`;
}

/** Ends a link. Returns the partner's name, or undefined when there was none. */
export async function unlinkPartner(
  db: Db,
  memberId: string,
  partnerId: string,
): Promise<string | undefined> {
  const [gone] = await db<{ name: string }[]>`
    delete from member_link l using partner p
    where l.member_id = ${memberId} and l.partner_id = ${partnerId} and p.id = l.partner_id
    returning p.name`;
  return gone?.name;
}

export async function forgetLinkCodes(db: Db, now: Date): Promise<void> {
  await db`delete from member_link_code where expires_at <= ${now}`;
}

/** Codes are typed by people and passed on by programs: case, spaces and dashes do not matter. */
function hashCode(code: string): Buffer {
  return createHash('sha256')
    .update(code.toUpperCase().replaceAll(/[^0-9A-Z]/g, ''))
    .digest();
}
