import { MINUTE_MS } from '../../core/time.ts';
import type { AskablePlace } from '../channels/channel.ts';
import type { ContactHours } from '../asking/timing.ts';

/**
 * Venues that exist for partners to rehearse with. They are no rows of the directory, so no search, feed, count or page
 * can contain them. Ids of real places have another form.
 */
const PREFIX = 'plc_rehearsal_';

/** Behaviour of each venue on a request, by the end of its id. */
const VENUES = {
  yes: ['Rehearsal Yes', 'Says yes after five seconds.'],
  no: ['Rehearsal No', 'Says no after five seconds.'],
  offer: ['Rehearsal Offer', 'Offers a table 45 minutes later, after five seconds.'],
  cancels: ['Rehearsal Cancels', 'Says yes after five seconds and cancels the table ten seconds later.'],
  silent: ['Rehearsal Silent', 'Never answers. The request ends as no_answer after two minutes.'],
  twice: ['Rehearsal Twice', 'Says yes after five seconds; ten seconds later takes it back and says no.'],
  full: [
    'Rehearsal Full',
    'Says no after five seconds, because it is full; with wait_until, a table becomes free ten seconds later.',
  ],
  closed: ['Rehearsal Closed', 'Has closed for good: requests are refused.'],
} as const;

export type RehearsalPart = keyof typeof VENUES;

interface RehearsalVenue {
  id: string;
  part: RehearsalPart;
  name: string;
  about: string;
}

const REHEARSAL_VENUES: readonly RehearsalVenue[] = Object.entries(VENUES).map(([part, [name, about]]) => ({
  id: PREFIX + part,
  part: part as RehearsalPart,
  name,
  about,
}));

export function listRehearsalVenues(): readonly RehearsalVenue[] {
  return REHEARSAL_VENUES;
}

/** True for the id of a rehearsal venue. The generated column `booking.rehearsal` holds the same. */
export function isRehearsal(placeId: string): boolean {
  return placeId.startsWith(PREFIX);
}

export function findRehearsalVenue(placeId: string): RehearsalVenue | undefined {
  return REHEARSAL_VENUES.find(({ id }) => id === placeId);
}

const ANY_HOUR: ContactHours = { timezone: 'UTC', from: 0, until: 24 * 60, hours: null };
const ANSWER_MS = 2 * MINUTE_MS;

/** Rehearsal venues are asked at any hour, and soon given up. */
export const REHEARSAL_TIMES = { contactHours: ANY_HOUR, answerMs: ANSWER_MS };

export function rehearsalPlace({ id, name, part }: RehearsalVenue): AskablePlace {
  return {
    place: {
      id,
      name,
      address: null,
      country: 'GB',
      languages: ['en'],
      phone: null,
      facts: {},
      hours: null,
      vertical: 'restaurant',
      category: 'restaurant',
      categories: [],
      website: null,
      booking_method: 'request',
      booking_url: null,
      chosen_by_venue: true,
      batch_minutes: 0,
      closed_at: part === 'closed' ? new Date(0) : null,
      removed_at: null,
      removal_reason: null,
    },
    timezone: 'UTC',
    contacts: { messageContacts: [], phone: null, unusable_phone: null, website: null },
    lookups: {},
    sample: false,
  };
}
