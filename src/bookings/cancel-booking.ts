import type { Deps } from '../core/context.ts';
import type { Db } from '../core/db.ts';
import { AppError } from '../core/errors.ts';
import { claimStep } from './asking/claim-step.ts';
import { performStep } from './asking/perform-step.ts';
import { queueTell } from './asking/queue-tell.ts';
import { readStanding } from './asking/read-standing.ts';
import type { Booking } from './booking.ts';
import { listAsks } from './booking-row.ts';
import { moveBooking, type MoveContext } from './move-booking.ts';

/** Cancels for the partner. Whatever has not left yet does not leave, and a venue that was reached is told. */
export async function cancelBooking(
  tx: Db,
  ctx: MoveContext,
  booking: Booking,
  reason: string | null,
): Promise<Booking> {
  const cancelled = await moveBooking(tx, ctx, booking, {
    to: 'cancelled',
    actor: 'partner',
    text: 'The request was cancelled.',
    change: { reason },
  });
  await withdrawPosted(tx, ctx, booking);
  await queueTell(tx, ctx, cancelled, 'tell_cancelled');
  await tx`
    update venue_ask set state = 'ended'
    where booking_id = ${booking.id} and step in ('ask','accept','reminder')
      and state in ('waiting','posted','asked','pending')`;
  await tx`update booking_offer set state = 'superseded' where booking_id = ${booking.id} and state = 'open'`;
  return cancelled;
}

/** Takes back messages that lie in the outbox and have not been sent. */
async function withdrawPosted(tx: Db, { now }: MoveContext, { id }: Booking): Promise<void> {
  await tx`
    with withdrawn as (
      update message m set state = 'failed', body = null, finished_at = ${now}, last_error = 'No longer wanted.'
      from venue_ask a
      where a.booking_id = ${id} and a.message_id = m.id and a.state = 'posted' and m.state = 'queued'
      returning m.id)
    update venue_ask a set state = 'failed', detail = 'No longer wanted.' from withdrawn w where a.message_id = w.id`;
}

/**
 * A table that stands in the venue's own system is given back there first: where the venue no longer takes it back, the
 * booking stays as it is and the desk has to call.
 */
export async function giveBackInSystem(deps: Deps, bookingId: string): Promise<void> {
  const claimed = await deps.pool.begin((tx) => claimGivingBack(deps, tx, bookingId));
  if (claimed === undefined || claimed === 'again') return;
  const told = await performStep(deps, claimed);
  if (told?.outcome !== 'refused') return;
  throw new AppError('not_cancellable', 'The venue no longer takes this table back. Nothing was changed.', {
    hint: 'A person at our desk calls the venue; booking_status shows what comes of it.',
  });
}

async function claimGivingBack(deps: Deps, tx: Db, bookingId: string) {
  const standing = await readStanding(deps, tx, bookingId);
  if (standing === undefined || standing.halted || standing.booking.status !== 'confirmed') return undefined;
  const { booking, now } = standing;
  await queueTell(tx, { now, newId: deps.newId }, booking, 'tell_cancelled');
  const queued = (await listAsks(tx, bookingId)).find(
    ({ step, state, channel, revision }) =>
      step === 'tell_cancelled' &&
      state === 'queued' &&
      channel === 'venue_system' &&
      revision === booking.revision,
  );
  return queued && claimStep(deps, tx, standing, { kind: 'do', ask: queued });
}
