import type { Deps } from '../core/context.ts';
import { TextSender } from './text-sender.ts';
import type { MessageSender } from './message-sender.ts';
import type { MessageChannel } from './message.ts';

type Senders = Pick<Deps, 'mail' | 'twilio' | 'config'>;

/** Returns the channel's sender; undefined when none is configured, and staff pass the message on. */
export function senderOf(
  { mail, twilio, config }: Senders,
  channel: MessageChannel,
): MessageSender | undefined {
  if (channel === 'mail') return mail;
  return twilio && new TextSender(twilio, config.baseUrl);
}

export function channelsWithSender({ mail, twilio }: Pick<Senders, 'mail' | 'twilio'>): MessageChannel[] {
  return [
    ...(mail === undefined ? [] : ['mail' as const]),
    ...(twilio === undefined ? [] : ['sms' as const]),
  ];
}
