import type { BookingReason } from '../../webhooks/booking-reason.ts';
import type { Db } from '../../core/postgres/db.ts';
import { withdrawQueuedMessages } from '../answering/settle.ts';
import { queueNotification, endUndecided } from '../asking/queue-notification.ts';
import { lockBooking } from '../booking-row.ts';
import { moveBooking, type MoveContext } from '../move-booking.ts';

/**
 * Cancels every future table at a removed listing and notifies the partners by webhook. No message goes to the contact
 * of a listing that never was a place; only a booking system is notified, so that it frees the table.
 */
export async function cancelTablesAt(tx: Db, ctx: MoveContext, placeId: string): Promise<number> {
  const open = await tx<{ id: string }[]>`
    select id from booking
    where place_id = ${placeId} and (status in ('sent', 'asking', 'offered') or (status = 'confirmed' and table_at > ${ctx.now}))
    order by id`;
  for (const { id } of open) {
    const booking = await lockBooking(tx, id);
    if (booking === undefined) throw new Error(`${id} no longer exists.`);
    await withdrawQueuedMessages(tx, ctx, booking);
    await tx`
      update venue_ask set state = 'ended'
      where booking_id = ${id} and step in ('ask', 'reminder') and state in ('posted', 'waiting', 'asked')`;
    await tx`update booking_offer set state = 'withdrawn' where booking_id = ${id} and state = 'open'`;
    await queueNotification(tx, ctx, booking, 'notify_cancelled', 'venue_system');
    await endUndecided(tx, ctx, booking, 'notify_cancelled');
    await moveBooking(tx, ctx, booking, {
      to: 'cancelled',
      actor: 'service',
      removed: true,
      text: 'The listing was removed because it was never a real place. There is no table.',
      change: { reason: 'place_removed' satisfies BookingReason },
    });
  }
  return open.length;
}
