import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { E164 } from '../../core/text/e164.ts';
import { bookingMethodSql, hasTables } from '../../directory/booking-route/table-kinds.ts';
import type { Place } from '../../directory/place/place.ts';
import { hoursVerified } from '../../directory/hours/place-open.ts';
import { CONTACT_SQL, contactsOf, type ContactRow } from '../../venue/contact.ts';
import { channelWord, type ChannelName, type ChannelWord } from '../booking.ts';
import { CHANNELS } from '../channels/channels.ts';
import { SOON_MS, type Waking } from './timing.ts';

/** One way to the venue. */
export interface Way {
  channel: ChannelName;
  /** An address or a number; null where the channel knows the way itself. */
  to: string | null;
}

/** Why a venue cannot be asked at all. */
export type Refusal = 'place_closed' | 'venue_opted_out' | 'not_bookable_here' | 'use_link';

export interface ChannelPlan {
  refusal: Refusal | null;
  /** In the order in which they are tried; without a refusal there is always the desk at the end. */
  ways: readonly Way[];
  /** none: nobody is asked, and there is no booking page to send the guest to. */
  word: ChannelWord | 'link' | 'none';
}

/** A place as far as asking it goes. */
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
    | 'gather_minutes'
    | 'closed_at'
    | 'removed_at'
    | 'removal_reason'
  >;
  timezone: string;
  contacts: { sms: string | null; mail: string | null; phone: string | null };
  connector: boolean;
  /** Whether its source gives a number without a country code. */
  localNumber: boolean;
}

const ASKABLE = `
  select p.id, p.name, p.address, p.country, p.languages, p.hours, p.vertical, p.category, p.categories, p.website,
    ${bookingMethodSql('p.')} as booking_method, p.booking_url, p.chosen_by_venue, p.gather_minutes,
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
  const { written, phone } = contactsOf(row);
  const first = (channel: 'sms' | 'mail') => written.find((one) => one.channel === channel)?.to ?? null;
  const sms = first('sms');
  const contacts = { sms: sms !== null && E164.test(sms) ? sms : null, mail: first('mail'), phone };
  return { place, timezone, connector, localNumber, contacts };
}

/** Whether all that is known of a venue is a number without its country code, which nobody here completes by guess. */
export function hasOnlyLocalNumber({ contacts, connector, localNumber }: AskablePlace): boolean {
  return localNumber && !connector && Object.values(contacts).every((contact) => contact === null);
}

/** How a venue is asked, by what it wants, what we hold of it, what is set up here and how soon the table is. */
export function planChannels(deps: OperationDeps, askable: AskablePlace, untilTableMs: number): ChannelPlan {
  const { place, contacts, connector } = askable;
  if (place.closed_at !== null) return refused('place_closed', 'desk');
  if (place.booking_method === 'not_through') return refused('venue_opted_out', 'desk');
  const system = connector && usable(deps, 'venue_system');
  if (!takesTables(deps, askable) && !system)
    return refused('not_bookable_here', place.booking_method === 'venue_system' ? 'link' : 'none');
  if (place.booking_method === 'venue_system' && !system) return refused('use_link', 'link');
  const soon = untilTableMs < SOON_MS;
  const tap: Way[] =
    soon || place.booking_method === 'phone'
      ? []
      : [
          ...(contacts.sms === null ? [] : [{ channel: 'sms' as const, to: contacts.sms }]),
          ...(contacts.mail === null ? [] : [{ channel: 'mail' as const, to: contacts.mail }]),
        ];
  // Whoever can be written to is not rung up by a machine; the desk calls at the end.
  const call: Way[] =
    tap.length > 0 || contacts.phone === null ? [] : [{ channel: 'phone', to: contacts.phone }];
  const all: Way[] = [
    ...(system ? [{ channel: 'venue_system' as const, to: null }] : []),
    ...tap,
    ...call,
    { channel: 'desk', to: null },
  ];
  const [first] = all;
  return {
    refusal: null,
    ways: all.filter(({ channel }) => usable(deps, channel)),
    word: channelWord(first?.channel ?? 'desk'),
  };
}

/** A venue without tables is asked only where it chose that itself. */
export function takesTables({ config }: OperationDeps, { place }: Pick<AskablePlace, 'place'>): boolean {
  return place.booking_method === 'request' || hasTables(place, config.bookings.tableKinds);
}

function refused(refusal: Refusal, word: ChannelPlan['word']): ChannelPlan {
  return { refusal, ways: [], word };
}

function usable(deps: OperationDeps, channel: ChannelName): boolean {
  return CHANNELS[channel].usable?.(deps) ?? true;
}

/** When the venue may be disturbed. */
export function wakingOf({ config }: OperationDeps, { place, timezone }: AskablePlace, now: Date): Waking {
  const { from, until } = config.bookings.waking;
  const hours = hoursVerified(place, now) ? (place.hours?.compiled ?? null) : null;
  return { timezone, from, until, hours };
}
