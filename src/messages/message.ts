import type { Payloads } from '../jobs/task.ts';

/** How a message reaches a person. */
export type Channel = 'mail' | 'sms';

/**
 * queued: waits to be sent. outbox: nobody is set up to send it, so staff pass it on. sending: an attempt is under
 * way. sent, failed: final, as is unsure: it may have left, and it must not leave twice. Only this module changes it.
 */
export type MessageState = 'queued' | 'outbox' | 'sending' | 'sent' | 'unsure' | 'failed';

/** A task that takes up what has become of a message: it is told the message's id and nothing else. */
export type AfterMessage = {
  [Name in keyof Payloads]: Payloads[Name] extends { message_id: string } ? Name : never;
}[keyof Payloads];
