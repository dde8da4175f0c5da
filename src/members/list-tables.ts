import type { Point } from '../core/geo.ts';
import { HOUSE_PARTNER } from '../accounts/partners/house-partner.ts';
import { listOffers, type BookingOffer } from '../bookings/booking-row.ts';
import type { StatedTerms } from '../bookings/terms/table-terms.ts';
import { listEntries, type TimelineEntry } from '../bookings/timeline.ts';
import type { Db } from '../core/postgres/db.ts';

/** A table that was requested in a member's name, as the member sees it. */
export interface MemberTable {
  bookingId: string;
  status: 'sent' | 'asking' | 'offered' | 'confirmed' | 'declined' | 'no_answer' | 'cancelled';
  /** Local to the place. */
  date: string;
  time: string;
  timeUntil: string | null;
  partySize: number;
  /** The instant of `date` and `time`. */
  tableAt: Date;
  /** Null when the place is no longer listed. */
  placeId: string | null;
  placeName: string | null;
  /** Kind of the place, for its picture. */
  category: string | null;
  vertical: string | null;
  cuisine: readonly string[] | null;
  point: Point | null;
  /** Null for a table that the member requested on a page. */
  partnerName: string | null;
  timezone: string;
  notes: string | null;
  /** The venue's terms at the time of the request. */
  terms: StatedTerms;
  /** The venue answers until then, as far as known. */
  answerBy: Date | null;
  /** The confirmed table that stays until the venue has answered a change. */
  held: { date: string; time: string; party_size: number } | null;
  /** A change failed, and this is the table from before. */
  reverted: boolean;
  /** The venue is full, and the member waits for a free table until `answerBy`. */
  waiting: boolean;
  /** Its time has passed. */
  past: boolean;
  /** Bookings are halted, and the venue is not being asked. */
  halted: boolean;
  /** Changes with every event of the booking. */
  version: number;
  updatedAt: Date;
  /** Tables that the venue offers instead, while they can be accepted. */
  offers: readonly BookingOffer[];
  /** Events of the booking, in order. */
  entries: readonly TimelineEntry[];
  /** Confirmed, and its time has passed. */
  ratable: boolean;
  stars: number | null;
}

const TABLES_MAX = 100;

/** Lists a member's tables: all, those at one place, or the table of one booking. */
export async function listMemberTables(
  db: Db,
  memberId: string,
  now: Date,
  { placeId = null, bookingId = null }: { placeId?: string | null; bookingId?: string | null } = {},
): Promise<readonly MemberTable[]> {
  const tables = await db<Omit<MemberTable, 'offers' | 'entries'>[]>`
    select b.id as "bookingId", b.status, b.date::text as date, b.time, b.time_until as "timeUntil", b.party_size as "partySize", b.timezone, b.notes, b.table_at as "tableAt",
      coalesce(b.table_terms, '{}') as terms, b.updated_at as "updatedAt",
      b.answer_by as "answerBy", b.waiting, b.held, b.reverted, b.table_at <= ${now} as past, b.frozen_at is not null as halted,
      b.last_sequence as version, p.id as "placeId", p.name as "placeName", p.category, p.vertical, p.cuisine,
      case when p.lat is not null then jsonb_build_object('lat', p.lat, 'lng', p.lng) end as point,
      case when t.id <> ${HOUSE_PARTNER} then t.name end as "partnerName",
      b.status = 'confirmed' and b.table_at < ${now} and p.id is not null as ratable, r.stars
    from booking b
    join partner t on t.id = b.partner_id
    left join place_merged m on m.merged_id = b.place_id
    left join place p on p.id = coalesce(m.place_id, b.place_id)
    left join place_rating r on r.booking_id = b.id
    where b.member_id = ${memberId} and (${placeId}::text is null or p.id = ${placeId})
      and (${bookingId}::text is null or b.id = ${bookingId})
    order by b.table_at desc, b.id desc limit ${TABLES_MAX}`;
  const offered = tables.filter(({ status, partnerName }) => status === 'offered' && partnerName === null);
  const [offers, entries] = await Promise.all([
    offered.length === 0
      ? []
      : listOffers(
          db,
          offered.map(({ bookingId }) => bookingId),
        ),
    listEntries(
      db,
      tables.map(({ bookingId }) => bookingId),
    ),
  ]);
  return tables.map((table) => ({
    ...table,
    entries: entries.filter(({ bookingId }) => bookingId === table.bookingId),
    offers: offers.filter(
      ({ bookingId, state, expiresAt }) =>
        bookingId === table.bookingId && state === 'open' && expiresAt > now,
    ),
  }));
}
