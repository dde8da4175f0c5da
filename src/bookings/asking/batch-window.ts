import type { Db } from '../../core/postgres/db.ts';
import { MINUTE_MS } from '../../core/time.ts';
import { isWritten } from './channel-plan.ts';
import type { NextStep } from './next-step.ts';
import type { FullBookingState } from './read-booking-state.ts';

/** True when the step is a message to the venue, which other requests may share. */
export function isMessage(step: NextStep): step is Extract<NextStep, { kind: 'ask' | 'remind' }> {
  return (step.kind === 'ask' || step.kind === 'remind') && isWritten(step.way);
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
      and a.channel in ('sms','mail') and a.state <> 'failed' and a.claimed_at > ${since}`;
  const batchUntil = last?.at == null ? null : new Date(last.at.getTime() + minutes * MINUTE_MS);
  return { ...state, batchUntil };
}

/**
 * Serializes jobs that prepare messages to one venue about one evening: the first one includes the others' requests.
 * Must be taken before the booking's lock, so that no job waits here while holding one.
 */
export async function lockEvening(db: Db, bookingId: string): Promise<void> {
  await db`
    select pg_advisory_xact_lock(7015, hashtext(place_id || '/' || date))
    from booking where id = ${bookingId} and status in ('sent','asking')`;
}
