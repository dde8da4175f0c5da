import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import type { Booking } from '../booking.ts';
import { listAsks, listOffers, lockBooking, type AskRow } from '../booking-row.ts';
import { isHalted } from '../upkeep/kill-switch.ts';
import { findAskablePlace, planChannels, wakingOf, type AskablePlace } from './channel-plan.ts';
import { gatheredUntil, isWritten, lockEvening } from './gathering.ts';
import { untilTableWhenAsked } from './timing.ts';
import type { BookingState } from './next-step.ts';

export type FullBookingState = BookingState & { askable: AskablePlace | undefined };

/** Everything on which the next step rests, with the booking locked. */
export async function readBookingState(
  deps: OperationDeps,
  db: Db,
  bookingId: string,
): Promise<FullBookingState | undefined> {
  // Sent one behind the other without waiting in between.
  const [halted] = await Promise.all([isHalted(db), lockEvening(db, bookingId)]);
  const booking = await lockBooking(db, bookingId);
  if (booking === undefined) return undefined;
  const now = deps.clock.now();
  const askable = await findAskablePlace(db, booking.placeId);
  const asks = await listAsks(db, bookingId);
  const plan = askable === undefined ? null : planFor(deps, askable, booking);
  return {
    booking,
    askable,
    asks,
    offers: await listOffers(db, [bookingId]),
    plan,
    gatherUntil:
      askable !== undefined && mayGather(booking, asks, plan)
        ? await gatheredUntil(db, booking, askable, now)
        : null,
    waking: askable === undefined ? null : wakingOf(deps, askable, now),
    halted,
    patience: deps.config.bookings.patience,
    now,
  };
}

/** Only a question that has not gone out yet can wait for others. */
function mayGather(
  { status, revision }: Booking,
  asks: readonly AskRow[],
  plan: BookingState['plan'],
): boolean {
  if (status !== 'sent' && status !== 'asking') return false;
  if (plan?.ways.some(isWritten) !== true) return false;
  return asks.every((one) => one.revision !== revision || one.step !== 'ask' || one.state === 'failed');
}

/** Who asked in good time keeps the channels, however near the table has come since: the deadline tells how it was. */
function planFor(deps: OperationDeps, askable: AskablePlace, { tableAt, answerBy }: Booking) {
  return planChannels(deps, askable, untilTableWhenAsked(tableAt, answerBy ?? tableAt));
}
