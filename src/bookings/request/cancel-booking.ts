import type { Deps, StepContext } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { AppError } from '../../core/errors.ts';
import { claimStep, LEASE_SECONDS, type Claimed } from '../asking/claim-step.ts';
import { performStep } from '../asking/perform-step.ts';
import { wayBack } from '../asking/queue-tell.ts';
import { readBookingState } from '../asking/read-booking-state.ts';
import type { Booking } from '../booking.ts';
import { listAsks, lockBooking, type AskRow } from '../booking-row.ts';
import { wakeBooking, type MoveContext } from '../move-booking.ts';
import { cancelTable } from '../answering/settle.ts';

/**
 * Cancels for the partner, or begins to. A confirmed table in the venue's own system has to be given back there before
 * anybody may say that it is cancelled: it stays confirmed, and finishCancelling goes on once this has committed. While
 * bookings are halted nobody asks the system, and the guest is not kept waiting for it.
 */
export async function cancelBooking(
  tx: Db,
  ctx: MoveContext,
  booking: Booking,
  { reason, halted }: { reason: string | null; halted: boolean },
): Promise<Booking> {
  const begun =
    booking.status === 'confirmed' && (await beginGivingBack(tx, ctx, booking, { reason, halted }));
  return begun ? booking : cancelTable(tx, ctx, booking, reason);
}

/**
 * Claims the step by which the system is told, with the reason, so that a worker ends it if we do not. What the system
 * has refused before it is not asked again: the answer stays what it was.
 */
async function beginGivingBack(
  tx: Db,
  ctx: MoveContext,
  booking: Booking,
  { reason, halted }: { reason: string | null; halted: boolean },
): Promise<boolean> {
  const asks = await listAsks(tx, booking.id);
  const begun = givingBack(asks, booking);
  if (begun?.state === 'failed') throw notCancellable();
  if (halted) return false;
  if (begun !== undefined) return isUnderWay(begun);
  const way = wayBack(asks, booking);
  if (way?.channel !== 'venue_system') return false;
  await tx`
    insert into venue_ask (booking_id, revision, step, channel, claimed_at, leased_until, ref, reason)
    values (${booking.id}, ${booking.revision}, 'tell_cancelled', 'venue_system', ${ctx.now},
            clock_timestamp() + ${LEASE_SECONDS} * interval '1 second', ${way.ref}, ${reason})`;
  await wakeBooking(tx, booking.id);
  return true;
}

/** The step by which the venue's system is told that this table is given back: it is the same under other notes. */
function givingBack(asks: readonly AskRow[], { revision, confirmation }: Booking): AskRow | undefined {
  const isThisTable = ({ ref, claimedAt }: AskRow) =>
    confirmation !== null && ref !== null && ref === confirmation.ref && claimedAt >= confirmation.at;
  return asks.findLast(
    (one) =>
      one.step === 'tell_cancelled' &&
      one.channel === 'venue_system' &&
      (one.revision === revision || isThisTable(one)),
  );
}

function isUnderWay({ state }: AskRow): boolean {
  return state === 'queued' || state === 'sending';
}

function notCancellable(): AppError {
  return new AppError('not_cancellable', 'The venue no longer takes this table back. Nothing was changed.', {
    hint: 'A person at our desk calls the venue; booking_status shows what comes of it.',
  });
}

/** Whoever gives a table back must not change it at the same time: the venue may have cancelled it already. */
export async function refuseWhileGivenBack(db: Db, booking: Booking): Promise<void> {
  const begun = givingBack(await listAsks(db, booking.id), booking);
  if (begun === undefined || !isUnderWay(begun)) return;
  throw new AppError('invalid_move', 'This booking is being cancelled. Nothing was changed.', {
    hint: 'booking_status shows what comes of it.',
  });
}

/** Gives the table back and cancels by what the system says. Two who do so at the same moment do it once. */
export async function finishCancelling(outside: StepContext, bookingId: string): Promise<Booking> {
  const { deps, inTransaction } = outside;
  const claimed = await inTransaction((tx) => claimGivingBack(deps, tx, bookingId));
  if (claimed !== undefined) await performStep(outside, claimed);
  return inTransaction(async (tx) => {
    const booking = await lockBooking(tx, bookingId);
    if (booking === undefined) throw new Error(`${bookingId} has gone.`);
    if (booking.status === 'cancelled') return booking;
    const begun = givingBack(await listAsks(tx, bookingId), booking);
    if (begun?.state === 'failed') throw notCancellable();
    if (begun?.state === 'sending') throw stillRunning();
    // Bookings were halted just now: the system is told afterwards.
    return cancelTable(tx, { now: deps.clock.now(), newId: deps.newId }, booking, begun?.reason ?? null);
  });
}

/** Takes the step, also from somebody who has claimed it and not begun: only whoever holds the booking acts. */
async function claimGivingBack(deps: Deps, tx: Db, bookingId: string): Promise<Claimed | undefined> {
  const standing = await readBookingState(deps, tx, bookingId);
  const begun = standing && givingBack(standing.asks, standing.booking);
  if (begun === undefined || !isUnderWay(begun) || standing?.booking.status !== 'confirmed') return undefined;
  const claimed = await claimStep(deps, tx, standing, { kind: 'do', ask: begun });
  return claimed === 'again' ? undefined : claimed;
}

function stillRunning(): AppError {
  return new AppError('idempotency_in_progress', "The venue's system has not answered yet.", {
    hint: 'Call it again, or follow it with booking_status.',
  });
}
