import { z } from 'zod';
import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { defineTask } from '../../jobs/task.ts';
import type { MessageState } from '../../messages/message.ts';
import type { ChannelName } from '../booking.ts';
import { lockBooking, type AskRow } from '../booking-row.ts';
import { wakeBooking } from '../move-booking.ts';
import { failAsk, recordReached, recordNotified } from './record-outcome.ts';

declare module '../../jobs/task.ts' {
  interface Payloads {
    venue_message_finished: { message_id: string };
  }
}

interface FinishedAsk {
  id: string;
  bookingId: string;
  revision: number;
  step: AskRow['step'];
  channel: ChannelName;
  state: AskRow['state'];
  messageState: MessageState;
}

const IN_OUTBOX = 'The message for the venue waits until the staff of the service pass it on.';

/** Updates the booking after a message to a venue was sent, was left in the outbox for a lead, or failed. */
export const venueMessageFinished = defineTask({
  kind: 'asking',
  payload: z.object({ message_id: z.string() }),
  async run({ deps, inTransaction }, { message_id: messageId }) {
    // The message may contain several requests.
    for (const ask of await inTransaction((tx) => listMessageAsks(tx, messageId)))
      await inTransaction((tx) => finishAsk(deps, tx, ask));
  },
});

function listMessageAsks(db: Db, messageId: string): Promise<{ id: string; bookingId: string }[]> {
  return db<{ id: string; bookingId: string }[]>`
    select id::text as id, booking_id as "bookingId" from venue_ask where message_id = ${messageId} order by id`;
}

async function finishAsk(
  deps: OperationDeps,
  tx: Db,
  { id, bookingId }: { id: string; bookingId: string },
): Promise<void> {
  const booking = await lockBooking(tx, bookingId);
  const [ask] = await tx<FinishedAsk[]>`
    select a.id::text as id, a.booking_id as "bookingId", a.revision, a.step, a.channel, a.state,
           m.state as "messageState"
    from venue_ask a join message m on m.id = a.message_id where a.id = ${id}`;
  if (booking === undefined || ask === undefined) return;
  const ctx = { db: tx, now: deps.clock.now(), newId: deps.newId };
  const lost = ask.messageState === 'failed' || ask.messageState === 'unsure';
  // The venue may have answered already, or the carrier may report later that a text did not arrive.
  if (ask.state !== 'posted' && !(lost && ask.state === 'asked')) return;
  if (lost) {
    await failAsk(ctx, booking, ask, 'The message could not be delivered.');
    return;
  }
  await tx`
    update venue_ask set state = 'asked', asked_at = ${ctx.now} where id = ${ask.id}`;
  const words = ask.messageState === 'outbox' ? IN_OUTBOX : undefined;
  if (ask.step.startsWith('notify_')) {
    await recordNotified(ctx, booking, ask.channel, ask.step, words);
    return;
  }
  const purpose = ask.step === 'reminder' ? 'reminder' : booking.held === null ? 'new' : 'change';
  await recordReached(ctx, booking, { ...ask, purpose, ...(words && { words }) });
  await wakeBooking(tx, booking.id);
}
