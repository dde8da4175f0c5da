import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { E164 } from '../../core/text/e164.ts';
import { bookingMethodSql, hasTables } from '../../directory/booking-route/table-kinds.ts';
import type { Place } from '../../directory/place/place.ts';
import { hoursVerified } from '../../directory/hours/place-open.ts';
import { CONTACT_SQL, contactsOf, type ContactRow } from '../../venue/contact.ts';
import { publicChannel, type ChannelName, type PublicChannel } from '../booking.ts';
import { CHANNELS } from '../channels/channels.ts';
import { SOON_MS, type ContactHours } from './timing.ts';

export interface ChannelTarget {
  channel: ChannelName;
  /** An email address or phone number; null where the channel determines it. */
  to: string | null;
}

export function isWritten({ channel }: ChannelTarget): boolean {
  return channel === 'sms' || channel === 'mail';
}

export type Refusal = 'place_closed' | 'venue_opted_out' | 'not_bookable_here' | 'use_link';

export interface ChannelPlan {
  refusal: Refusal | null;
  /** Channels in the order of use; without a refusal, the last one is always the desk. */
  targets: readonly ChannelTarget[];
  /** none: the venue is not asked, and there is no booking page for the guest. */
  shownChannel: PublicChannel | 'link' | 'none';
}

export interface AskablePlace {
  place: Pick<
    Place,
    | 'id'
    | 'name'
    | 'address'
    | 'country'
    | 'languages'
    | 'phone'
    | 'hours'
    | 'vertical'
    | 'category'
    | 'categories'
    | 'website'
    | 'booking_method'
    | 'booking_url'
    | 'chosen_by_venue'
    | 'batch_minutes'
    | 'closed_at'
    | 'removed_at'
    | 'removal_reason'
  >;
  timezone: string;
  contacts: { sms: string | null; mail: string | null; phone: string | null };
  connector: boolean;
  localNumber: boolean;
}

const ASKABLE = `
  select p.id, p.name, p.address, p.country, p.languages, p.hours, p.vertical, p.category, p.categories, p.website,
    ${bookingMethodSql('p.')} as booking_method, p.booking_url, p.chosen_by_venue, p.batch_minutes,
    p.closed_at, p.removed_at, p.removal_reason, ${CONTACT_SQL}, d.timezone, p.facts ? 'local_phone' as "localNumber", exists (select from venue_connector c
      where c.place_id = p.id and c.enabled and c.accepts_desk_contact) as connector
  from place p join destination d on d.id = p.destination_id where p.id = $1`;

export async function findAskablePlace(db: Db, placeId: string): Promise<AskablePlace | undefined> {
  type Row = AskablePlace['place'] &
    ContactRow &
    Pick<AskablePlace, 'timezone' | 'connector' | 'localNumber'>;
  const [row] = await db.unsafe<Row[]>(ASKABLE, [placeId], { prepare: true });
  if (row === undefined) return undefined;
  const { timezone, connector, localNumber, ...place } = row;
  const { messageContacts, phone } = contactsOf(row);
  const first = (channel: 'sms' | 'mail') =>
    messageContacts.find((one) => one.channel === channel)?.to ?? null;
  const sms = first('sms');
  const contacts = { sms: sms !== null && E164.test(sms) ? sms : null, mail: first('mail'), phone };
  return { place, timezone, connector, localNumber, contacts };
}

/** True when the only contact is a number without a country code, which is never guessed. */
export function hasOnlyLocalNumber({ contacts, connector, localNumber }: AskablePlace): boolean {
  return localNumber && !connector && Object.values(contacts).every((contact) => contact === null);
}

export function planChannels(deps: OperationDeps, askable: AskablePlace, untilTableMs: number): ChannelPlan {
  const { place, contacts, connector } = askable;
  if (place.closed_at !== null) return refused('place_closed', 'desk');
  if (place.booking_method === 'not_through') return refused('venue_opted_out', 'desk');
  const system = connector && usable(deps, 'venue_system');
  if (!takesTables(deps, askable) && !system)
    return refused('not_bookable_here', place.booking_method === 'venue_system' ? 'link' : 'none');
  if (place.booking_method === 'venue_system' && !system) return refused('use_link', 'link');
  const soon = untilTableMs < SOON_MS;
  const tap: ChannelTarget[] =
    soon || place.booking_method === 'phone'
      ? []
      : [
          ...(contacts.sms === null ? [] : [{ channel: 'sms' as const, to: contacts.sms }]),
          ...(contacts.mail === null ? [] : [{ channel: 'mail' as const, to: contacts.mail }]),
        ];
  // A venue with a written contact gets no automated call; the desk calls as the last step.
  const call: ChannelTarget[] =
    tap.length > 0 || contacts.phone === null ? [] : [{ channel: 'phone', to: contacts.phone }];
  const all: ChannelTarget[] = [
    ...(system ? [{ channel: 'venue_system' as const, to: null }] : []),
    ...tap,
    ...call,
    { channel: 'desk', to: null },
  ];
  const [first] = all;
  return {
    refusal: null,
    targets: all.filter(({ channel }) => usable(deps, channel)),
    shownChannel: publicChannel(first?.channel ?? 'desk'),
  };
}

/** A venue without tables is asked only if it chose that itself. */
export function takesTables({ config }: OperationDeps, { place }: Pick<AskablePlace, 'place'>): boolean {
  return place.booking_method === 'request' || hasTables(place, config.bookings.tableKinds);
}

function refused(refusal: Refusal, shownChannel: ChannelPlan['shownChannel']): ChannelPlan {
  return { refusal, targets: [], shownChannel };
}

function usable(deps: OperationDeps, channel: ChannelName): boolean {
  return CHANNELS[channel].usable?.(deps) ?? true;
}

export function contactHoursOf(
  { config }: OperationDeps,
  { place, timezone }: AskablePlace,
  now: Date,
): ContactHours {
  const { from, until } = config.bookings.waking;
  const hours = hoursVerified(place, now) ? (place.hours?.compiled ?? null) : null;
  return { timezone, from, until, hours };
}
