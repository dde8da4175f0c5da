import { createTransport } from 'nodemailer';

declare module '../core/context.ts' {
  interface Deps {
    /** Sends mail; undefined without SMTP_URL, and then mail stays in the outbox. */
    mail: MailSender | undefined;
  }
}

export interface Mail {
  /** The same at every attempt, so that a mail system can tell a repetition from a second message. */
  messageId: string;
  date: Date;
  to: string;
  subject: string;
  text: string;
}

/** The other side will never take this message, so it is not tried again. */
export class MailRefusedError extends Error {}

/** All of it ends before the lease of a message that is being sent. */
const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;

export class MailSender {
  readonly #transport;
  readonly #from: string;

  constructor(smtpUrl: string, from: string) {
    this.#from = from;
    const { hostname, port, protocol, username, password } = new URL(smtpUrl);
    const secure = protocol === 'smtps:';
    this.#transport = createTransport({
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
    });
  }

  /** Returns when the server has taken the message over. */
  async send(mail: Mail): Promise<void> {
    const { messageId, date, to, subject, text } = mail;
    try {
      await this.#transport.sendMail({
        from: this.#from,
        to: { name: '', address: to },
        messageId: `<${messageId}@${domainOf(this.#from)}>`,
        date,
        subject,
        text,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    } catch (thrown) {
      const { code, responseCode } = thrown as { code?: unknown; responseCode?: unknown };
      if (code === 'EENVELOPE' && typeof responseCode === 'number' && responseCode >= 500)
        throw new MailRefusedError('The mail server refuses this recipient.', { cause: thrown });
      throw thrown;
    }
  }
}

function domainOf(from: string): string {
  return /@([^\s>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}
