/** How a message reaches a person. */
export type Channel = 'mail' | 'sms';

/**
 * queued: waits to be sent. outbox: nobody is set up to send it, so staff pass it on. sending: an attempt is under
 * way. sent, failed: final. Only deliver-message.ts changes it.
 */
export type MessageState = 'queued' | 'outbox' | 'sending' | 'sent' | 'failed';
