import type { BookingReason } from '../../webhooks/booking-reason.ts';
import type { Db } from '../../core/postgres/db.ts';
import { withdrawQueuedMessages } from '../answering/settle.ts';
import { queueNotification, endUndecided } from '../asking/queue-notification.ts';
import { lockBooking } from '../booking-row.ts';
import { moveBooking, type MoveContext } from '../move-booking.ts';

/** Cancels future tables at a removed listing. Only partners and the booking system are notified. */
export async function cancelTablesAt(
  tx: Db,
  moment: Omit<MoveContext, 'db'>,
  placeId: string,
): Promise<number> {
  const ctx = { ...moment, db: tx };
  const open = await tx<{ id: string }[]>`
    select id from booking
    where place_id = ${placeId} and (status in ('sent', 'asking', 'offered') or (status = 'confirmed' and table_at > ${ctx.now}))
    order by id`;
  for (const { id } of open) {
    const booking = await lockBooking(tx, id);
    if (booking === undefined) throw new Error(`${id} no longer exists.`);
    await withdrawQueuedMessages(ctx, booking);
    await tx`
      update venue_ask set state = 'ended'
      where booking_id = ${id} and step in ('ask', 'reminder') and state in ('posted', 'waiting', 'asked')`;
    await tx`update booking_offer set state = 'withdrawn' where booking_id = ${id} and state = 'open'`;
    await queueNotification(ctx, booking, 'notify_cancelled', 'system');
    await endUndecided(ctx, booking, 'notify_cancelled');
    await moveBooking(ctx, booking, {
      to: 'cancelled',
      actor: 'service',
      removed: true,
      text: 'The listing was removed because it was never a real place. There is no table.',
      change: { reason: 'place_removed' satisfies BookingReason },
    });
  }
  return open.length;
}
