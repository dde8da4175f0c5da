import { createHash } from 'node:crypto';
import type { Db } from '../core/postgres/db.ts';
import { E164, isOfOtherCountry } from '../core/text/e164.ts';
import type { ContactField } from '../directory/provenance/field.ts';
import type { Place } from '../directory/place/place.ts';
import { MESSAGE_CHANNELS, type MessageChannel } from '../messages/message-channels.ts';
import { trustedClaim, type FieldClaims } from '../directory/provenance/field-claim.ts';

export interface Contact {
  channel: MessageChannel;
  /** An email address, or a number in E.164 form. */
  to: string;
}

/** The contacts by which the service reaches a venue, and by which the venue proves its identity. */
export interface VenueContacts {
  /** Contacts for codes, questions and requests, in order of preference. */
  messageContacts: Contact[];
  /** E.164, or null: an incomplete number is never completed by guess. */
  phone: string | null;
  /** A number that the listing shows, but that may not be used: it lacks its country code or has another country's. */
  unusable_phone: string | null;
  /** Page where the desk may look for a number. */
  website: string | null;
}

export interface ContactsOfPlace extends Record<ContactField, string | null> {
  field_claims: FieldClaims;
  source: string;
}

/** The contact fields of a place, with the claim and the contacts that staff vouched for. */
export interface ContactRow extends ContactsOfPlace, Pick<Place, 'country' | 'facts'> {
  claim: Contact | null;
  vouched: Contact[];
  /** A real place of the demonstration, which contacts nobody. */
  sample: boolean;
}

/** The columns of a ContactRow, for a table named p. */
export const CONTACT_SQL = `
  p.phone, p.email, p.website, p.country, p.facts, p.field_claims, p.source, is_sample_venue(p.id) as sample,
  (select jsonb_build_object('channel', c.channel, 'to', c.contact) from venue_claim c where c.place_id = p.id) as claim,
  (select coalesce(jsonb_agg(jsonb_build_object('channel', v.channel, 'to', v.contact)), '[]')
    from vouched_contact v where v.place_id = p.id) as vouched`;

/**
 * Returns the contact by which the venue is reached and proves its identity: a published one, or one that the venue
 * set. A contact that an agent submitted is only displayed; where it hides a published contact, the published one is
 * returned.
 */
export function trustedContact(
  { field_claims, source, ...displayed }: ContactsOfPlace,
  field: ContactField,
): string | null {
  const claims = field_claims[field];
  if (claims === undefined) return source === 'submission' ? null : displayed[field];
  return trustedClaim(claims)?.value ?? null;
}

/**
 * Reads the contacts that maps and providers published, that the venue set itself, or that the desk found on the
 * venue's own page; never those that an agent submitted. Every message to a venue takes its contacts from here. For a
 * claimed place `messageContacts` is the contact that claimed it, whatever has been published since.
 */
export async function venueContacts(db: Db, placeId: string): Promise<VenueContacts> {
  const [place] = await db.unsafe<ContactRow[]>(
    `select ${CONTACT_SQL} from place p where p.id = $1`,
    [placeId],
    { prepare: true },
  );
  return place === undefined ? NO_CONTACTS : contactsOf(place);
}

const NO_CONTACTS: VenueContacts = { messageContacts: [], phone: null, unusable_phone: null, website: null };

export function contactsOf(place: ContactRow): VenueContacts {
  if (place.sample) return NO_CONTACTS;
  const email = trustedContact(place, 'email');
  const published = trustedContact(place, 'phone');
  const setByVenue = place.field_claims.phone?.[0]?.by === 'owner';
  // A venue may have a number abroad; in a map such a number is more often that of another place.
  const isUsable = setByVenue || !isOfOtherCountry(published, place.country);
  const phone = isUsable ? published : null;
  const candidates: Contact[] = [
    ...(email === null ? [] : [{ channel: 'mail', to: email } as const]),
    ...(phone === null ? [] : [{ channel: 'sms', to: phone } as const]),
    ...place.vouched,
  ];
  const messageContacts = place.claim === null ? candidates.filter(isFirst) : [place.claim];
  const addresses = messageContacts.map(({ to }) => to);
  // A claimed place is called at the number that the venue set or claimed with, before one that a map published later.
  const numbers = setByVenue || place.claim === null ? [phone, ...addresses] : [...addresses, phone];
  return {
    messageContacts,
    phone: numbers.find((number) => number !== null && E164.test(number)) ?? null,
    unusable_phone: isUsable ? (place.facts.phone_as_published ?? null) : published,
    website: trustedContact(place, 'website'),
  };
}

function isFirst({ to }: Contact, index: number, all: readonly Contact[]): boolean {
  return all.findIndex((other) => other.to === to) === index;
}

export function maskContact({ channel, to }: Contact): string {
  return MESSAGE_CHANNELS[channel].mask(to);
}

/** Identifies a contact in a form without revealing it. */
export function contactKey({ channel, to }: Contact): string {
  return createHash('sha256').update(`${channel}:${to}`).digest('hex').slice(0, 12);
}
