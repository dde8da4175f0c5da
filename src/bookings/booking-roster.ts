import type { Point } from '../core/geo.ts';
import type { Db } from '../core/postgres/db.ts';
import { escapeLike } from '../core/text/text.ts';
import { listDeliveriesOf, type DeliveryRow } from '../webhooks/delivery-state.ts';
import type { Booking, BookingStatus, ChannelName } from './booking.ts';
import { findRehearsalVenue } from './rehearsal/rehearsal-venue.ts';
import {
  BOOKING_SQL,
  bookingOf,
  listOffers,
  type AskRow,
  type BookingRow,
  type BookingOffer,
} from './booking-row.ts';
import {
  ENGLISH,
  venueLanguage,
  type PlaceLanguages,
  type VenueLanguage,
} from './language/venue-language.ts';
import { listEntries, type SealedEntry } from './timeline.ts';

export interface ListedBooking {
  booking: Booking;
  placeName: string | null;
  partnerName: string;
}

interface RosterFilter {
  /** open: all bookings without a decision. */
  status?: BookingStatus | 'open' | undefined;
  /** Part of the venue's name, or its id. */
  venue?: string | undefined;
  /** Part of the partner's name or email address, or its id. */
  partner?: string | undefined;
  /** Date of the table, YYYY-MM-DD, local to the place. */
  date?: string | undefined;
  /** The id of a booking, or part of the venue's reference. */
  text?: string | undefined;
  /** True when the text is also searched in guests' names and notes. */
  searchesGuests: boolean;
  before?: string | undefined;
  limit: number;
}

type ListedRow = BookingRow & Pick<ListedBooking, 'placeName' | 'partnerName'>;

export async function listAllBookings(db: Db, filter: RosterFilter): Promise<ListedBooking[]> {
  const { status, venue, partner, date, text, searchesGuests, before, limit } = filter;
  const rows = await db<ListedRow[]>`
    ${listedRows(db)} where true
      ${status === 'open' ? db`and b.status in ('sent','asking','offered')` : status === undefined ? db`` : db`and b.status = ${status}`}
      ${venue === undefined ? db`` : db`and (b.place_id = ${venue} or p.name ilike ${patternOf(venue)})`}
      ${
        partner === undefined
          ? db``
          : db`and (b.partner_id = ${partner} or n.name ilike ${patternOf(partner)} or n.email ilike ${patternOf(partner)})`
      }
      ${date === undefined ? db`` : db`and b.date = ${date}`}
      ${
        text === undefined
          ? db``
          : db`and (b.id = ${text} or b.confirmed_ref ilike ${patternOf(text)}
                 or ${searchesGuests} and (b.guest_name ilike ${patternOf(text)} or b.notes ilike ${patternOf(text)}))`
      }
      ${before === undefined ? db`` : db`and b.id < ${before}`}
    order by b.id desc limit ${limit}`;
  return rows.map(listedOf);
}

function listedRows(db: Db) {
  return db`
    select ${db.unsafe(BOOKING_SQL)}, p.name as "placeName", n.name as "partnerName"
    from booking b join partner n on n.id = b.partner_id left join place p on p.id = b.place_id`;
}

function listedOf({ placeName, partnerName, ...row }: ListedRow): ListedBooking {
  const name = placeName ?? findRehearsalVenue(row.placeId)?.name ?? null;
  return { booking: bookingOf(row), placeName: name, partnerName };
}

function patternOf(words: string): string {
  return `%${escapeLike(words)}%`;
}

export interface RecordedAsk {
  revision: number;
  step: AskRow['step'];
  channel: ChannelName;
  state: AskRow['state'];
  claimedAt: Date;
  askedAt: Date | null;
  detail: string | null;
  messageId: string | null;
}

export interface BookingRecord extends ListedBooking {
  entries: readonly SealedEntry[];
  asks: readonly RecordedAsk[];
  offers: readonly BookingOffer[];
  deliveries: readonly DeliveryRow[];
  language: VenueLanguage;
  /** Position of the venue, where it is known. */
  point: Point | undefined;
}

const BOOKING_ID = /^bkg_[0-9a-hjkmnp-tv-z]{26}$/;

export async function findListedBooking(db: Db, id: string): Promise<ListedBooking | undefined> {
  if (!BOOKING_ID.test(id)) return undefined;
  const [row] = await db<ListedRow[]>`${listedRows(db)} where b.id = ${id}`;
  return row && listedOf(row);
}

export async function readBookingRecord(db: Db, id: string): Promise<BookingRecord | undefined> {
  const listed = await findListedBooking(db, id);
  if (listed === undefined) return undefined;
  const { partnerId, placeId } = listed.booking;
  const [entries, asks, offers, deliveries, [place]] = await Promise.all([
    listEntries(db, [id]),
    db<RecordedAsk[]>`
      select revision, step, channel, state, claimed_at as "claimedAt", asked_at as "askedAt", detail,
             message_id as "messageId"
      from venue_ask where booking_id = ${id} order by id`,
    listOffers(db, [id]),
    listDeliveriesOf(db, { partnerId, bookingId: id }),
    db<(PlaceLanguages & { lat: number | null; lng: number | null })[]>`
      select languages, country, lat, lng from place where id = ${placeId}`,
  ]);
  const language = place === undefined ? ENGLISH : venueLanguage(place);
  const { lat = null, lng = null } = place ?? {};
  const point = lat === null || lng === null ? undefined : { lat, lng };
  return { ...listed, entries, asks, offers, deliveries, language, point };
}
