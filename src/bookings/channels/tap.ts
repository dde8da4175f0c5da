import type { Channel } from '../channel.ts';
import { postToVenue } from './post-to-venue.ts';

/** A message that the venue answers with a tap. */
function byTap(name: 'sms' | 'mail'): Channel {
  return {
    name,
    ask: (deps, ask, db) => postToVenue(deps, db, name, ask),
    tell: (deps, ask, db) => postToVenue(deps, db, name, ask),
  };
}

export const sms = byTap('sms');
export const mail = byTap('mail');
