import { publicName } from '../../accounts/partners/house-partner.ts';
import type { OperationDeps } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import type { Db } from '../../core/postgres/db.ts';
import type { Booking } from '../booking.ts';
import { isRehearsal } from '../rehearsal/rehearsal-venue.ts';
import { askableTable } from '../request/askable-table.ts';
import { consumeVenueQuota } from '../request/limits.ts';
import { openBooking, refuseDuplicate } from '../request/open-booking.ts';
import { wakeChoice, type Choice } from './choice.ts';

/** Asks the next venue of a locked choice. One that cannot be asked by now is passed over, with the reason. */
export async function askNextVenue(
  deps: OperationDeps,
  tx: Db,
  choice: Choice,
  position: number,
): Promise<void> {
  await tx`savepoint next_venue`;
  try {
    await openAt(deps, tx, choice, position);
    await tx`update booking_choice set turns = ${position} where id = ${choice.id}`;
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.status >= 500) throw thrown;
    await tx`rollback to savepoint next_venue`;
    await tx`
      update booking_choice set turns = ${position},
        refused = refused || jsonb_build_object(${String(position)}::text, ${thrown.code}::text)
      where id = ${choice.id}`;
  }
  await wakeChoice(tx, choice.id);
}

type Guest = Pick<Booking, 'forType' | 'memberId' | 'guestName' | 'notes'>;

async function openAt(deps: OperationDeps, tx: Db, choice: Choice, position: number): Promise<void> {
  const { id, partnerId, placeIds, date, time, timeUntil, partySize } = choice;
  const placeId = placeIds[position - 1] ?? '';
  const [first] = await tx<(Guest & { erased: boolean; enabled: boolean })[]>`
    select b.for_type as "forType", b.member_id as "memberId", b.guest_name as "guestName", b.notes,
      b.erased_at is not null as erased, p.bookings_enabled as enabled
    from booking b join partner p on p.id = b.partner_id where b.choice_id = ${id} and b.choice_position = 1`;
  if (first === undefined || first.erased) throw new AppError('booking_not_found', 'The guest is erased.');
  const { erased: _, enabled, ...guest } = first;
  if (!enabled && !isRehearsal(placeId))
    throw new AppError('bookings_not_enabled', 'Table requests are not switched on any more.');
  const ctx = { db: tx, deps, now: deps.clock.now(), newId: deps.newId, rehearses: true };
  const wanted = { placeId, date, time, timeUntil: timeUntil ?? undefined, partySize };
  const { table, from } = await askableTable(ctx, wanted);
  const draft = {
    ...table,
    ...guest,
    partnerId,
    askedBy: await publicName(tx, partnerId),
    choice: { id, position, of: placeIds.length },
  };
  await refuseDuplicate(ctx, draft);
  await consumeVenueQuota(ctx, draft);
  await openBooking(ctx, draft, from);
}
