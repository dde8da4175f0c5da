import type { Db } from '../../core/postgres/db.ts';
import { MINUTE_MS } from '../../core/time.ts';
import type { Way } from './channel-plan.ts';
import type { NextStep } from './next-step.ts';
import type { FullBookingState } from './read-booking-state.ts';

/** Whether it goes by a message, in which several tables can stand. */
export function isWritten({ channel }: Way): boolean {
  return channel === 'sms' || channel === 'mail';
}

/** Whether a step is a message to the venue, which others may share. */
export function isMessage(step: NextStep): step is Extract<NextStep, { kind: 'ask' | 'remind' }> {
  return (step.kind === 'ask' || step.kind === 'remind') && isWritten(step.way);
}

/** The same with the time until which requests for this evening are gathered, if the venue was just written to about it. */
export async function gathering(db: Db, standing: FullBookingState): Promise<FullBookingState> {
  const { askable, asks, booking, now } = standing;
  // Only a question that has not gone out yet can wait for others.
  const first = asks.every(
    ({ revision, step, state }) => revision !== booking.revision || step !== 'ask' || state === 'failed',
  );
  const minutes = askable?.place.gather_minutes ?? 0;
  if (!first || minutes === 0) return standing;
  const since = new Date(now.getTime() - minutes * MINUTE_MS);
  const [last] = await db<{ at: Date | null }[]>`
    select max(a.claimed_at) as at from booking b join venue_ask a on a.booking_id = b.id
    where b.place_id = ${booking.placeId} and b.date = ${booking.date} and b.id <> ${booking.id} and a.step = 'ask'
      and a.channel in ('sms','mail') and a.state <> 'failed' and a.claimed_at > ${since}`;
  const gatherUntil = last?.at == null ? null : new Date(last.at.getTime() + minutes * MINUTE_MS);
  return { ...standing, gatherUntil };
}

/**
 * Of those who look at the same moment what a venue is to hear about an evening, one after the other does: the first
 * takes the others' tables along. It comes before the lock of the booking, so that nobody waits who holds one.
 */
export async function lockEvening(db: Db, bookingId: string): Promise<void> {
  await db`
    select pg_advisory_xact_lock(7015, hashtext(place_id || '/' || date))
    from booking where id = ${bookingId} and status in ('sent','asking')`;
}
