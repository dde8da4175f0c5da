import type { Deps } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import type { Channel, MessageState } from './message.ts';
import { channelsWithSender } from './senders.ts';
import { onlyOurLinks } from './only-our-links.ts';

/** A message as staff see it: not what it says, because that may be a code, a link or a key of somebody else. */
export interface ListedMessage {
  id: string;
  channel: Channel;
  to: string;
  subject: string;
  purpose: string;
  subject_id: string;
  state: MessageState;
  attempts: number;
  last_error: string | null;
  created_at: string;
  finished_at: string | null;
  /** Nobody is set up to send it: a lead may open it and pass it on. */
  unsendable: boolean;
}

export interface MessageFilter {
  state?: MessageState | undefined;
  purpose?: string | undefined;
  to?: string | undefined;
  /** What it is about, or the message itself. */
  subjectId?: string | undefined;
  /** The id of the last message of the page before. */
  after?: string | undefined;
  limit?: number | undefined;
}

export const MESSAGES_LIMIT_DEFAULT = 50;
export const MESSAGES_LIMIT_MAX = 200;

/** The outbox, newest first. */
export async function listMessages(
  deps: Pick<Deps, 'pool' | 'mail' | 'twilio'>,
  filter: MessageFilter = {},
): Promise<ListedMessage[]> {
  const limit = Math.min(Math.max(1, filter.limit ?? MESSAGES_LIMIT_DEFAULT), MESSAGES_LIMIT_MAX);
  const senders = channelsWithSender(deps);
  const rows = await deps.pool<(Omit<ListedMessage, 'created_at' | 'finished_at'> & Times)[]>`
    select * from (
      select id, sequence, channel, recipient as to, subject, purpose, subject_id, attempts, last_error, created_at,
             finished_at,
             -- A message that nobody will send is in the outbox from the moment it is written.
             case when state = 'queued' and not channel = any(${senders}) then 'outbox' else state end as state,
             ${isUnsendable(deps.pool, senders)} as unsendable
      from message) as seen
    where (${filter.state ?? null}::text is null or state = ${filter.state ?? null})
      and (${filter.purpose ?? null}::text is null or purpose = ${filter.purpose ?? null})
      and (${filter.to ?? null}::text is null or seen.to = ${filter.to ?? null})
      and (${filter.subjectId ?? null}::text is null or ${filter.subjectId ?? null} in (subject_id, id))
      and (${filter.after ?? null}::text is null
           or sequence < (select sequence from message where id = ${filter.after ?? null}))
    order by sequence desc limit ${limit}`;
  return rows.map(({ id, channel, to, subject, purpose, subject_id, state, ...rest }) => ({
    id,
    channel,
    to,
    subject,
    purpose,
    subject_id,
    state,
    attempts: rest.attempts,
    last_error: rest.last_error,
    created_at: timeText(rest.created_at),
    finished_at: rest.finished_at === null ? null : timeText(rest.finished_at),
    unsendable: rest.unsendable,
  }));
}

/** What a message says that nobody is set up to send; undefined for every other. Whoever opens it is in the audit log. */
export async function openMessage(
  db: Db,
  deps: Pick<Deps, 'mail' | 'twilio' | 'config'>,
  id: string,
): Promise<OpenedMessage | undefined> {
  const [message] = await db<OpenedMessage[]>`
    select id, channel, recipient as to, subject, purpose, body as text from message
    where id = ${id} and ${isUnsendable(db, channelsWithSender(deps))}`;
  return message && { ...message, text: onlyOurLinks(message.text, deps.config) };
}

export interface OpenedMessage extends Pick<ListedMessage, 'id' | 'channel' | 'to' | 'subject' | 'purpose'> {
  text: string;
}

/** Where the channel has a sender, nobody reads what goes through it, nor what was left from before it had one. */
function isUnsendable(db: Db, senders: readonly Channel[]) {
  return db`(state in ('queued', 'outbox') and not channel = any(${[...senders]}) and body is not null)`;
}

interface Times {
  created_at: Date;
  finished_at: Date | null;
}

function timeText(time: Date): string {
  return time.toISOString().replace(/\.\d{3}Z$/, 'Z');
}
