import type { Deps } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import type { MessageState } from './message.ts';
import { channelsWithSender, type MessageChannel } from './message-channels.ts';
import { onlyOurLinks } from './only-our-links.ts';

/** A message as staff see it, without its text, which may contain somebody else's code, link or key. */
export interface ListedMessage {
  id: string;
  channel: MessageChannel;
  to: string;
  subject: string;
  purpose: string;
  subject_id: string;
  state: MessageState;
  attempts: number;
  last_error: string | null;
  created_at: string;
  finished_at: string | null;
  /** True when no sender is configured: a lead may open the message and pass it on. */
  unsendable: boolean;
}

interface MessageFilter {
  state?: MessageState | undefined;
  purpose?: string | undefined;
  to?: string | undefined;
  /** The id of the record that the message is about, or of the message itself. */
  subjectId?: string | undefined;
  after?: string | undefined;
  limit?: number | undefined;
}

const MESSAGES_LIMIT_DEFAULT = 50;
const MESSAGES_LIMIT_MAX = 200;
const TIME = 'YYYY-MM-DD"T"HH24:MI:SS"Z"';

/** Lists messages, newest first. */
export async function listMessages(
  deps: Pick<Deps, 'pool' | 'mail' | 'twilio' | 'config'>,
  filter: MessageFilter = {},
): Promise<ListedMessage[]> {
  const limit = Math.min(Math.max(1, filter.limit ?? MESSAGES_LIMIT_DEFAULT), MESSAGES_LIMIT_MAX);
  const senders = channelsWithSender(deps);
  return deps.pool<ListedMessage[]>`
    select id, channel, seen.to, subject, purpose, subject_id, state, attempts, last_error, unsendable,
           to_char(created_at at time zone 'UTC', ${TIME}) as created_at,
           to_char(finished_at at time zone 'UTC', ${TIME}) as finished_at
    from (
      select id, sequence, channel, recipient as to, subject, purpose, subject_id, attempts, last_error, created_at,
             finished_at,
             -- A message without a sender counts as in the outbox from the moment it is written.
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
}

/** Returns a message without a configured sender, with its text; undefined for every other. Opening it is audited. */
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

/** While a channel has a sender, nobody can read its messages, nor those left from before it had one. */
function isUnsendable(db: Db, senders: readonly MessageChannel[]) {
  return db`(state in ('queued', 'outbox') and not channel = any(${[...senders]}) and body is not null)`;
}
