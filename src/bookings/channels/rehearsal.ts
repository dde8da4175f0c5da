import { addJob } from '../../jobs/add-job.ts';
import { isRehearsal } from '../rehearsal/rehearsal-venue.ts';
import type { Channel } from './channel.ts';

/** Time until a rehearsal venue answers. */
const ANSWERS_AFTER_MS = 5_000;

/** The channel of the rehearsal venues, which answer by a job: nothing leaves the service. */
export const rehearsal: Channel = {
  name: 'rehearsal',
  kind: 'message',
  sentence: 'A rehearsal venue, which answers by itself.',
  shownAs: {
    name: 'rehearsal',
    sentence: 'A rehearsal venue, which answers by itself.',
    how: 'A rehearsal venue: it answers by itself, and nobody is contacted.',
  },
  label: 'Rehearsal',
  askedText: 'The rehearsal venue was asked.',
  contact: ({ place }) => (isRehearsal(place.id) ? null : undefined),
  async ask(_deps, { booking, revision }, db) {
    await addJob(
      db,
      'rehearse',
      { booking_id: booking.id, revision, act: 'answer' },
      { key: `rehearse/${booking.id}`, delayMs: ANSWERS_AFTER_MS },
    );
    return { outcome: 'asked' };
  },
  async tell(_deps, { booking, revision, purpose }, db) {
    if (purpose === 'message')
      await addJob(
        db,
        'rehearse',
        { booking_id: booking.id, revision, act: 'seen' },
        { key: `rehearse/${booking.id}/seen`, delayMs: ANSWERS_AFTER_MS },
      );
    return { outcome: 'told' };
  },
};
