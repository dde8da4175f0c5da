import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readMail } from '../bookings/answering/reply/read-mail.ts';
import { takeReply } from '../bookings/answering/reply/take-reply.ts';
import type { Deps } from '../core/context.ts';
import { AppError } from '../core/errors.ts';
import type { MessageChannel } from '../messages/message-channels.ts';
import { repliedMessage } from '../messages/reply-address.ts';
import { addRawAction } from './people/person/person-route.ts';
import type { Action } from './people/person/action.ts';
import { callers } from './people/person/audience.ts';

/** A reply with the logo of a signature, and a picture attached. */
const BODY_BYTES_MAX = 10 * 1024 * 1024;

/** Receives mail to the address for replies from the operator's mail system. */
export function addMailReplies(app: FastifyInstance, deps: Deps): void {
  addRawAction(app, deps, takeMailReply, BODY_BYTES_MAX);
}

/** The operator's mail system, identified by the secret. Nothing is read from anybody else. */
const mailSystem = callers<{ secret: string }>(refused, {
  find: ({ config: { mailReplies } }, { headers }) => {
    if (mailReplies === undefined)
      throw new AppError('not_found', 'No replies by mail are read here.', {
        hint: 'Set MAIL_REPLIES_TO and MAIL_REPLIES_SECRET.',
      });
    const sent = secretIn(headers.authorization ?? '');
    return Promise.resolve(isSame(sent, mailReplies.secret) ? mailReplies : undefined);
  },
  actor: () => 'mail_system',
  verifyOrigin: () => undefined,
});

function refused(): AppError {
  return new AppError('invalid_key', 'The secret is missing or wrong.', {
    hint: 'Send MAIL_REPLIES_SECRET as Authorization: Bearer SECRET, or as the password of Basic.',
  });
}

function secretIn(authorization: string): string {
  const [, scheme = '', value = ''] = /^(\S+) +(.*)$/s.exec(authorization) ?? [];
  if (scheme.toLowerCase() === 'bearer') return value;
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(value, 'base64').toString()) ?? [];
  return password;
}

function isSame(sent: string, expected: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const takeMailReply: Action<{ secret: string }> = {
  name: 'take_venue_reply',
  path: '/mail/replies',
  who: mailSystem,
  async run(act) {
    const mail = await readMail(rawMail(act.request));
    const { config } = act.deps;
    const about = mail.recipients.map((to) => repliedMessage(config, to)).find((id) => id !== undefined);
    const [written] =
      about === undefined || mail.isAutomatic
        ? []
        : await act.db<{ channel: MessageChannel; from: string }[]>`
            select channel, recipient as "from" from message where id = ${about}`;
    const reply = written && { ...written, id: mail.id, text: mail.text, about };
    const changed = reply !== undefined && (await takeReply(act, reply));
    if (!changed) act.unchanged();
    return { show: ({ reply: answer }) => answer.code(204).send() };
  },
};

function rawMail({ body, headers }: FastifyRequest): Buffer {
  if (
    !Buffer.isBuffer(body) ||
    body.length === 0 ||
    !/^message\/rfc822\b/i.test(headers['content-type'] ?? '')
  )
    throw new AppError('unsupported_media_type', 'Send the mail as it is, as Content-Type: message/rfc822.');
  return body;
}
