import type { Db } from '../../core/postgres/db.ts';
import type { Booking } from '../booking.ts';
import { isChannelKind } from '../channels/channels.ts';
import { BOOKING_SQL, bookingOf, listOffers, type BookingRow, type BookingOffer } from '../booking-row.ts';

export interface VenueTables {
  open: OpenRequest[];
  over: Booking[];
  undoable: Booking[];
  /** Guests who wait for a free table, by day and then by the time of joining. */
  waiting: Booking[];
}

export interface OpenRequest {
  booking: Booking;
  offer: BookingOffer | undefined;
  /** True when the venue can answer on a page; false where its own system is asked and answers. */
  answerable: boolean;
}

const OPEN_MAX = 100;

export async function listVenueTables(
  db: Db,
  placeId: string,
  { now, overMax }: { now: Date; overMax: number },
): Promise<VenueTables> {
  const select = db`select ${db.unsafe(BOOKING_SQL)} from booking b`;
  const [open, over, undoable, waiting] = await Promise.all([
    db<BookingRow[]>`
      ${select} where b.place_id = ${placeId} and b.status in ('sent','asking','offered') and not b.waiting and b.table_at > ${now}
      order by b.table_at, b.id limit ${OPEN_MAX}`,
    db<BookingRow[]>`
      ${select} where b.place_id = ${placeId}
        and (b.status in ('declined','no_answer','cancelled') or b.table_at <= ${now})
      order by b.table_at desc, b.id desc limit ${overMax}`,
    db<BookingRow[]>`
      ${select} join venue_undo u on u.booking_id = b.id and u.sequence = b.last_sequence
      where b.place_id = ${placeId} and u.actor = 'venue' and u.until > ${now} order by u.until desc`,
    db<BookingRow[]>`
      ${select} where b.place_id = ${placeId} and b.waiting and b.table_at > ${now}
      order by b.date, b.waiting_since, b.id limit ${OPEN_MAX}`,
  ]);
  const offers = await listOffers(
    db,
    open.filter(({ status }) => status === 'offered').map(({ id }) => id),
  );
  return {
    open: open.map((row) => requestOf(bookingOf(row), offers)),
    over: over.map(bookingOf),
    undoable: undoable.map(bookingOf),
    waiting: waiting.map(bookingOf),
  };
}

function requestOf(booking: Booking, offers: readonly BookingOffer[]): OpenRequest {
  const { id, status } = booking;
  return {
    booking,
    offer: offers.find(({ bookingId, state }) => bookingId === id && state === 'open'),
    answerable: status !== 'offered' && !isChannelKind(booking.channel, 'system'),
  };
}
