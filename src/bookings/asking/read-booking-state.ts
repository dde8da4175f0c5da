import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { rulesAgainst } from '../../venue/venue-rules.ts';
import type { Booking } from '../booking.ts';
import { listAsks, listOffers, lockBooking } from '../booking-row.ts';
import { choiceEnd } from '../choices/choice.ts';
import { listUnseen, type CodedMessage } from '../coded/coded-message.ts';
import { isHalted, readKillSwitch } from '../kill-switch/kill-switch.ts';
import type { AskablePlace } from '../channels/channel.ts';
import { findAskablePlace, planChannels, contactHoursOf } from './channel-plan.ts';
import { mayWait } from '../waiting/waiting.ts';
import { untilTableWhenAsked } from './timing.ts';
import type { BookingState } from './next-step.ts';

export type FullBookingState = BookingState & {
  askable: AskablePlace | undefined;
  /** Messages of the partner that the venue has not acknowledged. */
  messages: readonly CodedMessage[];
};

/** Locks the booking and reads everything that determines its next step. */
export async function readBookingState(
  deps: OperationDeps,
  db: Db,
  bookingId: string,
): Promise<FullBookingState | undefined> {
  const halted = await isHalted(db);
  const booking = await lockBooking(db, bookingId);
  return booking && stateOf(deps, db, booking, halted);
}

/** Reads the same without a lock, to show the next step and not to perform it. */
export async function previewBookingState(
  deps: OperationDeps,
  db: Db,
  booking: Booking,
): Promise<FullBookingState> {
  return stateOf(deps, db, booking, (await readKillSwitch(db)).on);
}

async function stateOf(
  deps: OperationDeps,
  db: Db,
  booking: Booking,
  halted: boolean,
): Promise<FullBookingState> {
  const now = deps.clock.now();
  const askable = await findAskablePlace(db, booking.placeId);
  // A request made in good time keeps its channels, however near the table is now.
  const untilTableMs = untilTableWhenAsked(booking.tableAt, booking.answerBy ?? booking.tableAt);
  return {
    booking,
    askable,
    // A message may be queued when a change asks for the table anew; it goes out all the same.
    messages: await listUnseen(db, booking.id),
    asks: await listAsks(db, booking.id),
    offers: await listOffers(db, [booking.id]),
    plan: askable === undefined ? null : planChannels(deps, askable, untilTableMs),
    contactHours: askable === undefined ? null : contactHoursOf(deps, askable, now),
    halted,
    ...(booking.status === 'sent' && (await ruleState(db, booking, now))),
    choiceEnd: await choiceEnd(db, booking),
    patience: deps.config.bookings.patience,
    now,
  };
}

/** Notice is counted from the request: it may have waited for the venue's contact hours. */
async function ruleState(db: Db, booking: Booking, now: Date): Promise<Partial<BookingState>> {
  const kinds = (await rulesAgainst(db, booking, booking.createdAt)).map(({ kind }) => kind);
  const fullDay = kinds.includes('full') && mayWait(booking, now);
  return { fullDay, againstRule: kinds.some((kind) => kind !== 'full' || !fullDay) };
}
