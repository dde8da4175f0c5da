import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { wakeBookings } from '../move-booking.ts';
import { isWritten } from './channel-plan.ts';
import { nextStep, type NextStep } from './next-step.ts';
import { readBookingState, type FullBookingState } from './read-booking-state.ts';

/** Maximum number of tables in one message; more would become a list that nobody reads. */
const TOGETHER_MAX = 10;

type WrittenStep = Extract<NextStep, { kind: 'ask' | 'remind' }>;

/**
 * Finds and locks other bookings for the same venue and evening whose next step is the same kind of message to the same
 * address, from any partner: one message covers them. No other code locks two bookings, so waiting for a lock cannot
 * deadlock; a job that waits too long yields and retries.
 */
export async function findBatch(
  deps: OperationDeps,
  tx: Db,
  { booking }: FullBookingState,
  next: WrittenStep,
): Promise<FullBookingState[]> {
  if (!isWritten(next.way)) return [];
  const candidates = await tx<{ id: string }[]>`
    select id from booking
    where place_id = ${booking.placeId} and date = ${booking.date} and id <> ${booking.id}
      and status in ('sent','asking') and frozen_at is null
    order by table_at, id limit ${TOGETHER_MAX - 1} for update`;
  const batch: FullBookingState[] = [];
  for (const { id } of candidates) {
    const state = await readBookingState(deps, tx, id);
    if (state !== undefined && isSameMessage(nextStep(state), next)) batch.push(state);
  }
  return batch;
}

function isSameMessage(step: NextStep, next: WrittenStep): boolean {
  return step.kind === next.kind && step.way.channel === next.way.channel && step.way.to === next.way.to;
}

/** Records that the batch's shared message is queued. */
export async function postBatch(tx: Db, askId: string, messageId: string): Promise<void> {
  await tx`
    update venue_ask set state = 'posted', leased_until = null, message_id = ${messageId}
    where batched_with = ${askId} and state = 'sending'`;
}

/** Releases the batch's other requests when there is no shared message, so that each is sent on its own. */
export async function splitBatch(tx: Db, askId: string): Promise<void> {
  const bookings = await tx<{ id: string }[]>`
    delete from venue_ask where batched_with = ${askId} and state = 'sending' returning booking_id as id`;
  if (bookings.length === 0) return;
  await wakeBookings(
    tx,
    bookings.map(({ id }) => id),
  );
}
