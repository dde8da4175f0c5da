import { z } from 'zod';
import { setStatementTimeout, waitForLocks, type Db } from '../core/postgres/db.ts';
import type { Kind } from '../jobs/kinds.ts';
import { nextWaitMs, type RetryPlan } from '../jobs/retry-plan.ts';
import { defineTask, type Job, type Task } from '../jobs/task.ts';
import { endMessage, queueOnFinish, type Finished } from './end-message.ts';
import type { MessageState } from './message.ts';
import { MESSAGE_CHANNELS, type MessageChannel } from './message-channels.ts';
import { queueMessages } from './message-job.ts';
import { onlyOurLinks } from './only-our-links.ts';
import { replyAddress } from './reply-address.ts';
import { SendError, type MessageSender, type OutgoingMessage } from './message-sender.ts';
import type { MaySend } from './kill-switch-gate.ts';
import { HOUR_MS, MINUTE_MS } from '../core/time.ts';

const PLAN: RetryPlan = {
  waitsMs: [1, 5, 15, 60, 120, 240, 360, 480].map((minutes) => minutes * MINUTE_MS),
  giveUpAfterMs: 24 * HOUR_MS,
};
/** Short, because a venue that cannot be reached within minutes is asked through another channel. */
const BOOKING_PLAN: RetryPlan = { waitsMs: [MINUTE_MS, 5 * MINUTE_MS], giveUpAfterMs: 15 * MINUTE_MS };
/** Longer than any attempt can take. */
const LEASE_MS = 3 * MINUTE_MS;
/** Interval at which messages re-check the kill switch while bookings are halted. */
const HALTED_MS = MINUTE_MS;
/** Maximum duration of an attempt that holds the kill switch: throwing the switch waits for running attempts. */
const SWITCH_HOLD_MAX_MS = 15_000;

interface LeasedMessage {
  channel: MessageChannel;
  recipient: string;
  subject: string;
  body: string;
  attempts: number;
  created_at: Date;
  stops_when_halted: boolean;
}

/** Sends one message. After a crash, mail is sent again with the same Message-ID; a table request is not. */
export const deliverMessage = deliveryTask('mail');
export const deliverVenueMail = deliveryTask('asking_by_mail');
export const deliverVenueText = deliveryTask('asking_by_text');

function deliveryTask(kind: Kind): Task {
  return defineTask({
    kind,
    payload: z.object({ message_id: z.string() }),
    run: (job, { message_id: id }) => deliver(job, id),
  });
}

async function deliver(job: Job, id: string): Promise<void> {
  const { deps } = job;
  const [row] = await deps.pool<{ channel: MessageChannel }[]>`select channel from message where id = ${id}`;
  if (row === undefined) return;
  const sender = MESSAGE_CHANNELS[row.channel].sender(deps);
  if (sender === undefined) return putInOutbox(job, id);
  const leased = await leaseMessage(job, id);
  if (leased === undefined) return;
  const message = {
    messageId: id,
    date: leased.created_at,
    to: leased.recipient,
    subject: onlyOurLinks(leased.subject, deps.config),
    text: onlyOurLinks(leased.body, deps.config),
    // Messages about bookings go to venues, whose replies are read.
    replyTo: leased.stops_when_halted ? replyAddress(deps.config, id) : undefined,
  };
  const outcome = leased.stops_when_halted
    ? await attemptUnlessHalted(job, id, (hold) =>
        deps.killSwitchGate.letOut(leased.channel, hold, (maySend) => attempt(sender, message, maySend)),
      )
    : await attempt(sender, message);
  if (outcome === 'sent') await endMessage(job, id, { state: 'sent' });
  else if (outcome !== 'halted') await afterFailure(job, id, leased, outcome);
}

/** Moves a message without a configured sender to the outbox permanently; staff read it there and pass it on. */
async function putInOutbox({ inTransaction }: Job, id: string): Promise<void> {
  await inTransaction(async (sql) => {
    const [message] = await sql<Finished[]>`
      update message set state = 'outbox' where id = ${id} and state = 'queued' returning id, on_finish`;
    await queueOnFinish(sql, message);
  });
}

