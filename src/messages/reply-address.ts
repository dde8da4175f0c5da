import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Deps } from '../core/context.ts';

type ReplyConfig = Pick<Deps['config'], 'mailReplies'>;

const SIGNATURE_LENGTH = 16;
const TAGGED = /^(?<name>[^\s@]+)\+(?<id>msg_[0-9a-z]{26})-(?<signature>[0-9a-f]{16})@(?<host>[^\s@]+)$/;

/**
 * Address to which a venue replies to one message; undefined where no replies are read. It is signed: only the
 * recipient knows it, so that a sender needs no further proof, and may write from another mailbox.
 */
export function replyAddress({ mailReplies }: ReplyConfig, messageId: string): string | undefined {
  if (mailReplies === undefined) return undefined;
  const [name = '', host = ''] = mailReplies.to.split('@');
  return `${name}+${messageId}-${sign(mailReplies.secret, messageId)}@${host}`;
}

/** Returns the id of the message that an address replies to; undefined for every other address. */
export function repliedMessage({ mailReplies }: ReplyConfig, address: string): string | undefined {
  const { name, id, signature, host } = TAGGED.exec(address.toLowerCase())?.groups ?? {};
  if (mailReplies === undefined || id === undefined || signature === undefined) return undefined;
  const isOurs = `${name ?? ''}@${host ?? ''}` === mailReplies.to.toLowerCase();
  const isSigned = timingSafeEqual(Buffer.from(signature), Buffer.from(sign(mailReplies.secret, id)));
  return isOurs && isSigned ? id : undefined;
}

function sign(secret: string, messageId: string): string {
  return createHmac('sha256', secret).update(`reply ${messageId}`).digest('hex').slice(0, SIGNATURE_LENGTH);
}
