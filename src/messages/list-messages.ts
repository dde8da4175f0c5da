import type { Deps } from '../core/context.ts';
import type { Channel, MessageState } from './message.ts';
import { channelsWithSender } from './senders.ts';

/** A message as staff see it. */
export interface ListedMessage {
  id: string;
  channel: Channel;
  to: string;
  subject: string;
  /** Only of a message that staff must pass on themselves; nobody reads a code or link that was sent. */
  text: string | null;
  purpose: string;
  subject_id: string;
  state: MessageState;
  attempts: number;
  last_error: string | null;
  created_at: string;
  finished_at: string | null;
}

export interface MessageFilter {
  state?: MessageState | undefined;
  purpose?: string | undefined;
  to?: string | undefined;
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
             case when state = 'outbox' or (state = 'queued' and not channel = any(${senders})) then body end as text
      from message) as seen
    where (${filter.state ?? null}::text is null or state = ${filter.state ?? null})
      and (${filter.purpose ?? null}::text is null or purpose = ${filter.purpose ?? null})
      and (${filter.to ?? null}::text is null or seen.to = ${filter.to ?? null})
      and (${filter.subjectId ?? null}::text is null or subject_id = ${filter.subjectId ?? null})
      and (${filter.after ?? null}::text is null
           or sequence < (select sequence from message where id = ${filter.after ?? null}))
    order by sequence desc limit ${limit}`;
  return rows.map(({ id, channel, to, subject, text, purpose, subject_id, state, ...rest }) => ({
    id,
    channel,
    to,
    subject,
    text,
    purpose,
    subject_id,
    state,
    attempts: rest.attempts,
    last_error: rest.last_error,
    created_at: timeText(rest.created_at),
    finished_at: rest.finished_at === null ? null : timeText(rest.finished_at),
  }));
}

interface Times {
  created_at: Date;
  finished_at: Date | null;
}

function timeText(time: Date): string {
  return time.toISOString().replace(/\.\d{3}Z$/, 'Z');
}
