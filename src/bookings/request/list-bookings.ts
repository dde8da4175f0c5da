import type { Db } from '../../core/postgres/db.ts';
import type { Booking, BookingStatus } from '../booking.ts';
import { BOOKING_SQL, bookingOf } from '../booking-row.ts';

interface BookingFilter {
  partnerId?: string | undefined;
  memberId?: string | undefined;
  placeId?: string | undefined;
  status?: BookingStatus | undefined;
  since?: Date | undefined;
  createdFrom?: Date | undefined;
  before?: string | undefined;
  limit: number;
}

export async function listBookings(db: Db, filter: BookingFilter): Promise<Booking[]> {
  const { partnerId, memberId, placeId, status, since, createdFrom, before, limit } = filter;
  const conditions: string[] = [];
  const values: (string | number | Date)[] = [];
  const where = (sql: string, value: string | Date | undefined) => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(`${sql} $${values.length}`);
  };
  where('b.partner_id =', partnerId);
  where('b.member_id =', memberId);
  where('b.place_id =', placeId);
  where('b.status =', status);
  where('b.updated_at >=', since);
  where('b.created_at >=', createdFrom);
  where('b.id <', before);
  values.push(limit);
  const rows = await db.unsafe<Parameters<typeof bookingOf>[0][]>(
    `select ${BOOKING_SQL} from booking b ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}
     order by b.id desc limit $${values.length}`,
    values,
  );
  return rows.map(bookingOf);
}

/** Counts the bookings of a partner by status, without rehearsals. */
export function countPartnerBookings(
  db: Db,
  { partnerId, createdFrom }: { partnerId: string; createdFrom: Date | null },
): Promise<readonly { status: BookingStatus; bookings: number }[]> {
  return db<{ status: BookingStatus; bookings: number }[]>`
    select status, count(*)::int as bookings from booking
    where partner_id = ${partnerId} and not rehearsal
      and (${createdFrom}::timestamptz is null or created_at >= ${createdFrom})
    group by status order by count(*) desc, status`;
}
