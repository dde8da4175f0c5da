import type { Payloads } from '../jobs/task.ts';

/**
 * queued: waits to be sent. outbox: no sender is configured, so staff pass it on. sending: an attempt is running. sent,
 * failed, unsure: final; an unsure message may have been sent and must not be sent twice. Only this module changes it.
 */
export type MessageState = 'queued' | 'outbox' | 'sending' | 'sent' | 'unsure' | 'failed';

/** A task that runs after a message has ended, with only the message's id as payload. */
export type AfterMessage = {
  [Name in keyof Payloads]: Payloads[Name] extends { message_id: string } ? Name : never;
}[keyof Payloads];
