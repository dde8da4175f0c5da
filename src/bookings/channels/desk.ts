import { isRehearsal } from '../rehearsal/rehearsal-venue.ts';
import type { Channel } from './channel.ts';

/** Our staff call the venue. A task counts as waiting until somebody takes it. */
export const desk: Channel = {
  name: 'desk',
  kind: 'staff',
  sentence: 'Our staff.',
  shownAs: { name: 'desk', sentence: 'Our staff ask the venue.', how: 'Our desk will ask the venue.' },
  label: 'Desk, by telephone',
  askedText: 'Our desk is asking the venue.',
  contact: ({ place }) => (isRehearsal(place.id) ? undefined : null),
  ask: () => Promise.resolve({ outcome: 'waiting' }),
  tell: () => Promise.resolve({ outcome: 'waiting' }),
};
