import type { Payloads } from '../jobs/task.ts';

/**
 * queued: waits to be sent. outbox: no sender is configured, so staff pass it on. sending: an attempt is running. sent,
 * failed, unsure: final; an unsure message may have been sent and must not be sent twice. Only this module changes it.
 */
export type MessageState = 'queued' | 'outbox' | 'sending' | 'sent' | 'unsure' | 'failed';

/** Retention of messages in the outbox. Their codes and links have expired by then. */
export const OUTBOX_KEPT_DAYS = 30;
/** Retention of the record that a message was sent or failed; its text is deleted at once. */
export const SENT_KEPT_DAYS = 90;

/** A task that runs after a message has ended, with only the message's id as payload. */
export type AfterMessage = {
  [Name in keyof Payloads]: Payloads[Name] extends { message_id: string } ? Name : never;
}[keyof Payloads];
