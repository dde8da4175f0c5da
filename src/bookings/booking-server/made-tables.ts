import type { Deps } from '../../core/context.ts';
import type { Booking } from '../booking.ts';
import type { Booked, ServerBooking, TableSlot } from './booking-server-shapes.ts';
import { BookingServerError, type BookingServer } from './booking-server.ts';
import { userIdOf } from './desk-contact.ts';

/** Whether the venue keeps a table for it. */
export function isLive({ status }: ServerBooking): boolean {
  return status === 'CONFIRMED' || status === 'PENDING_MERCHANT_CONFIRMATION';
}

/** Whether the answer to a cancellation says that the venue keeps the table no more. */
export function isGivenBack(booked: Booked): boolean {
  return 'booking' in booked ? !isLive(booked.booking) : booked.failure === 'BOOKING_ALREADY_CANCELLED';
}

/** Whether it is about this table; a server that does not say is taken at its word that it is. */
export function isFor({ slot }: ServerBooking, { startSec, partySize }: TableSlot): boolean {
  const { start_sec = startSec, resources } = slot ?? {};
  return start_sec === startSec && (resources?.party_size ?? partySize) === partySize;
}

/** What stands in the venue's system for a booking of ours: its user id is of this one booking alone. */
export function listMade(
  deps: Deps,
  server: BookingServer,
  booking: Pick<Booking, 'id' | 'partnerId'>,
): Promise<ServerBooking[]> {
  return server.listBookings(userIdOf(deps, booking));
}

/**
 * Finds what became of a request whose answer did not come: the table that stands, if need be for another time, or else
 * the one that was decided against. A system that took it twice gets back what is too much.
 */
export async function findMade(
  deps: Deps,
  server: BookingServer,
  booking: Pick<Booking, 'id' | 'partnerId'>,
  slot: TableSlot,
): Promise<ServerBooking | undefined> {
  const made = await listMade(deps, server, booking);
  const wanted = made.filter((one) => isFor(one, slot));
  const found = wanted.find(isLive) ?? made.find(isLive) ?? wanted.at(-1);
  for (const surplus of made.filter((one) => one !== found && isLive(one)))
    if (!isGivenBack(await server.cancelBooking(surplus.booking_id)))
      throw new BookingServerError('status', "The venue's system keeps more than one table.", {
        inDoubt: true,
      });
  return found;
}

/** Finds a table that was to be moved, if it stands where it was to go. */
export async function findMoved(
  deps: Deps,
  server: BookingServer,
  booking: Pick<Booking, 'id' | 'partnerId'>,
  { ref, slot }: { ref: string; slot: TableSlot },
): Promise<ServerBooking | undefined> {
  const made = await listMade(deps, server, booking);
  return made.find(
    (one) => one.booking_id === ref && isLive(one) && one.slot?.start_sec !== undefined && isFor(one, slot),
  );
}
