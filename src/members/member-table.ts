import { HOUSE_PARTNER, storeHousePartner } from '../accounts/partners/house-partner.ts';
import type { Booking } from '../bookings/booking.ts';
import { lockBooking } from '../bookings/booking-row.ts';
import { refuseWhenHalted } from '../bookings/kill-switch/kill-switch.ts';
import { askableTable } from '../bookings/request/askable-table.ts';
import { consumeVenueQuota } from '../bookings/request/limits.ts';
import { openBooking, refuseDuplicate, type NewBooking } from '../bookings/request/open-booking.ts';
import type { Ctx } from '../core/context.ts';
import { AppError } from '../core/errors.ts';
import type { Db } from '../core/postgres/db.ts';
import { refuseContacts } from '../core/text/contact/contact-data.ts';
import type { Member } from './member.ts';

interface WantedTable {
  placeId: string;
  date: string;
  time: string;
  partySize: number;
  notes: string | null;
  /** True: if the venue is full, the member waits for a free table until the time of the table. */
  waits: boolean;
}

/** Requests a table for a member who asked on a page. The venue gets the member's name and nothing else. */
export async function requestMemberTable(
  ctx: Pick<Ctx, 'db' | 'deps' | 'now' | 'newId'>,
  { id: memberId, displayName }: Member,
  { notes, waits, ...wanted }: WantedTable,
): Promise<Booking> {
  await refuseWhenHalted(ctx.db);
  refuseContacts({ notes });
  const { askable, table, from } = await askableTable(ctx, {
    ...wanted,
    ...(waits && { waitUntil: 'table' }),
  });
  // The desk calls other venues for partners who have agreed on that with the operator; a page offers no such service.
  if (askable.place.booking_method !== 'request')
    throw new AppError('not_bookable_here', 'This place takes no table requests here. Nobody was asked.');
  const draft: NewBooking = {
    ...table,
    notes,
    partnerId: HOUSE_PARTNER,
    askedBy: null,
    forType: 'member',
    memberId,
    guestName: displayName,
  };
  await storeHousePartner(ctx.db, ctx.now);
  await refuseDuplicate(ctx, draft);
  await consumeVenueQuota(ctx, draft);
  return openBooking(ctx, draft, from);
}

/** Locks a booking that the member requested without a partner. */
export async function lockMemberTable(db: Db, memberId: string, bookingId: string): Promise<Booking> {
  const booking = await lockBooking(db, bookingId);
  if (booking?.memberId === memberId && booking.partnerId === HOUSE_PARTNER) return booking;
  throw new AppError('booking_not_found', 'You have no such table.');
}
