import type { Channel } from '../channel.ts';

/** A person of ours who calls the venue: what is on the list was not said yet, until somebody takes it. */
export const desk: Channel = {
  name: 'desk',
  ask: () => Promise.resolve({ outcome: 'waiting' }),
  tell: () => Promise.resolve({ outcome: 'waiting' }),
};
