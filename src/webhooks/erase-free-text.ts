import type { Db } from '../core/postgres/db.ts';
import type { BookingEventBody } from './booking-event.ts';

/** Erases free text from deliveries: the partner's reason and the venue's note. All else is unchanged. */
export async function eraseFreeText(db: Db, bookingIds: readonly string[]): Promise<void> {
  const deliveries = await db<{ id: string; data: BookingEventBody }[]>`
    select id, data from webhook_delivery
    where booking_id = any(${bookingIds}::text[]) and data is not null
      and (data->'offer'->>'note' is not null
        or (event = 'cancelled' and data->>'actor' = 'partner' and data->>'reason' is not null))
    order by number for update`;
  for (const { id, data } of deliveries)
    await db`
      update webhook_delivery set data = ${JSON.stringify(withoutFreeText(data))}::text::json where id = ${id}`;
}

function withoutFreeText(data: BookingEventBody): BookingEventBody {
  const { status, actor, reason, offer } = data;
  return {
    ...data,
    reason: status === 'cancelled' && actor === 'partner' ? null : reason,
    offer: offer && { ...offer, note: null },
  };
}
