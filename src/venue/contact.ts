import { createHash } from 'node:crypto';
import type { Db } from '../core/db.ts';

/** Where a venue can be reached, and how. */
export interface Contact {
  channel: 'mail' | 'sms';
  /** An email address, or a number in E.164 form. */
  to: string;
}

/**
 * The contacts by which a venue may prove that it is the venue: what maps and its own website published of it, never
 * what an agent submitted. On a claimed place it is the contact that claimed it, whatever is published by now.
 */
export async function publishedContacts(db: Db, placeId: string): Promise<Contact[]> {
  const claims = await db<
    Contact[]
  >`select channel, contact as to from venue_claim where place_id = ${placeId}`;
  if (claims.length > 0) return [...claims];
  const [place] = await db<{ email: string | null; phone: string | null; origins: Record<string, string> }[]>`
    select email, phone, origins from place where id = ${placeId}`;
  const vouched = await db<Contact[]>`
    select channel, contact as to from claim_code where place_id = ${placeId} and vouched_by is not null`;
  const published = (field: 'email' | 'phone') =>
    place?.origins[field] === undefined ? (place?.[field] ?? null) : null;
  const email = published('email');
  const phone = published('phone');
  const found: Contact[] = [
    ...(email === null ? [] : [{ channel: 'mail' as const, to: email }]),
    ...(phone === null ? [] : [{ channel: 'sms' as const, to: phone }]),
    ...vouched,
  ];
  return found.filter((one, at) => found.findIndex(({ to }) => to === one.to) === at);
}

/** A contact so that its owner recognises it and nobody else learns it. */
export function maskContact({ channel, to }: Contact): string {
  if (channel === 'sms') return `${to.slice(0, 3)}•••${to.slice(-3)}`;
  const [name = '', host = ''] = to.split('@');
  return `${name.slice(0, 1)}•••@${host}`;
}

/** Names a contact in a form without telling it. */
export function contactKey({ channel, to }: Contact): string {
  return createHash('sha256').update(`${channel}:${to}`).digest('hex').slice(0, 12);
}