/** Locks the kill switch while the message is sent, so that nothing is sent after the switch was thrown. */
function attemptUnlessHalted(
  { inTransaction }: Job,
  id: string,
  send: (hold: Db) => Promise<AttemptOutcome>,
) {
  return inTransaction(async (hold): Promise<AttemptOutcome | 'halted'> => {
    // Throwing the switch waits for running attempts, so this may exceed the usual timeout.
    await setStatementTimeout(hold, 60_000);
    const [row] = await hold<{ halted: boolean }[]>`select hold_kill_switch() as halted`;
    if (row?.halted === false) return Promise.race([send(hold), holdTimeout()]);
    // Requeue while the lock is held: turning bookings back on wakes all queued messages.
    await requeue(hold, id, { delayMs: HALTED_MS, uncounted: true });
    return 'halted';
  });
}

type AttemptOutcome = 'sent' | SendError;

async function attempt(
  sender: MessageSender,
  message: OutgoingMessage,
  maySend?: MaySend,
): Promise<AttemptOutcome> {
  try {
    await sender.send(message, maySend);
    return 'sent';
  } catch (thrown) {
    if (thrown instanceof SendError) return thrown;
    return new SendError('The message could not be sent.', { cause: thrown, inDoubt: true });
  }
}

function holdTimeout(): Promise<SendError> {
  return new Promise((resolve) => {
    AbortSignal.timeout(SWITCH_HOLD_MAX_MS).addEventListener('abort', () =>
      resolve(new SendError('The provider took too long to answer.', { inDoubt: true })),
    );
  });
}

/** Leases the message for one attempt; only one runs at a time. An expired lease belonged to a process that died. */
async function leaseMessage(job: Job, id: string): Promise<LeasedMessage | undefined> {
  const { pool, clock } = job.deps;
  const now = clock.now();
  const [leased] = await pool<LeasedMessage[]>`
    update message set state = 'sending', attempts = attempts + 1,
      leased_until = ${new Date(now.getTime() + LEASE_MS)}
    where id = ${id}
      and (state = 'queued' or (state = 'sending' and leased_until <= ${now} and not stops_when_halted))
    returning channel, recipient, subject, body, attempts, created_at, stops_when_halted`;
  if (leased !== undefined) return leased;
  const [other] = await pool<{ state: MessageState; leased_until: Date | null }[]>`
    select state, leased_until from message where id = ${id}`;
  if (other?.state !== 'sending') return undefined;
  // Only a message about a table gets here with an expired lease.
  if (other.leased_until !== null && other.leased_until <= now)
    await endMessage(job, id, { state: 'unsure', words: 'It may have been sent, so it is not sent again.' });
  else await queueMessages(pool, [id], LEASE_MS);
  return undefined;
}

async function afterFailure(job: Job, id: string, leased: LeasedMessage, failure: SendError): Promise<void> {
  const { clock, log } = job.deps;
  const { attempts, created_at: startedAt, stops_when_halted: isBookingMessage } = leased;
  const plan = isBookingMessage ? BOOKING_PLAN : PLAN;
  const final = failure.refused || (isBookingMessage && failure.inDoubt);
  const waitMs = final ? undefined : nextWaitMs(plan, { id, attempts, startedAt, now: clock.now() });
  const words = failure.message;
  log.warn({ err: failure, message: id, attempts, final: waitMs === undefined }, words);
  if (waitMs === undefined)
    return endMessage(job, id, { state: isBookingMessage && failure.inDoubt ? 'unsure' : 'failed', words });
  await job.inTransaction((sql) => requeue(sql, id, { delayMs: waitMs, words }));
}

async function requeue(
  sql: Db,
  id: string,
  { delayMs, words, uncounted = false }: { delayMs: number; words?: string; uncounted?: boolean },
): Promise<void> {
  await waitForLocks(sql);
  await sql`
    update message set state = 'queued', leased_until = null, attempts = attempts - ${uncounted ? 1 : 0},
      last_error = coalesce(${words ?? null}, last_error)
    where id = ${id} and state = 'sending'`;
  await queueMessages(sql, [id], delayMs);
}
