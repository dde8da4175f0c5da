import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { wakeBookings } from '../move-booking.ts';
import { isWritten } from './gathering.ts';
import { nextStep, type NextStep } from './next-step.ts';
import { readBookingState, type FullBookingState } from './read-booking-state.ts';

/** More tables than a message can hold without becoming a list that nobody reads. */
const TOGETHER_MAX = 10;

type Written = Extract<NextStep, { kind: 'ask' | 'remind' }>;

/**
 * Other tables of the same evening about which the same venue is to hear in the same way at this moment, whoever asked
 * for them: one message is enough. Nobody else locks two bookings, so to wait for one is safe; a job that waits too
 * long steps aside and tries again.
 */
export async function findCompanions(
  deps: OperationDeps,
  tx: Db,
  { booking }: FullBookingState,
  next: Written,
): Promise<FullBookingState[]> {
  if (!isWritten(next.way)) return [];
  const candidates = await tx<{ id: string }[]>`
    select id from booking
    where place_id = ${booking.placeId} and date = ${booking.date} and id <> ${booking.id}
      and status in ('sent','asking') and frozen_at is null
    order by table_at, id limit ${TOGETHER_MAX - 1} for update`;
  const companions: FullBookingState[] = [];
  for (const { id } of candidates) {
    const standing = await readBookingState(deps, tx, id);
    if (standing !== undefined && isSame(nextStep(standing), next)) companions.push(standing);
  }
  return companions;
}

function isSame(step: NextStep, next: Written): boolean {
  return step.kind === next.kind && step.way.channel === next.way.channel && step.way.to === next.way.to;
}

/** The message that they share lies in the outbox. */
export async function postTogether(tx: Db, askId: string, messageId: string): Promise<void> {
  await tx`
    update venue_ask set state = 'posted', leased_until = null, message_id = ${messageId}
    where with_ask = ${askId} and state = 'sending'`;
}

/** There is no message that they could share: each is as good as never claimed, and goes its own way. */
export async function partCompanions(tx: Db, askId: string): Promise<void> {
  const parted = await tx<{ id: string }[]>`
    delete from venue_ask where with_ask = ${askId} and state = 'sending' returning booking_id as id`;
  if (parted.length === 0) return;
  await wakeBookings(
    tx,
    parted.map(({ id }) => id),
  );
}
