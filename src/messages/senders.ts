import type { Deps } from '../core/context.ts';
import { TwilioError, type Twilio } from '../twilio/twilio.ts';
import { SendError, type MessageSender } from './message-sender.ts';
import type { MessageChannel } from './message.ts';

type Senders = Pick<Deps, 'mail' | 'twilio' | 'config'>;

export function senderOf(
  { mail, twilio, config }: Senders,
  channel: MessageChannel,
): MessageSender | undefined {
  if (channel === 'mail') return mail;
  return twilio && textSender(twilio, config.baseUrl);
}

function textSender(twilio: Twilio, baseUrl: string): MessageSender {
  return {
    async send({ messageId, to, text }, maySend) {
      try {
        const statusUrl = `${baseUrl}/twilio/texts/${messageId}`;
        await twilio.sendText({ to, body: text, statusUrl, maySend });
      } catch (thrown) {
        if (!(thrown instanceof TwilioError)) throw thrown;
        const { message, refused, inDoubt } = thrown;
        throw new SendError(message, { refused, inDoubt, cause: thrown });
      }
    },
  };
}

export function channelsWithSender({ mail, twilio }: Pick<Senders, 'mail' | 'twilio'>): MessageChannel[] {
  return [
    ...(mail === undefined ? [] : ['mail' as const]),
    ...(twilio === undefined ? [] : ['sms' as const]),
  ];
}
