import type { MayLeave } from './outbound-action.ts';

/** A message on its way out, by mail or as a text. */
export interface OutgoingMessage {
  /** The same at every attempt, so that a mail system can tell a repetition from a second message. */
  messageId: string;
  date: Date;
  to: string;
  /** Of a mail; a text has none. */
  subject: string;
  text: string;
}

export interface MessageSender {
  /**
   * Returns when the other side has taken the message over, and throws a SendError when it has not. Nothing leaves once
   * `mayLeave` says no.
   */
  send(message: OutgoingMessage, mayLeave?: MayLeave): Promise<void>;
}

interface SendErrorOptions {
  cause?: unknown;
  refused?: boolean;
  inDoubt?: boolean;
}

/** The message is what staff read; what the other side said may repeat the recipient, so it stays in the cause. */
export class SendError extends Error {
  /** The other side will never take this message, so it is not tried again. */
  readonly refused: boolean;
  /** The other side may have taken the message although it did not say so. */
  readonly inDoubt: boolean;

  constructor(message: string, { cause, refused = false, inDoubt = false }: SendErrorOptions = {}) {
    super(message, { cause });
    this.name = 'SendError';
    this.refused = refused;
    this.inDoubt = inDoubt;
  }
}
