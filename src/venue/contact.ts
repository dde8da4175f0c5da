import { createHash } from 'node:crypto';
import type { Db } from '../core/postgres/db.ts';
import { E164 } from '../core/text/e164.ts';
import type { ContactField } from '../directory/word/field.ts';
import { trusted, type Words } from '../directory/word/word.ts';

/** Where a venue can be reached, and how. */
export interface Contact {
  channel: 'mail' | 'sms';
  /** An email address, or a number in E.164 form. */
  to: string;
}

/** All by which a venue may be reached about itself: to ask it, to tell it, and for it to prove that it is the venue. */
export interface VenueContacts {
  /** Where codes, questions and requests are written to, the first one first. */
  written: Contact[];
  /** E.164, or null: never completed by guess. */
  phone: string | null;
  /** Where somebody at the desk may look for a number. */
  website: string | null;
}

/** What a place says of its contacts, and who says it. */
export interface ContactsOfPlace extends Record<ContactField, string | null> {
  words: Words;
  source: string;
}

/** The contacts of a place with what only the service knows of them. */
export interface ContactRow extends ContactsOfPlace {
  claim: Contact | null;
  vouched: Contact[];
}

/** The columns of a ContactRow, for a table named p. */
export const CONTACT_SQL = `
  p.phone, p.email, p.website, p.words, p.source,
  (select jsonb_build_object('channel', c.channel, 'to', c.contact) from venue_claim c where c.place_id = p.id) as claim,
  (select coalesce(jsonb_agg(jsonb_build_object('channel', v.channel, 'to', v.contact)), '[]')
    from claim_code v where v.place_id = p.id and v.vouched_by is not null) as vouched`;

/**
 * The contact by which the venue may be asked, and prove that it is the venue: a published one, or one that the venue
 * set. What an agent submitted is only shown; where it stands in the place of a published contact, that one counts.
 */
export function trustedContact(
  { words, source, ...shown }: ContactsOfPlace,
  field: ContactField,
): string | null {
  const about = words[field];
  if (about === undefined) return source === 'submission' ? null : shown[field];
  return trusted(about)?.value ?? null;
}

/**
 * What maps and providers published of a venue, what the venue set itself, and what the desk found on its own page;
 * never what an agent submitted. Whoever asks a venue takes its contacts from here. On a claimed place it is written to
 * the contact that claimed it, whatever is published by now.
 */
export async function venueContacts(db: Db, placeId: string): Promise<VenueContacts> {
  const [place] = await db.unsafe<ContactRow[]>(
    `select ${CONTACT_SQL} from place p where p.id = $1`,
    [placeId],
    { prepare: true },
  );
  return place === undefined ? { written: [], phone: null, website: null } : contactsOf(place);
}

export function contactsOf(place: ContactRow): VenueContacts {
  const email = trustedContact(place, 'email');
  const phone = trustedContact(place, 'phone');
  const found: Contact[] = [
    ...(email === null ? [] : [{ channel: 'mail' as const, to: email }]),
    ...(phone === null ? [] : [{ channel: 'sms' as const, to: phone }]),
    ...place.vouched,
  ];
  const written = place.claim === null ? found.filter(isFirst) : [place.claim];
  const claimed = written.filter(({ channel }) => channel === 'sms').map(({ to }) => to);
  // Whoever claimed a place is called at the number that it set or claimed with, before one that a map has since.
  const own = place.words.phone?.[0]?.by === 'owner';
  const numbers = own || place.claim === null ? [phone, ...claimed] : [...claimed, phone];
  return {
    written,
    phone: numbers.find((number) => number !== null && E164.test(number)) ?? null,
    website: trustedContact(place, 'website'),
  };
}

function isFirst({ to }: Contact, at: number, all: readonly Contact[]): boolean {
  return all.findIndex((one) => one.to === to) === at;
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
