import { z } from 'zod';
import { CLOCK_TIME } from '../../../../core/time.ts';
import {
  finishNotification,
  releaseBookingTask,
  takeBookingTask,
  type TakeOutcome,
} from '../../../../bookings/answering/desk-tasks.ts';
import { undoVenueAnswer } from '../../../../bookings/answering/undo-venue-answer.ts';
import { withdrawTable } from '../../../../bookings/answering/upcoming-tables.ts';
import type { VenueAnswerOutcome } from '../../../../bookings/answering/answer-outcome.ts';
import { recordVenueAnswer, type VenueAnswer } from '../../../../bookings/answering/venue-answer.ts';
import { STAFF_CHANNEL } from '../../../../bookings/channels/channels.ts';
import { findBooking } from '../../../../bookings/booking-row.ts';
import type { Booking, BookingStatus } from '../../../../bookings/booking.ts';
import { readKillSwitch } from '../../../../bookings/kill-switch/kill-switch.ts';
import { AppError } from '../../../../core/errors.ts';
import { refuseContacts } from '../../../../core/text/contact/contact-data.ts';
import { text } from '../../../../core/text/text.ts';
import { hiddenInput, textInput, type FormValues } from '../../form/fields.ts';
import { conflict, defineAction, refuse, type ActionContext } from '../../person/action.ts';
import { deskStaff, type Staff } from '../../person/people.ts';
import { statusLabel } from '../bookings/booking-words.ts';

const PATH = '/console/desk/:id';
const BOOKING_ID = /^bkg_[0-9a-hjkmnp-tv-z]{26}$/;
const INVALID = { kind: 'bad', text: 'Some fields are not valid. Nothing was changed.' } as const;

const answerFields = {
  answer: hiddenInput(z.enum(['yes', 'offer', 'no', 'no_answer'])),
  offer_date: textInput(z.union([z.literal(''), z.iso.date('must be a date, such as 2026-11-20')]), {
    label: 'Other day',
    type: 'date',
  }),
  offer_time: textInput(
    z.union([z.literal(''), z.string().regex(CLOCK_TIME, 'must be a time, such as 20:15')]),
    { label: 'Other time', type: 'time', required: true },
  ),
  note: textInput(text(0, 280), { label: 'What the venue adds', maxlength: 280 }),
};

type Answered = FormValues<typeof answerFields>;

/** The desk, with a message about a booking. */
function doneAt(done: string, bookingId: string): string {
  return `/console/desk?done=${done}&booking=${bookingId}`;
}

export const takeDeskCall = defineAction({
  name: 'take_call',
  path: `${PATH}/take`,
  who: deskStaff,
  button: 'Take this call',
  plain: false,
  async run(act) {
    const { id } = await bookingOf(act);
    const claim = await takeBookingTask(act.db, act, { bookingId: id, staffId: act.person.id });
    if (claim.outcome !== 'taken') conflict(takeFailureText(claim));
    act.audit(id);
    return { to: `/console/desk#${id}` };
  },
});

function takeFailureText(claim: Exclude<TakeOutcome, { outcome: 'taken' }>): string {
  return claim.outcome === 'busy'
    ? `${claim.email} is calling there at this moment. Nothing was changed.`
    : 'This call is no longer needed. Nothing was changed.';
}

export const releaseCall = defineAction({
  name: 'put_down_call',
  path: `${PATH}/put-down`,
  who: deskStaff,
  button: 'I am not calling: release it',
  done: 'Somebody else may make this call now.',
  async run(act) {
    const { id } = await bookingOf(act);
    if (await releaseBookingTask(act.db, { bookingId: id, staffId: act.person.id })) act.audit(id);
    else act.unchanged();
    return { to: doneAt('put_down_call', id) };
  },
});

