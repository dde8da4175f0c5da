import type { Payloads } from '../jobs/task.ts';

export type MessageChannel = 'mail' | 'sms';

/** outbox: no sender is configured, staff pass it on. unsure: may have been sent, never sent twice. */
export type MessageState = 'queued' | 'outbox' | 'sending' | 'sent' | 'unsure' | 'failed';

/** A task that runs after a message has ended, with only the message's id as payload. */
export type AfterMessage = {
  [Name in keyof Payloads]: Payloads[Name] extends { message_id: string } ? Name : never;
}[keyof Payloads];
