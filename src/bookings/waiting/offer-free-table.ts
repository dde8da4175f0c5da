import { HOUR_MS } from '../../core/time.ts';
import type { BookingReason } from '../../webhooks/booking-reason.ts';
import type { VenueAnswerOutcome } from '../answering/answer-outcome.ts';
import { offerTables } from '../answering/settle.ts';
import { storeUndo } from '../answering/undo-venue-answer.ts';
import { offerExpiry } from '../asking/timing.ts';
import type { Booking, ChannelName, TableRequest } from '../booking.ts';
import { moveBooking, type MoveContext } from '../move-booking.ts';

interface FreeTable {
  actor: 'venue' | 'desk';
  channel: ChannelName | null;
  table: TableRequest & { note?: string };
}

/** How long the guest's side has to accept. Afterwards the venue may offer the table to the next guest. */
const FREE_TABLE_MS = 2 * HOUR_MS;

/** Offers a table that became free to a guest who waits. The guest's side accepts it before the offer lapses. */
export async function offerFreeTable(
  ctx: MoveContext,
  booking: Booking,
  { actor, channel, table }: FreeTable,
): Promise<VenueAnswerOutcome> {
  const reason = await goneReason(ctx, booking);
  if (reason !== undefined) {
    const text = 'The venue takes no requests any more; the wait is over.';
    const { status } = await moveBooking(ctx, booking, {
      to: 'cancelled',
      actor: 'service',
      text,
      change: { reason },
    });
    return { outcome: 'late', status };
  }
  const offered = await offerTables(ctx, booking, {
    actor,
    channel,
    offers: [table],
    text: 'A table has become free; the venue offers it.',
    expiryOf: (now, tableAt) => offerExpiry(now, tableAt, FREE_TABLE_MS),
  });
  const undo = { before: booking, after: offered, actor, route: null };
  const undoUntil = await storeUndo(ctx.db, ctx.now, undo);
  return { outcome: 'moved', status: offered.status, undoUntil };
}

/** Returns why the place can have no table for guests any more; the job of the booking notices it only later. */
async function goneReason({ db }: MoveContext, { placeId }: Booking): Promise<BookingReason | undefined> {
  const [place] = await db<{ gone: boolean; optedOut: boolean }[]>`
    select closed_at is not null or removed_at is not null as gone, booking_method = 'not_through' as "optedOut"
    from place where id = ${placeId}`;
  if (place?.gone === true) return 'place_closed';
  return place?.optedOut === true ? 'venue_opted_out' : undefined;
}