export const markNotified = defineAction({
  name: 'tell_venue',
  path: `${PATH}/told`,
  who: deskStaff,
  button: 'The venue knows',
  plain: false,
  done: 'The venue knows.',
  async run(act) {
    const { id, status, revision } = await bookingOf(act);
    if (!(await finishNotification(act.db, act, { bookingId: id })))
      conflict('The venue need not be informed any more. Nothing was changed.');
    // The venue itself cancels, by telephone, a table that its system still holds.
    const cancelledByVenue = status === 'confirmed' && act.form.get('taken_back') === 'yes';
    if (cancelledByVenue)
      await withdrawTable(act.db, act, { bookingId: id, revision, actor: 'venue', channel: STAFF_CHANNEL });
    act.audit(id, { taken_back: cancelledByVenue });
    return { to: doneAt('tell_venue', id) };
  },
});

export const recordAnswer = defineAction({
  name: 'record_venue_answer',
  path: PATH,
  who: deskStaff,
  fields: answerFields,
  done: {
    booking_yes: 'The venue said yes: the table is booked.',
    booking_offer: "The venue's offer is passed on.",
    booking_no: 'The venue said no. The partner is notified.',
    booking_yes_change: 'The venue said yes: the table is changed.',
    booking_no_change: 'The venue said no: the table stays as it was. The partner is notified.',
    booking_no_answer: 'Nobody answered. The call comes back in half an hour.',
  },
  async run(act, values) {
    refuseInvalidAnswer(values);
    const booking = await bookingOf(act);
    await takeForAnswer(act, booking, values.answer);
    const outcome = await record(act, {
      bookingId: booking.id,
      revision: booking.revision,
      answer: values.answer,
      ...(values.answer === 'offer' && { offer: offerOf(booking, values) }),
      actor: 'desk',
    });
    switch (outcome.outcome) {
      case 'moved':
        return { to: doneAt(doneKey(booking, answeredWith(outcome.status, values.answer)), booking.id) };
      case 'noted':
        return { to: doneAt(`booking_${values.answer}`, booking.id) };
      case 'late':
        // Returns instead of throwing: the late answer is recorded in the booking's timeline, so the transaction must
        // commit.
        act.audit(booking.id, { answer: values.answer, by: 'desk', late: true });
        return { again: { status: 409, notice: { kind: 'bad', text: notAskedText(outcome.status) } } };
      case 'already':
      case 'stale':
        return conflict(notAskedText(outcome.status));
      case 'invalid':
        return refuse({ faults: { offer_time: outcome.detail }, notice: INVALID });
    }
  },
});

/**
 * Picks the confirmation message. A no to a change leaves the guest with the earlier table, and the message must state
 * that.
 */
function doneKey({ held }: Booking, venueAnswer: Answered['answer']): string {
  return held !== null && (venueAnswer === 'yes' || venueAnswer === 'no')
    ? `booking_${venueAnswer}_change`
    : `booking_${venueAnswer}`;
}

/** A time of the requested window, which is entered like an offer, is a yes. */
function answeredWith(status: BookingStatus, answer: Answered['answer']): Answered['answer'] {
  return answer === 'offer' && status === 'confirmed' ? 'yes' : answer;
}

/** Undoes an answer recorded by mistake, like the venue's own undo. The call returns to the list. */
export const undoAnswer = defineAction({
  name: 'undo_venue_answer',
  path: `${PATH}/undo`,
  who: deskStaff,
  button: 'Undo',
  done: 'The answer is undone. The call is on the list again.',
  async run(act) {
    const { id } = await bookingOf(act);
    const { outcome } = await undoVenueAnswer(act.db, act, { bookingId: id, actor: 'desk' });
    if (outcome !== 'moved') conflict('This can no longer be undone. The answer stays.');
    return { to: `${doneAt('undo_venue_answer', id)}#${id}` };
  },
});

