import type { Deps } from '../../core/context.ts';
import type { Booking } from '../booking.ts';
import type { Booked, ServerBooking, TableSlot } from './booking-server-shapes.ts';
import { BookingServerError, type BookingServer } from './booking-server.ts';
import { userIdOf } from './desk-contact.ts';

export function isLive({ status }: ServerBooking): boolean {
  return status === 'CONFIRMED' || status === 'PENDING_MERCHANT_CONFIRMATION';
}

/** True when the answer to a cancellation confirms that the venue no longer holds the table. */
export function isCancellationConfirmed(booked: Booked): boolean {
  return 'booking' in booked ? !isLive(booked.booking) : booked.failure === 'BOOKING_ALREADY_CANCELLED';
}

/** True when the booking is for this slot; fields missing from the answer count as matching. */
export function isFor({ slot }: ServerBooking, { startSec, partySize }: TableSlot): boolean {
  const { start_sec = startSec, resources } = slot ?? {};
  return start_sec === startSec && (resources?.party_size ?? partySize) === partySize;
}

/** Lists the tables that the venue's system holds for one of our bookings; each booking has its own user id. */
export function listSystemBookings(
  deps: Deps,
  server: BookingServer,
  booking: Pick<Booking, 'id' | 'partnerId'>,
): Promise<ServerBooking[]> {
  return server.listBookings(userIdOf(deps, booking));
}

/** Finds the result of a request without an answer, and cancels surplus tables if it was booked twice. */
export async function findSystemBooking(
  deps: Deps,
  server: BookingServer,
  booking: Pick<Booking, 'id' | 'partnerId'>,
  slot: TableSlot,
): Promise<ServerBooking | undefined> {
  const tables = await listSystemBookings(deps, server, booking);
  const matching = tables.filter((one) => isFor(one, slot));
  const table = matching.find(isLive) ?? tables.find(isLive) ?? matching.at(-1);
  for (const surplus of tables.filter((one) => one !== table && isLive(one)))
    if (!isCancellationConfirmed(await server.cancelBooking(surplus.booking_id)))
      throw new BookingServerError('status', "The venue's system has more than one table.", {
        inDoubt: true,
      });
  return table;
}

export async function findMoved(
  deps: Deps,
  server: BookingServer,
  booking: Pick<Booking, 'id' | 'partnerId'>,
  { ref, slot }: { ref: string; slot: TableSlot },
): Promise<ServerBooking | undefined> {
  const tables = await listSystemBookings(deps, server, booking);
  return tables.find(
    (one) => one.booking_id === ref && isLive(one) && one.slot?.start_sec !== undefined && isFor(one, slot),
  );
}
