import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { wakeBookings } from '../move-booking.ts';
import { channelsOfKind, isChannelKind } from '../channels/channels.ts';
import { nextStep, type NextStep } from './next-step.ts';
import { readBookingState, type FullBookingState } from './read-booking-state.ts';
import { MINUTE_MS } from '../../core/time.ts';

/** Maximum number of tables in one message; more would become a list that nobody reads. */
const TOGETHER_MAX = 10;

type WrittenStep = Extract<NextStep, { kind: 'ask' | 'remind' }>;

/**
 * Finds and locks other bookings that one message to the venue can cover. No other code locks two bookings, so
 * waiting for a lock cannot deadlock.
 */
export async function findBatch(
  deps: OperationDeps,
  tx: Db,
  { booking }: FullBookingState,
  next: WrittenStep,
): Promise<FullBookingState[]> {
  if (!isChannelKind(next.way.channel, 'message')) return [];
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

export function isMessage(step: NextStep): step is Extract<NextStep, { kind: 'ask' | 'remind' }> {
  return (step.kind === 'ask' || step.kind === 'remind') && isChannelKind(step.way.channel, 'message');
}

/** Adds the end of the batch window for this evening, if the venue was recently sent a message about it. */
export async function withBatchWindow(db: Db, state: FullBookingState): Promise<FullBookingState> {
  const { askable, asks, booking, now } = state;
  // Only a request that has not been sent can wait for others.
  const first = asks.every(
    ({ revision, step, state }) => revision !== booking.revision || step !== 'ask' || state === 'failed',
  );
  const minutes = askable?.place.batch_minutes ?? 0;
  if (!first || minutes === 0) return state;
  const since = new Date(now.getTime() - minutes * MINUTE_MS);
  const [last] = await db<{ at: Date | null }[]>`
    select max(a.claimed_at) as at from booking b join venue_ask a on a.booking_id = b.id
    where b.place_id = ${booking.placeId} and b.date = ${booking.date} and b.id <> ${booking.id} and a.step = 'ask'
      and a.channel = any(${channelsOfKind('message')}::text[]) and a.state <> 'failed' and a.claimed_at > ${since}`;
  const batchUntil = last?.at == null ? null : new Date(last.at.getTime() + minutes * MINUTE_MS);
  return { ...state, batchUntil };
}

/** Serializes jobs that prepare messages about one evening. Taken before the booking's lock. */
export async function lockEvening(db: Db, bookingId: string): Promise<void> {
  await db`
    select pg_advisory_xact_lock(7015, hashtext(place_id || '/' || date))
    from booking where id = ${bookingId} and status in ('sent','asking')`;
}
