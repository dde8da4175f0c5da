import type { Db } from '../core/postgres/db.ts';
import type { NewId } from '../core/ids.ts';
import { callbackDelivery } from './deliver-callback.ts';

interface NewCallback {
  url: string;
  agentId: string;
  /** The record that the callback is about; callbackStateOf() looks deliveries up by it. */
  subjectId: string;
  /** For example submission.approved. */
  event: string;
  /** The `data` member of the body. */
  payload: Record<string, unknown>;
}

/** Inserts a callback and queues its delivery, both within the caller's transaction. */
export async function queueCallback(
  db: Db,
  ctx: { newId: NewId; now: Date },
  callback: NewCallback,
): Promise<void> {
  const id = ctx.newId('msg');
  const { url, agentId, subjectId, event, payload } = callback;
  await db`
    insert into callback_delivery (id, agent_id, subject_id, url, event, data, created_at)
    values (${id}, ${agentId}, ${subjectId}, ${url}, ${event}, ${db.json(payload)}, ${ctx.now})`;
  await callbackDelivery.queue(db, id);
}
