import type { Actor } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { AppError } from '../../core/errors.ts';
import type { Requirement } from '../../core/operation.ts';
import type { Booking } from '../booking.ts';
import { findBooking, lockBooking } from '../booking-row.ts';
import { isRehearsal } from '../rehearsal/rehearsal-venue.ts';

type Partner = Extract<Actor, { kind: 'partner' }>;

/** Returns a booking of the partner. Another partner's gives the same error as one that does not exist. */
export async function ownBooking(
  db: Db,
  partner: Partner,
  id: string,
  use: 'read' | 'change',
): Promise<Booking> {
  const booking = use === 'read' ? await findBooking(db, id) : await lockBooking(db, id);
  if (booking !== undefined && isOwn(booking, partner)) return booking;
  throw new AppError('booking_not_found', 'You have no booking with this booking_id.', {
    hint:
      partner.shared === true
        ? 'Use the booking_id in the answer of request_table.'
        : 'booking_status without arguments lists your bookings.',
  });
}

/** A key that was issued without proof of the mailbox or the old key only gives access to bookings made since. */
function isOwn({ partnerId, createdAt }: Booking, { id, bookingsFrom }: Partner): boolean {
  return partnerId === id && (bookingsFrom === null || createdAt >= bookingsFrom);
}

/** Our staff enable requests for each partner; until then only those at rehearsal venues are accepted. */
export const BOOKINGS_ENABLED: Requirement = {
  code: 'bookings_not_enabled',
  async assert({ db, actor, input }) {
    if (actor.kind === 'partner' && actor.bookingsEnabled) return;
    if (await concernsRehearsal(db, input)) return;
    throw new AppError('bookings_not_enabled', 'Table requests are not switched on for this key.', {
      hint: 'The operator of this service switches them on: sign in at /partner once to verify your mailbox, then write to the operator and describe what you want to book. Until then, request_table works at rehearsal venues: search_places with rehearsal true.',
    });
  },
};

async function concernsRehearsal(
  db: Db,
  { place_id: placeId, booking_id: bookingId }: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  if (typeof placeId === 'string') return isRehearsal(placeId);
  const booking = typeof bookingId === 'string' ? await findBooking(db, bookingId) : undefined;
  return booking !== undefined && isRehearsal(booking.placeId);
}

export function checkRevision({ revision }: Booking, expected: number | undefined): void {
  if (expected === undefined || expected === revision) return;
  throw new AppError(
    'revision_conflict',
    `The booking is at revision ${revision}, not ${expected}. Nothing was changed.`,
    { hint: 'Read it with booking_status and decide again.' },
  );
}