/** Declares the cancellation of a table for a venue that cannot keep it, as an action at this path. */
export function cancelForVenueAt(path: string) {
  return defineAction({
    name: 'cancel_for_venue',
    path,
    who: deskStaff,
    help: 'The partner is notified at once that there is no table. This cannot be undone.',
    fields: { revision: hiddenInput(z.coerce.number().int()) },
    button: 'The venue cancels it',
    danger: true,
    done: 'The table is cancelled, and the partner is notified. The venue knows already.',
    async run(act: ActionContext<Staff>, { revision }) {
      const bookingId = act.params['id'] ?? '';
      const withdrawal = { bookingId, revision, actor: 'desk', channel: STAFF_CHANNEL } as const;
      if ((await withdrawTable(act.db, act, withdrawal)) !== 'cancelled')
        conflict(
          'This table has changed since the page was loaded. The page now shows its current state; nothing was changed.',
        );
    },
  });
}

/** The venue has called: a table is free for a guest who waits. */
export const offerFreeTableForVenue = defineAction({
  name: 'offer_free_table',
  path: '/console/bookings/:id/free',
  who: deskStaff,
  help: 'The venue has said that a table at this time is free. The partner has two hours to accept it.',
  fields: { revision: hiddenInput(z.coerce.number().int()) },
  button: 'A table is free: offer it',
  plain: false,
  done: 'The table is offered to the guest. The partner is notified.',
  async run(act, { revision }) {
    const { id } = await bookingOf(act);
    const outcome = await record(act, { bookingId: id, revision, answer: 'free', actor: 'desk' });
    if (outcome.outcome === 'late')
      return { again: { status: 409, notice: { kind: 'bad', text: notAskedText(outcome.status) } } };
    if (outcome.outcome !== 'moved') conflict('The guest no longer waits. Nothing was changed.');
  },
});

/** Records a venue's answer on behalf of the desk. */
function record(act: ActionContext<Staff>, venueAnswer: VenueAnswer): Promise<VenueAnswerOutcome> {
  return recordVenueAnswer(act.db, act, { ...venueAnswer, channel: STAFF_CHANNEL });
}

function notAskedText(status: BookingStatus): string {
  return `This request is no longer open. The status of the booking is: ${statusLabel(status)}.`;
}

function refuseInvalidAnswer({ answer: venueAnswer, offer_time, note }: Answered): void {
  if (venueAnswer === 'offer' && offer_time === '')
    refuse({ faults: { offer_time: 'This must not be empty.' }, notice: INVALID });
  try {
    // The venue's note is passed on to the partner, so it must not contain contact data.
    refuseContacts({ note });
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    const fault = 'This must not contain an address, a number, a link or a handle.';
    refuse({ faults: { note: fault }, notice: INVALID });
  }
}

function offerOf(booking: Booking, { offer_date, offer_time, note }: Answered) {
  return {
    date: offer_date === '' ? booking.date : offer_date,
    time: offer_time,
    ...(note !== '' && { note }),
  };
}

/**
 * Claims the call for the person who records its answer, so that two people never call the same venue. The kill switch
 * stops a table booked by the desk like any other booking, but a no is recorded even then.
 */
async function takeForAnswer(
  act: ActionContext<Staff>,
  { id }: Booking,
  venueAnswer: Answered['answer'],
): Promise<void> {
  const isRefusal = venueAnswer === 'no' || venueAnswer === 'no_answer';
  if (isRefusal && (await readKillSwitch(act.db)).on) return;
  const claim = await takeBookingTask(act.db, act, { bookingId: id, staffId: act.person.id });
  if (claim.outcome === 'busy') conflict(takeFailureText(claim));
}

async function bookingOf({ db, params: { id = '' } }: ActionContext<Staff>): Promise<Booking> {
  const booking = BOOKING_ID.test(id) ? await findBooking(db, id) : undefined;
  if (booking === undefined)
    throw new AppError('booking_not_found', 'There is no booking with this id.', {
      hint: 'Look for it at /console/bookings.',
    });
  return booking;
}
