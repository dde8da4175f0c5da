import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { refuseContacts } from '../../../../core/text/contact-data.ts';
import {
  finishTelling,
  putDownBookingTask,
  takeBookingTask,
  type TakeOutcome,
} from '../../../../bookings/answering/desk-tasks.ts';
import { findBooking } from '../../../../bookings/booking-row.ts';
import type { Booking } from '../../../../bookings/booking.ts';
import { readKillSwitch } from '../../../../bookings/upkeep/kill-switch.ts';
import { recordVenueAnswer, type AnswerOutcome } from '../../../../bookings/answering/venue-answer.ts';
import type { Deps } from '../../../../core/context.ts';
import { AppError } from '../../../../core/errors.ts';
import { text } from '../../../../core/text/text.ts';
import { readFields } from '../../form/read-fields.ts';
import { consoleRoute, DESK, type PageRequest } from '../console-route.ts';
import { sendDeskPage } from './desk-page.ts';

const BOOKING_ID = /^bkg_[0-9a-hjkmnp-tv-z]{26}$/;

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
  const post = (path: string, handle: (visit: PageRequest) => Promise<FastifyReply>) => {
    consoleRoute(scope, deps, { method: 'POST', path: `/console/desk/:id${path}`, roles: DESK, handle });
  };
  post('', answer);
  post('/take', take);
  post('/put-down', putDown);
  post('/told', told);
}

async function take(visit: PageRequest): Promise<FastifyReply> {
  const { id } = await bookingOf(visit);
  const taken = await takeBookingTask(visit.deps, { bookingId: id, staffId: visit.staff.id });
  if (taken.outcome === 'taken') return visit.reply.redirect(`/console/desk#${id}`, 303);
  return refuse(visit, 409, wordsFor(taken));
}

function wordsFor(taken: Exclude<TakeOutcome, { outcome: 'taken' }>): string {
  return taken.outcome === 'busy'
    ? `${taken.email} is calling there at this moment. Nothing was changed.`
    : 'There is nothing to call about any more. Nothing was changed.';
}

async function putDown(visit: PageRequest): Promise<FastifyReply> {
  const { id } = await bookingOf(visit);
  await putDownBookingTask(visit.deps, { bookingId: id, staffId: visit.staff.id });
  return visit.reply.redirect('/console/desk?done=put_down', 303);
}

async function told(visit: PageRequest): Promise<FastifyReply> {
  const { deps, form, staff, reply } = visit;
  const { id, status, revision } = await bookingOf(visit);
  const done = await finishTelling(deps, { bookingId: id });
  if (done.outcome === 'gone')
    return refuse(visit, 409, 'There is nothing to tell any more. Nothing was changed.');
  // A table that the venue's system kept is given back by the venue itself, on the phone.
  if (status === 'confirmed' && form.get('taken_back') === 'yes')
    await recordVenueAnswer(deps, {
      bookingId: id,
      revision,
      answer: 'no',
      actor: 'venue',
      channel: 'desk',
      staffId: staff.id,
    });
  return reply.redirect('/console/desk?done=told', 303);
}

async function answer(visit: PageRequest): Promise<FastifyReply> {
  const booking = await bookingOf(visit);
  const read = readFields(visit.form, answerFields);
  const faults = read.ok ? faultsOf(read.values) : read.faults;
  if (!read.ok || Object.keys(faults).length > 0) return refuseFields(visit, booking.id, faults);
  const values = read.values;
  const elsewhere = await takeForAnswer(visit, booking, values.answer);
  if (elsewhere !== undefined) return refuse(visit, 409, elsewhere);
  const outcome = await recordVenueAnswer(visit.deps, {
    bookingId: booking.id,
    revision: booking.revision,
    answer: values.answer,
    ...(values.answer === 'offer' && { offer: offerOf(booking, values) }),
    actor: 'desk',
    channel: 'desk',
    staffId: visit.staff.id,
  });
  return afterAnswer(visit, booking, values, outcome);
}

function faultsOf({ answer: given, offer_time, note }: Answered): Record<string, string> {
  if (given === 'offer' && offer_time === '') return { offer_time: 'This must not be empty.' };
  try {
    // What the venue adds goes to the partner, and no contact does.
    refuseContacts({ note });
    return {};
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return { note: 'This must not hold an address, a number, a link or a handle.' };
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
  { deps, staff }: PageRequest,
  booking: Booking,
  given: Answered['answer'],
): Promise<string | undefined> {
  const hears = given === 'no' || given === 'no_answer';
  if (hears && (await readKillSwitch(deps.pool)).on) return undefined;
  const taken = await takeBookingTask(deps, { bookingId: booking.id, staffId: staff.id });
  return taken.outcome === 'busy' ? wordsFor(taken) : undefined;
}

async function afterAnswer(
  visit: PageRequest,
  booking: Booking,
  values: Answered,
  outcome: AnswerOutcome,
): Promise<FastifyReply> {
  switch (outcome.outcome) {
    case 'moved':
    case 'noted':
      return visit.reply.redirect(`/console/desk?done=booking_${values.answer}`, 303);
    case 'already':
    case 'late':
      return refuse(visit, 409, `This is no longer asked: the booking is ${outcome.status}.`);
    case 'invalid':
      return refuseFields(visit, booking.id, { offer_time: outcome.detail });
  }
}

async function bookingOf({ deps, request }: PageRequest): Promise<Booking> {
  const { id } = request.params as { id: string };
  const booking = BOOKING_ID.test(id) ? await findBooking(deps.pool, id) : undefined;
  if (booking === undefined) throw new AppError('booking_not_found', 'There is no booking of this id.');
  return booking;
}

function refuse(visit: PageRequest, status: number, words: string): Promise<FastifyReply> {
  return sendDeskPage(
    { ...visit, reply: visit.reply.code(status) },
    { notice: { kind: 'bad', text: words } },
  );
}

function refuseFields(
  visit: PageRequest,
  bookingId: string,
  faults: Record<string, string>,
): Promise<FastifyReply> {
  const words =
    faults['answer'] === undefined
      ? 'Some fields are not valid. Nothing was changed.'
      : 'Say what the venue answered: yes, offer, no or no_answer.';
  return sendDeskPage(
    { ...visit, reply: visit.reply.code(422) },
    { notice: { kind: 'bad', text: words }, answered: { bookingId, form: visit.form, faults } },
  );
}
