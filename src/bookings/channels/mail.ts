import { outboxChannel } from './outbox-channel.ts';

export const mail = outboxChannel('mail', {
  sentence: 'A mail.',
  label: 'Mail',
  askedText: 'An email was sent to the venue.',
  waitMs: ({ mailMs }) => mailMs,
});
