import type { Channel } from '../channel.ts';
import { postToVenue } from './post-to-venue.ts';

/** Channel for messages that the venue answers with a tap. */
function tapChannel(name: 'sms' | 'mail'): Channel {
  return {
    name,
    ask: (deps, ask, db) => postToVenue(deps, db, name, ask),
    tell: (deps, ask, db) => postToVenue(deps, db, name, ask),
  };
}

export const sms = tapChannel('sms');
export const mail = tapChannel('mail');
