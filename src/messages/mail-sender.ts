import type { Socket } from 'node:net';
import { lazy } from '../core/memory/lazy.ts';
import { GuardedSocket } from '../core/egress/guarded-socket.ts';
import type { MaySend } from './kill-switch-gate.ts';
import { SendError, type MessageSender, type OutgoingMessage } from './message-sender.ts';

declare module '../core/context.ts' {
  interface Deps {
    /** Sends mail. Undefined without SMTP_URL; mail then stays in the outbox. */
    mail: MailSender | undefined;
  }
}

/** Timeouts; all of them end before the lease of the message. */
const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;

export class MailSender implements MessageSender {
  readonly #nodemailer;
  readonly #options;
  readonly #from: string;

  constructor(smtpUrl: string, from: string) {
    this.#from = from;
    const { hostname, port, protocol, username, password } = new URL(smtpUrl);
    const secure = protocol === 'smtps:';
    const options = {
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port) || (secure ? 465 : 587),
      secure,
      ...(username === ''
        ? {}
        : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      dnsTimeout: CONNECT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    };
    // Loaded with the first mail, because loading takes longer than most of the startup.
    this.#nodemailer = lazy(() => import('nodemailer'));
    this.#options = options;
  }

  /** Signs in at the mail server without sending anything. */
  async check(): Promise<void> {
    try {
      const { createTransport } = await this.#nodemailer();
      await createTransport(this.#options).verify();
    } catch (thrown) {
      throw sendErrorOf(thrown);
    }
  }

  async send(mail: OutgoingMessage, maySend?: MaySend): Promise<void> {
    const { messageId, date, to, subject, text, replyTo } = mail;
    try {
      const { createTransport } = await this.#nodemailer();
      const guarded = maySend && { socket: new GuardedSocket(maySend) as unknown as Socket };
      await createTransport({ ...this.#options, ...guarded }).sendMail({
        from: this.#from,
        to: { name: '', address: to },
        messageId: `<${messageId}@${domainOf(this.#from)}>`,
        date,
        subject,
        text,
        ...(replyTo !== undefined && { replyTo }),
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    } catch (thrown) {
      throw sendErrorOf(thrown);
    }
  }
}

/** A response code means that the server refused; without a connection nothing was sent either. */
function sendErrorOf(thrown: unknown): SendError {
  const { code, responseCode, syscall } = thrown as {
    code?: unknown;
    responseCode?: unknown;
    syscall?: unknown;
  };
  if (typeof responseCode !== 'number')
    return new SendError(
      `The mail server could not be reached (${typeof code === 'string' ? code : 'unknown'}).`,
      { cause: thrown, inDoubt: code !== 'EDNS' && syscall !== 'connect' },
    );
  return code === 'EENVELOPE' && responseCode >= 500
    ? new SendError('The mail server refuses this recipient.', { cause: thrown, refused: true })
    : new SendError(`The mail server answered ${responseCode}.`, { cause: thrown });
}

function domainOf(from: string): string {
  return /@([^\s>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}
