import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import type { Booking } from '../booking.ts';
import { listAsks, listOffers, lockBooking } from '../booking-row.ts';
import { isHalted } from '../upkeep/kill-switch.ts';
import { findAskablePlace, planChannels, wakingOf, type AskablePlace } from './channel-plan.ts';
import { untilTableWhenAsked } from './timing.ts';
import type { BookingState } from './next-step.ts';

export type FullBookingState = BookingState & { askable: AskablePlace | undefined };

/** Everything on which the next step rests, with the booking locked. */
export async function readBookingState(
  deps: OperationDeps,
  db: Db,
  bookingId: string,
): Promise<FullBookingState | undefined> {
  const halted = await isHalted(db);
  const booking = await lockBooking(db, bookingId);
  if (booking === undefined) return undefined;
  const now = deps.clock.now();
  const askable = await findAskablePlace(db, booking.placeId);
  return {
    booking,
    askable,
    asks: await listAsks(db, bookingId),
    offers: await listOffers(db, [bookingId]),
    plan: askable === undefined ? null : planFor(deps, askable, booking),
    waking: askable === undefined ? null : wakingOf(deps, askable, now),
    halted,
    patience: deps.config.bookings.patience,
    now,
  };
}

/** Who asked in good time keeps the channels, however near the table has come since: the deadline tells how it was. */
function planFor(deps: OperationDeps, askable: AskablePlace, { tableAt, answerBy }: Booking) {
  return planChannels(deps, askable, untilTableWhenAsked(tableAt, answerBy ?? tableAt));
}
