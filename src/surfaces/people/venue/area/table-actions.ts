import { z } from 'zod';
import { withdrawTable } from '../../../../bookings/answering/upcoming-tables.ts';
import { undoVenueAnswer } from '../../../../bookings/answering/undo-venue-answer.ts';
import { recordVenueAnswer } from '../../../../bookings/answering/venue-answer.ts';
import { isChannelKind } from '../../../../bookings/channels/channels.ts';
import { findBooking } from '../../../../bookings/booking-row.ts';
import type { Booking } from '../../../../bookings/booking.ts';
import { conflict, refuse, type Action, type ActionContext } from '../../person/action.ts';
import { venue, type Venue } from '../../person/people.ts';
import { ANSWER_PATH, TABLES_PATH, UNDO_PATH } from './request-cards.ts';

const CHANGED_MEANWHILE =
  'This table has changed since the page was loaded. The page now shows its current state; nothing was changed.';

const TOO_LATE = 'This request is no longer open. Your answer is recorded, and nothing else was changed.';

const cancelFields = z.object({ booking: z.string().max(40), revision: z.coerce.number().int() });
const undoFields = z.object({ booking: z.string().max(40) });
const answerFields = cancelFields.extend({
  answer: z.enum(['yes', 'no', 'offer']),
  offer_date: z.union([z.literal(''), z.iso.date('must be a date, such as 2026-11-20')]),
  offer_time: z.union([
    z.literal(''),
    z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time, such as 20:15'),
  ]),
});

/** Actions of a venue on its tables. They call the same functions as the link in a message. */
export function tableActions(page: NonNullable<Action<Venue>['page']>) {
  const cancel: Action<Venue, typeof cancelFields> = {
    name: 'cancel_table',
    path: TABLES_PATH,
    who: venue,
    form: cancelFields,
    async run(act, { booking: bookingId, revision }) {
      const placeId = act.person.place.id;
      const withdrawal = { bookingId, revision, placeId, actor: 'venue', channel: null } as const;
      if ((await withdrawTable(act.db, act, withdrawal)) !== 'cancelled') conflict(CHANGED_MEANWHILE);
      return { to: `${TABLES_PATH}?done=cancelled` };
    },
    page,
  };

  const answer: Action<Venue, typeof answerFields> = {
    name: 'record_venue_answer',
    path: ANSWER_PATH,
    who: venue,
    form: answerFields,
    async run(act, { booking: id, revision, answer: venueAnswer, offer_date, offer_time }) {
      const booking = await ownBooking(act, id);
      // The venue's own booking system answers this request: a second answer would create a second table.
      if (isChannelKind(booking.channel, 'system')) conflict(CHANGED_MEANWHILE);
      const offer = { time: offer_time, ...(offer_date !== '' && { date: offer_date }) };
      const outcome = await recordVenueAnswer(act.db, act, {
        bookingId: id,
        revision,
        answer: venueAnswer,
        actor: 'venue',
        ...(venueAnswer === 'offer' && { offer }),
      });
      if (outcome.outcome === 'invalid') refuse({ faults: { offer_time: outcome.detail } });
      if (outcome.outcome === 'already') act.unchanged();
      // Returns instead of throwing: the late answer is recorded in the booking's timeline, so the transaction must
      // commit.
      else if (outcome.outcome === 'late')
        return { again: { status: 409, notice: { kind: 'bad', text: TOO_LATE } } };
      else if (outcome.outcome !== 'moved') conflict(CHANGED_MEANWHILE);
      const change = booking.held !== null && venueAnswer !== 'offer';
      return { to: `${TABLES_PATH}?done=${venueAnswer}${change ? '_change' : ''}` };
    },
    page,
  };

  const undo: Action<Venue, typeof undoFields> = {
    name: 'undo_venue_answer',
    path: UNDO_PATH,
    who: venue,
    form: undoFields,
    async run(act, { booking: bookingId }) {
      await ownBooking(act, bookingId);
      const { outcome } = await undoVenueAnswer(act.db, act, { bookingId });
      if (outcome !== 'moved') conflict('This can no longer be undone. Your answer stays.');
      return { to: `${TABLES_PATH}?done=undone` };
    },
    page,
  };

  return [cancel, answer, undo] as const;
}

/** Finds a booking and refuses one of another venue. */
async function ownBooking({ db, person }: ActionContext<Venue>, id: string): Promise<Booking> {
  const booking = await findBooking(db, id);
  return booking?.placeId === person.place.id ? booking : conflict(CHANGED_MEANWHILE);
}
