import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string[];
  text: string;
}

interface Refusal {
  code: number;
  message: string;
}

export interface SmtpReceiver {
  url: string;
  mails: ReceivedMail[];
  /** How many recipients were named, taken or not. */
  asked: string[];
  /** The server's refusal of a recipient; undefined accepts the mail. */
  refuse: (recipient: string) => Refusal | undefined | Promise<undefined>;
  /** How many connections have ended. */
  closed: number;
  /** Runs after a mail was taken and before its sender hears of it. */
  taken: () => Promise<void>;
}

/** A real mail server on loopback. */
export async function startSmtp(): Promise<SmtpReceiver> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: ({ address }, _session, done) => {
      receiver.asked.push(address);
      void Promise.resolve(receiver.refuse(address)).then((refused) => {
        done(refused && Object.assign(new Error(refused.message), { responseCode: refused.code }));
      });
    },
    onClose: () => {
      receiver.closed++;
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        receiver.mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
        });
        void receiver.taken().then(() => {
          done();
        });
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.close();
  });
  const { port } = server.server.address() as AddressInfo;
  const receiver: SmtpReceiver = {
    url: `smtp://127.0.0.1:${port}`,
    mails: [],
    asked: [],
    closed: 0,
    refuse: () => undefined,
    taken: () => Promise.resolve(),
  };
  return receiver;
}
