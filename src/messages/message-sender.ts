import type { MaySend } from './kill-switch-gate.ts';

export interface OutgoingMessage {
  /** The same at every attempt, so that a mail system can recognise a repeated message. */
  messageId: string;
  date: Date;
  to: string;
  subject: string;
  text: string;
  /** Address for replies, where they are read. */
  replyTo?: string | undefined;
}

export interface MessageSender {
  /** Resolves when the message was accepted, else throws a SendError. Nothing is sent once `maySend` is false. */
  send(message: OutgoingMessage, maySend?: MaySend): Promise<void>;
}

interface SendErrorOptions {
  cause?: unknown;
  refused?: boolean;
  inDoubt?: boolean;
}

/** A failed attempt. Staff read the message; the response may repeat the recipient, so it stays in the cause. */
export class SendError extends Error {
  /** True when the message will never be accepted, so there is no retry. */
  readonly refused: boolean;
  /** True when the message may have been accepted without a confirmation. */
  readonly inDoubt: boolean;

  constructor(message: string, { cause, refused = false, inDoubt = false }: SendErrorOptions = {}) {
    super(message, { cause });
    this.name = 'SendError';
    this.refused = refused;
    this.inDoubt = inDoubt;
  }
}
