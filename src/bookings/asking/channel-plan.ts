import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { bookingMethodSql, hasTables } from '../../directory/booking-route/table-kinds.ts';
import { hoursVerified } from '../../directory/hours/place-open.ts';
import { CONTACT_SQL, contactsOf, type ContactRow } from '../../venue/contact.ts';
import type { ChannelName } from '../booking.ts';
import type { AskablePlace, Channel } from '../channels/channel.ts';
import { CHANNELS, channelNamed, STAFF_CHANNEL } from '../channels/channels.ts';
import {
  findRehearsalVenue,
  isRehearsal,
  REHEARSAL_TIMES,
  rehearsalPlace,
} from '../rehearsal/rehearsal-venue.ts';
import { answerBy, SOON_MS, type ContactHours } from './timing.ts';

export interface ChannelTarget {
  channel: ChannelName;
  /** An email address or phone number; null where the channel determines it. */
  to: string | null;
}

/** Reason why a venue cannot be asked at all. */
export type Refusal =
  'demonstration_place' | 'place_closed' | 'venue_opted_out' | 'not_bookable_here' | 'use_link';

export interface ChannelPlan {
  refusal: Refusal | null;
  /** Channels in the order of use; without a refusal, the last one is always the desk. */
  targets: readonly ChannelTarget[];
  /** A public channel. link: the guest books there. none: the venue is not asked, and has no booking page. */
  shownChannel: string;
}

const LOOKUPS = CHANNELS.flatMap(({ name, contactSql }) =>
  contactSql === undefined ? [] : [`'${name}', ${contactSql}`],
);
const ASKABLE = `
  select p.id, p.name, p.address, p.languages, p.hours, p.vertical, p.category, p.categories, p.website,
    ${bookingMethodSql('p.')} as booking_method, p.booking_url, p.chosen_by_venue, p.batch_minutes,
    p.closed_at, p.removed_at, p.removal_reason, ${CONTACT_SQL}, d.timezone,
    jsonb_build_object(${LOOKUPS.join(', ')}) as lookups
  from place p join destination d on d.id = p.destination_id where p.id = $1`;

export async function findAskablePlace(db: Db, placeId: string): Promise<AskablePlace | undefined> {
  const venue = findRehearsalVenue(placeId);
  if (venue !== undefined) return rehearsalPlace(venue);
  type Row = AskablePlace['place'] & ContactRow & Pick<AskablePlace, 'timezone' | 'lookups' | 'sample'>;
  const [row] = await db.unsafe<Row[]>(ASKABLE, [placeId], { prepare: true });
  if (row === undefined) return undefined;
  const { timezone, lookups, sample, ...place } = row;
  return { place, timezone, lookups, sample, contacts: contactsOf(row) };
}

/** True when the only contact is a number without a country code, which is never guessed. */
export function hasOnlyLocalNumber(askable: AskablePlace): boolean {
  return (
    askable.place.facts.phone_as_published !== undefined &&
    CHANNELS.every((channel) => channel.kind === 'staff' || channel.contact(askable) === undefined)
  );
}

export function planChannels(deps: OperationDeps, askable: AskablePlace, untilTableMs: number): ChannelPlan {
  const { place } = askable;
  if (place.closed_at !== null) return refused('place_closed', staffShown);
  if (askable.sample) return refused('demonstration_place', 'none');
  if (place.booking_method === 'not_through') return refused('venue_opted_out', staffShown);
  const suitable = suitableChannels(deps, askable, untilTableMs < SOON_MS);
  const system = suitable.some(({ kind }) => kind === 'system');
  if (!takesTables(deps, askable) && !system)
    return refused('not_bookable_here', place.booking_method === 'venue_system' ? 'link' : 'none');
  if (place.booking_method === 'venue_system' && !system) return refused('use_link', 'link');
  const [first] = suitable;
  return {
    refusal: null,
    targets: suitable
      .filter((channel) => channel.usable?.(deps) ?? true)
      .map((channel) => ({ channel: channel.name, to: channel.contact(askable) ?? null })),
    shownChannel: first?.shownAs.name ?? staffShown,
  };
}

const staffShown = channelNamed(STAFF_CHANNEL).shownAs.name;

function suitableChannels(deps: OperationDeps, askable: AskablePlace, soon: boolean): Channel[] {
  const earlier: Channel[] = [];
  for (const channel of CHANNELS)
    if (channel.contact(askable) !== undefined && (channel.suits?.({ deps, askable, soon, earlier }) ?? true))
      earlier.push(channel);
  return earlier;
}

/** True for a kind of place that has tables, and for any venue that chose to get requests. */
function takesTables({ config }: OperationDeps, { place }: Pick<AskablePlace, 'place'>): boolean {
  return place.booking_method === 'request' || hasTables(place, config.bookings.tableKinds);
}

function refused(refusal: Refusal, shownChannel: ChannelPlan['shownChannel']): ChannelPlan {
  return { refusal, targets: [], shownChannel };
}

/** Returns the hours in which the venue may be contacted. */
export function contactHoursOf(
  { config }: OperationDeps,
  { place, timezone }: AskablePlace,
  now: Date,
): ContactHours {
  if (isRehearsal(place.id)) return REHEARSAL_TIMES.contactHours;
  const { from, until } = config.bookings.waking;
  const hours = hoursVerified(place, now) ? (place.hours?.compiled ?? null) : null;
  return { timezone, from, until, hours };
}

/** Returns until when the venue may answer a request that is made now. */
export function deadlineOf(deps: OperationDeps, askable: AskablePlace, now: Date, tableAt: Date): Date {
  if (isRehearsal(askable.place.id))
    return new Date(Math.min(now.getTime() + REHEARSAL_TIMES.answerMs, tableAt.getTime()));
  return answerBy(contactHoursOf(deps, askable, now), now, tableAt, deps.config.bookings.answerMs);
}
