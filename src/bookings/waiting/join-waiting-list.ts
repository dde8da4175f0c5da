import type { BookingMover, Booking, ChannelName } from '../booking.ts';
import { moveBooking, queueMoveEvent, wakeBooking, type MoveContext } from '../move-booking.ts';
import { noteEntry } from '../timeline.ts';
import { waitEnd } from './waiting.ts';

/** Text of the timeline when a guest joins the list. */
export const WAITING_TEXT = 'The venue is full; the guest waits in case a table becomes free.';

/** Records the no of a full venue: the request goes on, and waits for a table. */
export async function joinWaitingList(
  ctx: MoveContext,
  booking: Booking,
  { actor, channel }: { actor: BookingMover; channel: ChannelName | null },
): Promise<Booking> {
  const joined = waitingFrom(booking, ctx.now);
  const { waitingSince, waitingRevision, answerBy } = joined;
  await ctx.db`
    update booking set waiting_since = ${waitingSince}, waiting_revision = ${waitingRevision}, answer_by = ${answerBy},
      slot_time = null
    where id = ${booking.id}`;
  const hash = await noteEntry(ctx.db, ctx.now, joined, {
    event: 'waiting',
    actor,
    channel,
    text: WAITING_TEXT,
  });
  await queueMoveEvent(ctx, joined, { previous: booking.status, actor, hash });
  await wakeBooking(ctx.db, booking.id);
  return joined;
}

/** On a day for which the venue said that it is full, the request waits and the venue is not asked. */
export function joinWithoutAsking(ctx: MoveContext, booking: Booking): Promise<Booking> {
  const { waitingSince, waitingRevision, answerBy } = waitingFrom(booking, ctx.now);
  return moveBooking(ctx, booking, {
    to: 'asking',
    actor: 'service',
    text: WAITING_TEXT,
    change: { waitingSince, waitingRevision, answerBy },
  });
}

function waitingFrom(booking: Booking, now: Date): Booking {
  return {
    ...booking,
    waitingSince: now,
    waitingRevision: booking.revision,
    answerBy: waitEnd(booking),
    slotTime: null,
    updatedAt: now,
  };
}
