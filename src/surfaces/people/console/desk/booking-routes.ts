import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  finishTelling,
  putDownBookingTask,
  takeBookingTask,
  type TakeOutcome,
} from '../../../../bookings/answering/desk-tasks.ts';
import { undoVenueAnswer } from '../../../../bookings/answering/undo-venue-answer.ts';
import { withdrawTable } from '../../../../bookings/answering/standing-tables.ts';
import {
  recordVenueAnswer,
  type AnswerOutcome,
  type VenueAnswer,
} from '../../../../bookings/answering/venue-answer.ts';
import { findBooking } from '../../../../bookings/booking-row.ts';
import type { Booking, BookingStatus } from '../../../../bookings/booking.ts';
import { readKillSwitch } from '../../../../bookings/upkeep/kill-switch.ts';
import type { Deps } from '../../../../core/context.ts';
import { AppError } from '../../../../core/errors.ts';
import { refuseContacts } from '../../../../core/text/contact/contact-data.ts';
import { text } from '../../../../core/text/text.ts';
import { conflict, refuse, type Action, type ActionContext } from '../../person/action.ts';
import { DESK, staff, type Staff } from '../../person/people.ts';
import { addActions } from '../../person/person-route.ts';
import { statusWord } from '../bookings/booking-words.ts';
import { sendDeskPage } from './desk-page.ts';

const PATH = '/console/desk/:id';
const who = staff(DESK);
const BOOKING_ID = /^bkg_[0-9a-hjkmnp-tv-z]{26}$/;
const INVALID = { kind: 'bad', text: 'Some fields are not valid. Nothing was changed.' } as const;

const answerFields = z.object({
  answer: z.enum(['yes', 'offer', 'no', 'no_answer']),
  offer_date: z.union([z.literal(''), z.iso.date('must be a date, such as 2026-11-20')]),
  offer_time: z.union([
    z.literal(''),
    z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time, such as 20:15'),
  ]),
  note: text(0, 280),
});

type Answered = z.output<typeof answerFields>;

/** What a person at the desk does about tables: take a call, write down what the venue said, put the call down. */
export function addBookingDesk(scope: FastifyInstance, deps: Deps): void {
  addActions(scope, deps, answer, undo, take, putDown, tell);
}

const take: Action<Staff> = {
  name: 'take_call',
  path: `${PATH}/take`,
  who,
  async run(act) {
    const { id } = await bookingOf(act);
    const taken = await takeBookingTask(act.db, act, { bookingId: id, staffId: act.person.id });
    if (taken.outcome !== 'taken') conflict(wordsFor(taken));
    act.audit(id);
    return { to: `/console/desk#${id}` };
  },
  page: sendDeskPage,
};

function wordsFor(taken: Exclude<TakeOutcome, { outcome: 'taken' }>): string {
  return taken.outcome === 'busy'
    ? `${taken.email} is calling there at this moment. Nothing was changed.`
    : 'There is nothing to call about any more. Nothing was changed.';
}

const putDown: Action<Staff> = {
  name: 'put_down_call',
  path: `${PATH}/put-down`,
  who,
  async run(act) {
    const { id } = await bookingOf(act);
    if (await putDownBookingTask(act.db, { bookingId: id, staffId: act.person.id })) act.audit(id);
    else act.unchanged();
    return { to: '/console/desk?done=put_down' };
  },
  page: sendDeskPage,
};

const tell: Action<Staff> = {
  name: 'tell_venue',
  path: `${PATH}/told`,
  who,
  async run(act) {
    const { id, status, revision } = await bookingOf(act);
    if (!(await finishTelling(act.db, act, { bookingId: id })))
      conflict('There is nothing to tell any more. Nothing was changed.');
    // A table that the venue's system kept is given back by the venue itself, on the phone.
    const takenBack = status === 'confirmed' && act.form.get('taken_back') === 'yes';
    if (takenBack)
      await withdrawTable(act.db, act, { bookingId: id, revision, actor: 'venue', channel: 'desk' });
    act.audit(id, { taken_back: takenBack });
    return { to: '/console/desk?done=told' };
  },
  page: sendDeskPage,
};

const answer: Action<Staff, typeof answerFields> = {
  name: 'record_venue_answer',
  path: PATH,
  who,
  form: answerFields,
  async run(act, values) {
    refuseUnclear(values);
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
        return { to: `/console/desk?done=${doneOf(booking, values.answer)}&booking=${booking.id}` };
      case 'noted':
        return { to: `/console/desk?done=booking_${values.answer}` };
      case 'late':
        // It stays in the booking's timeline, so this is not undone.
        act.audit(booking.id, { answer: values.answer, by: 'desk', late: true });
        return { again: { status: 409, notice: { kind: 'bad', text: notAsked(outcome.status) } } };
      case 'already':
      case 'stale':
        return conflict(notAsked(outcome.status));
      case 'invalid':
        return refuse({ faults: { offer_time: outcome.detail }, notice: INVALID });
    }
  },
  page: sendDeskPage,
};

/** A no to a change leaves the guest the table of before, and the desk should not think otherwise. */
function doneOf({ held }: Booking, given: Answered['answer']): string {
  return held !== null && (given === 'yes' || given === 'no')
    ? `booking_${given}_change`
    : `booking_${given}`;
}

/** A slip of the hand is taken back like the venue's own; the call then stands on the list again. */
const undo: Action<Staff> = {
  name: 'undo_venue_answer',
  path: `${PATH}/undo`,
  who,
  async run(act) {
    const { id } = await bookingOf(act);
    const { outcome } = await undoVenueAnswer(act.db, act, { bookingId: id, actor: 'desk' });
    if (outcome !== 'moved') conflict('This can no longer be taken back. The answer stands.');
    return { to: `/console/desk?done=booking_undone#${id}` };
  },
  page: sendDeskPage,
};

/** The one place where the desk records what a venue said. */
function record(act: ActionContext<Staff>, given: VenueAnswer): Promise<AnswerOutcome> {
  return recordVenueAnswer(act.db, act, { ...given, channel: 'desk' });
}

function notAsked(status: BookingStatus): string {
  return `This is no longer asked. The booking stands at: ${statusWord(status)}.`;
}

function refuseUnclear({ answer: given, offer_time, note }: Answered): void {
  if (given === 'offer' && offer_time === '')
    refuse({ faults: { offer_time: 'This must not be empty.' }, notice: INVALID });
  try {
    // What the venue adds goes to the partner, and no contact does.
    refuseContacts({ note });
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    const fault = 'This must not hold an address, a number, a link or a handle.';
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
 * Two people never call twice, so an answer belongs to whoever has the call. A table that a person at the desk gets is a
 * booking too, and halted like any other; a no is heard all the same.
 */
async function takeForAnswer(
  act: ActionContext<Staff>,
  { id }: Booking,
  given: Answered['answer'],
): Promise<void> {
  const hears = given === 'no' || given === 'no_answer';
  if (hears && (await readKillSwitch(act.db)).on) return;
  const taken = await takeBookingTask(act.db, act, { bookingId: id, staffId: act.person.id });
  if (taken.outcome === 'busy') conflict(wordsFor(taken));
}

async function bookingOf({ db, params: { id = '' } }: ActionContext<Staff>): Promise<Booking> {
  const booking = BOOKING_ID.test(id) ? await findBooking(db, id) : undefined;
  if (booking === undefined) throw new AppError('booking_not_found', 'There is no booking of this id.');
  return booking;
}
