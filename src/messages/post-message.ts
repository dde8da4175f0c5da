import type { Db } from '../core/postgres/db.ts';
import type { NewId } from '../core/ids.ts';
import type { AfterMessage } from './message.ts';
import type { MessageChannel } from './message-channels.ts';
import { queueMessages } from './message-job.ts';
import { BETWEEN_PARTS, type MessagePart } from './message-parts.ts';

export interface NewMessage {
  channel: MessageChannel;
  /** An email address, or a number in E.164 form. */
  to: string;
  /** Staff see it in the outbox even after the message was sent, so it never contains a code or a link. */
  subject: string;
  /** A text without personal names, or the parts of one that contains them. */
  text: string | readonly MessagePart[];
  /** Purpose of the message, for example claim_code: snake_case, and the same for every message of its kind. */
  purpose: string;
  subject_id: string;
  /** True for messages to a venue about a table: sent at most once, and not while bookings are halted. */
  stopsWhenHalted?: boolean;
  /** A task that is queued with the message's id once it was sent, is in the outbox permanently, or has failed. */
  onFinish?: AfterMessage;
}

/** Inserts a message and queues its delivery, both within the caller's transaction. Returns the message's id. */
export async function postMessage(
  db: Db,
  ctx: { newId: NewId; now: Date },
  message: NewMessage,
): Promise<string> {
  const id = ctx.newId('msg');
  const { text } = message;
  const parts = typeof text === 'string' ? null : text.map((part) => ({ ...part }));
  const body = typeof text === 'string' ? text : text.map((part) => part.text).join(BETWEEN_PARTS);
  await db`
    insert into message (id, channel, recipient, subject, body, parts, purpose, subject_id, stops_when_halted,
                         on_finish, created_at)
    values (${id}, ${message.channel}, ${message.to}, ${message.subject}, ${body}, ${parts && db.json(parts)},
            ${message.purpose}, ${message.subject_id}, ${message.stopsWhenHalted ?? false},
            ${message.onFinish ?? null}, ${ctx.now})`;
  await queueMessages(db, [id]);
  return id;
}
