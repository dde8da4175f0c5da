import type { Db } from '../core/postgres/db.ts';
import { literally } from '../core/text/text.ts';
import { listDeliveriesOf, type DeliveryRow } from '../webhooks/delivery-state.ts';
import type { Booking, BookingStatus, ChannelName } from './booking.ts';
import {
  BOOKING_SQL,
  bookingOf,
  listOffers,
  type AskRow,
  type BookingRow,
  type Offer,
} from './booking-row.ts';
import { ENGLISH, venueLanguage, type SpokenAt, type VenueLanguage } from './language/venue-language.ts';
import { listEntries, type SealedEntry } from './timeline.ts';

/** A booking as staff find it, with the names of those whom it is between. */
export interface ListedBooking {
  booking: Booking;
  /** null where the place is gone. */
  placeName: string | null;
  partnerName: string;
}

export interface RosterFilter {
  /** open: whatever is not decided yet. */
  status?: BookingStatus | 'open' | undefined;
  /** Words in the name of the venue, or its id. */
  venue?: string | undefined;
  /** Words in the name or the address of the partner, or its id. */
  partner?: string | undefined;
  /** The day of the table, YYYY-MM-DD, local to the place. */
  date?: string | undefined;
  /** The id of a booking, or words in the venue's reference. */
  text?: string | undefined;
  /** Whether the text is looked for in the names of guests and in the notes too. */
  searchesGuests: boolean;
  /** The id of the last booking of the page before. */
  before?: string | undefined;
  limit: number;
}

type ListedRow = BookingRow & Pick<ListedBooking, 'placeName' | 'partnerName'>;

/** The bookings of all partners, the newest first: ids begin with the moment at which they were made. */
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
  return { booking: bookingOf(row), placeName, partnerName };
}

function patternOf(words: string): string {
  return `%${literally(words)}%`;
}

/** One way by which the venue was asked or told something. */
export interface RecordedAsk {
  revision: number;
  step: AskRow['step'];
  channel: ChannelName;
  state: AskRow['state'];
  claimedAt: Date;
  askedAt: Date | null;
  /** What the channel said, in our own words. */
  detail: string | null;
  messageId: string | null;
}

/** A booking with all that happened about it. */
export interface BookingRecord extends ListedBooking {
  entries: readonly SealedEntry[];
  asks: readonly RecordedAsk[];
  offers: readonly Offer[];
  deliveries: readonly DeliveryRow[];
  /** In which the venue is written to. */
  language: VenueLanguage;
}

const BOOKING_ID = /^bkg_[0-9a-hjkmnp-tv-z]{26}$/;

/** Undefined where there is no such booking. */
export async function readBookingRecord(db: Db, id: string): Promise<BookingRecord | undefined> {
  if (!BOOKING_ID.test(id)) return undefined;
  const [row] = await db<ListedRow[]>`${listedRows(db)} where b.id = ${id}`;
  if (row === undefined) return undefined;
  const [entries, asks, offers, deliveries, [spoken]] = await Promise.all([
    listEntries(db, [id]),
    db<RecordedAsk[]>`
      select revision, step, channel, state, claimed_at as "claimedAt", asked_at as "askedAt", detail,
             message_id as "messageId"
      from venue_ask where booking_id = ${id} order by id`,
    listOffers(db, [id]),
    listDeliveriesOf(db, { partnerId: row.partnerId, bookingId: id }),
    db<SpokenAt[]>`select languages, country from place where id = ${row.placeId}`,
  ]);
  const language = spoken === undefined ? ENGLISH : venueLanguage(spoken);
  return { ...listedOf(row), entries, asks, offers, deliveries, language };
}
