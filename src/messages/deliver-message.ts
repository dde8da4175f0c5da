import { z } from 'zod';
import { allowTime, waitForLocks, type Db } from '../core/postgres/db.ts';
import type { Kind } from '../jobs/kinds.ts';
import { nextWaitMs, type RetryPlan } from '../jobs/retry-plan.ts';
import { defineTask, type Job, type Task } from '../jobs/task.ts';
import { endMessage, tellFinished, type Finished } from './end-message.ts';
import type { Channel, MessageState } from './message.ts';
import { queueMessages } from './message-job.ts';
import { onlyOurLinks } from './only-our-links.ts';
import { SendError, type MessageSender, type OutgoingMessage } from './message-sender.ts';
import type { MayLeave } from './outbound-action.ts';
import { senderOf } from './senders.ts';
import { HOUR_MS, MINUTE_MS } from '../core/time.ts';

const PLAN: RetryPlan = {
  waitsMs: [
    MINUTE_MS,
    5 * MINUTE_MS,
    15 * MINUTE_MS,
    HOUR_MS,
    2 * HOUR_MS,
    4 * HOUR_MS,
    6 * HOUR_MS,
    8 * HOUR_MS,
  ],
  giveUpAfterMs: 24 * HOUR_MS,
};
/** A venue that cannot be asked within minutes is asked another way. */
const BOOKING_PLAN: RetryPlan = { waitsMs: [MINUTE_MS, 5 * MINUTE_MS], giveUpAfterMs: 15 * MINUTE_MS };
/** Longer than any attempt can take. */
const LEASE_MS = 3 * MINUTE_MS;
/** While bookings are halted, their messages wait; the switch is looked at again this often. */
const HALTED_MS = MINUTE_MS;
/** Whoever throws the switch waits for what is under way, so that must not take long. */
const HELD_MS = 15_000;

interface Taken {
  channel: Channel;
  recipient: string;
  subject: string;
  body: string;
  attempts: number;
  created_at: Date;
  stops_when_halted: boolean;
}

/**
 * Sends one message. Between the server's answer and our note of it a process can die: a letter is then sent again
 * under the same Message-ID and date, by which mail systems fold the two; a message about a table is not sent again.
 */
export const deliverMessage = delivers('mail');
export const deliverVenueMail = delivers('asking_by_mail');
export const deliverVenueText = delivers('asking_by_text');

function delivers(kind: Kind): Task {
  return defineTask({
    kind,
    payload: z.object({ message_id: z.string() }),
    run: (job, { message_id: id }) => deliver(job, id),
  });
}

async function deliver(job: Job, id: string): Promise<void> {
  const { deps } = job;
  const [row] = await deps.pool<{ channel: Channel }[]>`select channel from message where id = ${id}`;
  if (row === undefined) return;
  const sender = senderOf(deps, row.channel);
  if (sender === undefined) return putInOutbox(job, id);
  const taken = await take(job, id);
  if (taken === undefined) return;
  const message = {
    messageId: id,
    date: taken.created_at,
    to: taken.recipient,
    subject: onlyOurLinks(taken.subject, deps.config),
    text: onlyOurLinks(taken.body, deps.config),
  };
  const outcome = taken.stops_when_halted
    ? await attemptUnlessHalted(job, id, (hold) =>
        deps.outbound.letOut(taken.channel, hold, (mayLeave) => attempt(sender, message, mayLeave)),
      )
    : await attempt(sender, message);
  if (outcome === 'sent') await endMessage(job, id, { state: 'sent' });
  else if (outcome !== 'halted') await afterFailure(job, id, taken, outcome);
}

/** A message that nobody can send goes to the outbox for good, where staff read it and pass it on. */
async function putInOutbox({ inTransaction }: Job, id: string): Promise<void> {
  await inTransaction(async (sql) => {
    const [put] = await sql<Finished[]>`
      update message set state = 'outbox' where id = ${id} and state = 'queued' returning id, on_finish`;
    await tellFinished(sql, put);
  });
}

/** Holds the switch where it is while the message leaves, so that nothing leaves after it was thrown. */
function attemptUnlessHalted({ inTransaction }: Job, id: string, leave: (hold: Db) => Promise<Attempted>) {
  return inTransaction(async (hold): Promise<Attempted | 'halted'> => {
    // Whoever throws the switch waits for what is under way, and we wait for them: longer than statements usually may.
    await allowTime(hold, 60_000);
    const [row] = await hold<{ halted: boolean }[]>`select hold_kill_switch() as halted`;
    if (row?.halted === false) return Promise.race([leave(hold), tooLate()]);
    // Before the switch can be turned back: whoever does that wakes what is queued.
    await putBack(hold, id, { delayMs: HALTED_MS, uncounted: true });
    return 'halted';
  });
}

type Attempted = 'sent' | SendError;

async function attempt(
  sender: MessageSender,
  message: OutgoingMessage,
  mayLeave?: MayLeave,
): Promise<Attempted> {
  try {
    await sender.send(message, mayLeave);
    return 'sent';
  } catch (thrown) {
    if (thrown instanceof SendError) return thrown;
    return new SendError('The message could not be sent.', { cause: thrown, inDoubt: true });
  }
}

function tooLate(): Promise<SendError> {
  return new Promise((resolve) => {
    AbortSignal.timeout(HELD_MS).addEventListener('abort', () => {
      resolve(new SendError('The other side took too long.', { inDoubt: true }));
    });
  });
}

/** Only one attempt is under way at a time. One whose lease has run out was that of a process that died. */
async function take(job: Job, id: string): Promise<Taken | undefined> {
  const { pool, clock } = job.deps;
  const now = clock.now();
  const [taken] = await pool<Taken[]>`
    update message set state = 'sending', attempts = attempts + 1,
      leased_until = ${new Date(now.getTime() + LEASE_MS)}
    where id = ${id}
      and (state = 'queued' or (state = 'sending' and leased_until <= ${now} and not stops_when_halted))
    returning channel, recipient, subject, body, attempts, created_at, stops_when_halted`;
  if (taken !== undefined) return taken;
  const [other] = await pool<{ state: MessageState; leased_until: Date | null }[]>`
    select state, leased_until from message where id = ${id}`;
  if (other?.state !== 'sending') return undefined;
  // Only a message about a table is left here with a lease that has run out.
  if (other.leased_until !== null && other.leased_until <= now)
    await endMessage(job, id, { state: 'unsure', words: 'It may have been sent, and is not sent twice.' });
  else await queueMessages(pool, [id], LEASE_MS);
  return undefined;
}

async function afterFailure(job: Job, id: string, taken: Taken, failure: SendError): Promise<void> {
  const { clock, log } = job.deps;
  const { attempts, created_at: startedAt, stops_when_halted: ofBooking } = taken;
  const plan = ofBooking ? BOOKING_PLAN : PLAN;
  const final = failure.refused || (ofBooking && failure.inDoubt);
  const waitMs = final ? undefined : nextWaitMs(plan, { id, attempts, startedAt, now: clock.now() });
  const words = failure.message;
  log.warn({ err: failure, message: id, attempts, final: waitMs === undefined }, words);
  if (waitMs === undefined)
    return endMessage(job, id, { state: ofBooking && failure.inDoubt ? 'unsure' : 'failed', words });
  await job.inTransaction((sql) => putBack(sql, id, { delayMs: waitMs, words }));
}

async function putBack(
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
