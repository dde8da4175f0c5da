import type { Db } from '../../core/postgres/db.ts';
import { erasePartsAbout } from '../../messages/message-parts.ts';
import { eraseFreeText } from '../../webhooks/erase-free-text.ts';
import { ERASED_NAME } from '../booking.ts';

/** Excludes jobs that write to venues, so that an erasure sees all their messages. Take this lock before any other. */
export async function lockErasing(tx: Db): Promise<void> {
  await tx`select pg_advisory_xact_lock(7016, 0)`;
}

export async function holdErasing(tx: Db): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(7016, 0)`;
}

/**
 * Erases guests' names and free text from bookings, pending messages and stored answers. Timelines stay valid. The
 * caller must hold lockErasing().
 */
export async function eraseGuests(tx: Db, bookingIds: readonly string[], now: Date): Promise<void> {
  if (bookingIds.length === 0) return;
  const ids = [...bookingIds];
  await tx`
    update booking b set guest_name = ${ERASED_NAME}, notes = null, erased_at = coalesce(b.erased_at, ${now}),
      reason = case when b.status = 'cancelled' and exists (select from booking_entry e
        where e.booking_id = b.id and e.event = 'cancelled' and e.actor = 'partner') then null else b.reason end
    where b.id = any(${ids}::text[])`;
  // The text of a venue may name the guest.
  await tx`update venue_ask set detail = null where booking_id = any(${ids}::text[]) and detail like 'The venue wrote:%'`;
  await tx`update venue_ask set reason = null where booking_id = any(${ids}::text[]) and reason is not null`;
  await tx`update booking_offer set note = null where booking_id = any(${ids}::text[]) and note is not null`;
  await erasePartsAbout(tx, ids);
  await eraseFreeText(tx, ids);
  await tx`delete from idempotency_key where subject = any(${ids}::text[])`;
}
