import { randomInt } from 'node:crypto';
import type { Db } from '../core/postgres/db.ts';
import { hashToken } from '../core/secret/token.ts';
import { HOUR_MS } from '../core/time.ts';

const CODE_MS = 24 * HOUR_MS;
export const LINK_CODE_HOURS = CODE_MS / HOUR_MS;
// Excludes letters that look like digits or like each other. Twelve of them cannot be brute-forced.
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 12;
const CODE_GROUP = 4;

/** Creates a code for a member to give to one partner. It replaces the previous one. */
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

/** Links a member with the partner that submits the member's code. False when the code is wrong, used or expired. */
export async function redeemLinkCode(
  db: Db,
  link: { memberId: string; partnerId: string; code: string; now: Date },
): Promise<boolean> {
  const { memberId, partnerId, code, now } = link;
  // The row is deleted on use, so that of two concurrent requests with the same code only one succeeds.
  const [deleted] = await db`
    delete from member_link_code
    where member_id = ${memberId} and code_hash = ${hashCode(code)} and expires_at > ${now} returning 1`;
  if (deleted === undefined) return false;
  await db`
    insert into member_link (member_id, partner_id, linked_at) values (${memberId}, ${partnerId}, ${now})
    on conflict (member_id, partner_id) do nothing`;
  return true;
}

/** True when a partner may request tables in a member's name. */
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
  const [unlinked] = await db<{ name: string }[]>`
    delete from member_link l using partner p
    where l.member_id = ${memberId} and l.partner_id = ${partnerId} and p.id = l.partner_id
    returning p.name`;
  return unlinked?.name;
}

/** Ignores case, spaces and dashes: codes are typed by people and passed on by programs. */
function hashCode(code: string): Buffer {
  return hashToken(code.toUpperCase().replaceAll(/[^0-9A-Z]/g, ''));
}
