import { z } from 'zod';
import type { Deps } from '../core/context.ts';
import { addJob } from '../jobs/add-job.ts';
import { nextWaitMs, type RetryPlan } from '../jobs/retry-plan.ts';
import type { Channel, MessageState } from './message.ts';
import { MailRefusedError } from './mail-sender.ts';

const payloadSchema = z.object({ message_id: z.string() });

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
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
/** Longer than any attempt can take. */
const LEASE_MS = 3 * MINUTE_MS;

interface Taken {
  channel: Channel;
  recipient: string;
  subject: string;
  body: string;
  attempts: number;
  created_at: Date;
}

/**
 * Sends one message. Between the server's answer and our note of it a process can die: the message is then sent
 * again under the same Message-ID and date, by which mail systems fold the two. SMTP allows no more than that.
 */
export async function deliverMessage(deps: Deps, payload: unknown): Promise<void> {
  const { message_id: id } = payloadSchema.parse(payload);
  const sender = await senderFor(deps, id);
  if (sender === undefined) return;
  const taken = await take(deps, id);
  if (taken === undefined) return;
  let failure: unknown;
  try {
    await sender.send({
      messageId: id,
      date: taken.created_at,
      to: taken.recipient,
      subject: taken.subject,
      text: taken.body,
    });
  } catch (thrown) {
    failure = thrown;
  }
  if (failure === undefined) await finish(deps, id, 'sent', null);
  else await afterFailure(deps, id, taken, failure);
}

/** Who sends it. A message that nobody can send goes to the outbox for good, where staff read it. */
async function senderFor({ pool, mail }: Deps, id: string) {
  const [row] = await pool<{ channel: Channel }[]>`select channel from message where id = ${id}`;
  if (row === undefined) return undefined;
  const sender = row.channel === 'mail' ? mail : undefined;
  if (sender === undefined)
    await pool`update message set state = 'outbox' where id = ${id} and state = 'queued'`;
  return sender;
}

/** Only one attempt is under way at a time. One whose lease has run out was that of a process that died. */
async function take({ pool, clock }: Deps, id: string): Promise<Taken | undefined> {
  const now = clock.now();
  const [taken] = await pool<Taken[]>`
    update message set state = 'sending', attempts = attempts + 1,
      leased_until = ${new Date(now.getTime() + LEASE_MS)}
    where id = ${id} and (state = 'queued' or (state = 'sending' and leased_until <= ${now}))
    returning channel, recipient, subject, body, attempts, created_at`;
  if (taken !== undefined) return taken;
  const [other] = await pool<{ state: MessageState }[]>`select state from message where id = ${id}`;
  if (other?.state === 'sending')
    await addJob(pool, 'deliver_message', { message_id: id }, { delayMs: LEASE_MS });
  return undefined;
}

async function afterFailure(deps: Deps, id: string, taken: Taken, failure: unknown): Promise<void> {
  const { pool, clock, log } = deps;
  const waitMs =
    failure instanceof MailRefusedError
      ? undefined
      : nextWaitMs(PLAN, { id, attempts: taken.attempts, startedAt: taken.created_at, now: clock.now() });
  const words = wordsFor(failure);
  log.warn({ err: failure, message: id, attempts: taken.attempts, final: waitMs === undefined }, words);
  if (waitMs === undefined) return finish(deps, id, 'failed', words);
  await pool.begin(async (sql) => {
    await sql`
      update message set state = 'queued', leased_until = null, last_error = ${words}
      where id = ${id} and state = 'sending'`;
    await addJob(sql, 'deliver_message', { message_id: id }, { delayMs: waitMs });
  });
}

async function finish(
  { pool, clock }: Deps,
  id: string,
  state: 'sent' | 'failed',
  lastError: string | null,
): Promise<void> {
  await pool`
    update message set state = ${state}, body = null, leased_until = null, finished_at = ${clock.now()},
      last_error = coalesce(${lastError}, last_error)
    where id = ${id} and state = 'sending'`;
}

/** What staff read. What the server said may repeat the recipient or the message, so it stays in the log. */
function wordsFor(failure: unknown): string {
  if (failure instanceof MailRefusedError) return failure.message;
  const { code, responseCode } = failure as { code?: unknown; responseCode?: unknown };
  if (typeof responseCode === 'number') return `The mail server answered ${responseCode}.`;
  return `The mail server could not be reached (${typeof code === 'string' ? code : 'unknown'}).`;
}
