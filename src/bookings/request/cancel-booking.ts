import type { Deps, StepContext } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { AppError } from '../../core/errors.ts';
import { claimStep, LEASE_SECONDS, type Claimed } from '../asking/claim-step.ts';
import { performStep } from '../asking/perform-step.ts';
import { notificationTarget } from '../asking/queue-notification.ts';
import { readBookingState } from '../asking/read-booking-state.ts';
import { isChannelKind } from '../channels/channels.ts';
import type { Booking } from '../booking.ts';
import { listAsks, lockBooking, type AskRow } from '../booking-row.ts';
import { wakeBooking, type MoveContext } from '../move-booking.ts';
import { cancelTable } from '../answering/settle.ts';

/**
 * Cancels a booking. A confirmed table in the venue's system is cancelled there first, by finishCancelling(); while
 * bookings are halted the booking is cancelled at once.
 */
export async function cancelBooking(
  ctx: MoveContext,
  booking: Booking,
  { reason, halted }: { reason: string | null; halted: boolean },
): Promise<Booking> {
  const started =
    booking.status === 'confirmed' && (await beginCancellation(ctx, booking, { reason, halted }));
  return started ? booking : cancelTable(ctx, booking, reason);
}

/** Claims the step that cancels the table in the system. A job completes it if this request does not. */
async function beginCancellation(
  ctx: MoveContext,
  booking: Booking,
  { reason, halted }: { reason: string | null; halted: boolean },
): Promise<boolean> {
  const asks = await listAsks(ctx.db, booking.id);
  const ask = findCancellation(asks, booking);
  if (ask?.state === 'failed') throw notCancellable();
  if (halted) return false;
  if (ask !== undefined) return isUnderWay(ask);
  const target = notificationTarget(asks, booking);
  if (target === undefined || !isChannelKind(target.channel, 'system')) return false;
  await ctx.db`
    insert into venue_ask (booking_id, revision, step, channel, claimed_at, leased_until, ref, reason)
    values (${booking.id}, ${booking.revision}, 'notify_cancelled', ${target.channel}, ${ctx.now},
            clock_timestamp() + ${LEASE_SECONDS} * interval '1 second', ${target.ref}, ${reason})`;
  await wakeBooking(ctx.db, booking.id);
  return true;
}

/** Returns the step that cancels this table in the venue's system; a change of the notes keeps the same step. */
function findCancellation(asks: readonly AskRow[], { revision, confirmation }: Booking): AskRow | undefined {
  const isThisTable = ({ ref, claimedAt }: AskRow) =>
    confirmation !== null && ref !== null && ref === confirmation.ref && claimedAt >= confirmation.at;
  return asks.findLast(
    (one) =>
      one.step === 'notify_cancelled' &&
      isChannelKind(one.channel, 'system') &&
      (one.revision === revision || isThisTable(one)),
  );
}

function isUnderWay({ state }: AskRow): boolean {
  return state === 'queued' || state === 'sending';
}

function notCancellable(): AppError {
  return new AppError(
    'not_cancellable',
    'The venue no longer accepts a cancellation of this table. Nothing was changed.',
    { hint: 'Our desk calls the venue; booking_status shows the outcome.' },
  );
}

/** Rejects changes while the table is being cancelled: the venue may have cancelled it already. */
export async function refuseDuringCancellation(db: Db, booking: Booking): Promise<void> {
  const ask = findCancellation(await listAsks(db, booking.id), booking);
  if (ask === undefined || !isUnderWay(ask)) return;
  throw new AppError('invalid_move', 'This booking is being cancelled. Nothing was changed.', {
    hint: 'booking_status shows the outcome.',
  });
}

/** Cancels the table in the system, and the booking according to its answer. Two concurrent calls do this once. */
export async function finishCancelling(context: StepContext, bookingId: string): Promise<Booking> {
  const { deps, inTransaction } = context;
  const claimed = await inTransaction((tx) => claimCancellation(deps, tx, bookingId));
  if (claimed !== undefined) await performStep(context, claimed);
  return inTransaction(async (tx) => {
    const booking = await lockBooking(tx, bookingId);
    if (booking === undefined) throw new Error(`${bookingId} no longer exists.`);
    if (booking.status === 'cancelled') return booking;
    const ask = findCancellation(await listAsks(tx, bookingId), booking);
    if (ask?.state === 'failed') throw notCancellable();
    if (ask?.state === 'sending') throw stillRunning();
    // Bookings were just halted: the system is notified later.
    return cancelTable({ db: tx, now: deps.clock.now(), newId: deps.newId }, booking, ask?.reason ?? null);
  });
}

/** Claims the step, also from a job that has not started it: only the holder of the booking's lock acts. */
async function claimCancellation(deps: Deps, tx: Db, bookingId: string): Promise<Claimed | undefined> {
  const state = await readBookingState(deps, tx, bookingId);
  const ask = state && findCancellation(state.asks, state.booking);
  if (ask === undefined || !isUnderWay(ask) || state?.booking.status !== 'confirmed') return undefined;
  const claimed = await claimStep(deps, tx, state, { kind: 'do', ask });
  return claimed === 'again' ? undefined : claimed;
}

function stillRunning(): AppError {
  return new AppError('idempotency_in_progress', "The venue's system has not answered yet.", {
    hint: 'Repeat the call, or follow the booking with booking_status.',
  });
}
