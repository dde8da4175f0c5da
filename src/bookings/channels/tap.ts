import type { Channel } from '../channel.ts';
import { postToVenue } from './post-to-venue.ts';

/** A text message that the venue answers with a tap. */
export const sms: Channel = {
  name: 'sms',
  ask: (deps, ask, db) => postToVenue(deps, db, 'sms', ask),
  tell: (deps, ask, db) => postToVenue(deps, db, 'sms', ask),
};

/** A mail that the venue answers with a tap. */
export const mail: Channel = {
  name: 'mail',
  ask: (deps, ask, db) => postToVenue(deps, db, 'mail', ask),
  tell: (deps, ask, db) => postToVenue(deps, db, 'mail', ask),
};
