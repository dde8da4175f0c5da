import { outboxChannel } from './outbox-channel.ts';
import { twilioProvider } from './twilio-provider.ts';

export const sms = outboxChannel('sms', {
  sentence: 'A text message.',
  label: 'Text message',
  askedText: 'A text message was sent to the venue.',
  provider: twilioProvider,
});
