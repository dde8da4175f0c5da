import type { Channel } from './channel.ts';

/** The provider of text messages and calls. */
export const twilioProvider: NonNullable<Channel['provider']> = {
  name: 'Texts and calls',
  settings: ['TWILIO_ACCOUNT', 'TWILIO_TOKEN', 'TWILIO_FROM', 'TWILIO_REPLIES'],
  isSet: ({ twilio }) => twilio !== undefined,
  ready: 'A provider for text messages and calls is set.',
  missing:
    'No text messages are sent and no calls are made. Texts wait in the outbox, and the desk calls venues.',
};
