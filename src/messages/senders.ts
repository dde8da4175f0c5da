import type { Deps } from '../core/context.ts';
import { TextSender } from './text-sender.ts';
import type { MessageSender } from './message-sender.ts';
import type { Channel } from './message.ts';

type Senders = Pick<Deps, 'mail' | 'twilio' | 'config'>;

/** Who sends on a channel; undefined when nobody is set up to, and then staff pass the message on. */
export function senderOf({ mail, twilio, config }: Senders, channel: Channel): MessageSender | undefined {
  if (channel === 'mail') return mail;
  return twilio && new TextSender(twilio, config.baseUrl);
}

export function channelsWithSender({ mail, twilio }: Pick<Senders, 'mail' | 'twilio'>): Channel[] {
  return [
    ...(mail === undefined ? [] : ['mail' as const]),
    ...(twilio === undefined ? [] : ['sms' as const]),
  ];
}
