import { readApplications } from '../../../accounts/partners/partner-application.ts';
import { bookingAnswer, bookingAnswers, type BookingAnswer } from '../../../bookings/booking-answer.ts';
import { findBooking } from '../../../bookings/booking-row.ts';
import { STATUSES } from '../../../bookings/booking.ts';
import { listBookings } from '../../../bookings/request/list-bookings.ts';
import { termSentences } from '../../../bookings/terms/term-words.ts';
import { AppError } from '../../../core/errors.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { listDeliveriesOf } from '../../../webhooks/delivery-state.ts';
import { ACTOR_LABELS, formatTable, statusBadges, statusLabel } from '../console/bookings/booking-words.ts';
import { filterForm, hasFilters, readFilters } from '../console/list-page.ts';
import { formatTime } from '../console/moment.ts';
import { deliveryWords } from '../delivery-words.ts';
import { badge, card, emptyState, link, userText } from '../frame/components.ts';
import { definitionList } from '../frame/definition-list.ts';
import { nextPage } from '../frame/next-page.ts';
import { recordTable } from '../frame/table.ts';
import { sentenceCase } from '../frame/wording.ts';
import { actionForm } from '../form/action-form.ts';
import { defineAction } from '../person/action.ts';
import { definePage, ofAccount } from '../person/page.ts';
import { partner } from '../person/people.ts';
import {
  APPLICATION_DONE,
  applicationCard,
  applicationLimit,
  applicationReason,
  sendApplication,
} from './application-section.ts';

const PATH = '/partner/bookings';
const PAGE_SIZE = 50;

const FILTERS = {
  status: {
    label: 'State',
    choices: [['', 'All'], ...STATUSES.map((status) => [status, statusLabel(status)] as const)] as const,
  },
};

const applyForBookings = defineAction({
  name: 'partner_apply_for_bookings',
  path: PATH,
  who: partner,
  title: 'Apply for table requests',
  help: 'Our staff switch them on for your key. Until then your program can try everything at the rehearsal venues.',
  fields: {
    reason: applicationReason(
      'What you want to book',
      'Who your guests are, and roughly how many tables a month you expect.',
    ),
  },
  rateLimits: [applicationLimit],
  button: 'Apply',
  done: { ...APPLICATION_DONE, on: 'Table requests are already switched on for your key.' },
  run(act, { reason }) {
    if (act.person.bookings_enabled) {
      act.unchanged();
      return Promise.resolve({ done: 'on' });
    }
    return sendApplication(act, reason, null);
  },
});

/** The partner's bookings, the newest first. */
export const partnerBookingsPage = definePage({
  path: PATH,
  ...ofAccount(partner),
  nav: { label: 'Bookings' },
  async load({ deps: { pool }, person, query }) {
    const filter = readFilters(query, FILTERS);
    const bookings = await listBookings(pool, {
      partnerId: person.id,
      status: filter.status,
      createdFrom: person.bookings_from ?? undefined,
      before: query.get('before') ?? undefined,
      limit: PAGE_SIZE + 1,
    });
    const answers = await bookingAnswers(pool, bookings.slice(0, PAGE_SIZE));
    const { bookings: application } = await readApplications(pool, person.id);
    return { filter, answers, application, more: bookings.length > PAGE_SIZE };
  },
  view: (req, { filter, answers, application, more }, state) => ({
    title: 'Bookings',
    lead: req.person.bookings_enabled
      ? 'Table requests are switched on for your key. Times are those of the venue.'
      : html`Table requests are not switched on for your key yet.
          <a href="/partner/keys#rehearse">Rehearsal venues</a> work with every key.`,
    body: html`${!req.person.bookings_enabled && application !== undefined && applicationCard(application)}
    ${
      !req.person.bookings_enabled &&
      application?.state !== 'open' &&
      actionForm(req, applyForBookings, state)
    }
    ${(answers.length > 0 || hasFilters(filter)) && filterForm(PATH, FILTERS, filter)}
    ${
      answers.length === 0
        ? hasFilters(filter)
          ? emptyState('No bookings', 'No booking is in this state. Choose all states to see the others.')
          : emptyState(
              'No bookings',
              'A table that your program requests appears here, with everything that happens to it.',
            )
        : html`${bookingTable(answers)}
          ${nextPage(PATH, more && { ...filter, before: answers.at(-1)?.booking_id }, 'Older')}`
    }`,
  }),
  actions: [applyForBookings],
});

function bookingTable(answers: readonly BookingAnswer[]): Html {
  return recordTable('dense stack rows', answers, [
    ['Table', (one) => link(`${PATH}/${one.booking_id}`, tableOf(one))],
    ['State', (one) => stateOf(one)],
    ['Venue', ({ place }) => userText(place.name ?? 'A place that is no longer listed'), 'venue'],
    ['Changed', ({ updated_at }) => formatTime(new Date(updated_at)), 'changed'],
  ]);
}

function stateOf({ status, waiting }: BookingAnswer): Html {
  return statusBadges({ status, frozenAt: null }, { waiting: waiting !== null });
}

function tableOf({ date, time, party_size: partySize }: BookingAnswer): string {
  return formatTable({ date, time, partySize });
}

/** One booking with its timeline and the webhooks about it. */
export const partnerBookingPage = definePage({
  path: `${PATH}/:id`,
  ...ofAccount(partner),
  async load({ deps: { pool }, person, params: { id = '' } }) {
    const booking = /^bkg_[0-9a-z]{26}$/.test(id) ? await findBooking(pool, id) : undefined;
    const from = person.bookings_from;
    if (booking?.partnerId !== person.id || (from !== null && booking.createdAt < from))
      throw new AppError('booking_not_found', 'You have no booking with this id.');
    const [answer, deliveries] = await Promise.all([
      bookingAnswer(pool, booking),
      listDeliveriesOf(pool, { partnerId: person.id, bookingId: id }),
    ]);
    return { answer, deliveries: new Map(deliveries.map((delivery) => [delivery.sequence, delivery])) };
  },
  view: (_req, { answer, deliveries }) => ({
    title: `Table on ${tableOf(answer)}`,
    lead: html`${stateOf(answer)} <code>${answer.booking_id}</code>`,
    body: html`${card(
        'The booking',
        definitionList('record', [
          ['Venue', userText(answer.place.name ?? 'A place that is no longer listed')],
          ['Time zone', answer.place.timezone],
          ['Name', userText(answer.for.name)],
          ['Note', answer.notes !== null && userText(answer.notes)],
          ['Reference of the venue', answer.confirmation?.ref != null && userText(answer.confirmation.ref)],
          ['Terms of the venue', termSentences(answer.table_terms).join(' ') || null],
          ['Reason', answer.reason !== null && sentenceCase(answer.reason)],
          [
            'The venue answers by',
            answer.waiting === null && answer.answer_by !== null && formatTime(new Date(answer.answer_by)),
          ],
          [
            'Waits for a free table until',
            answer.waiting !== null &&
              html`${formatTime(new Date(answer.waiting.until))}, ${answer.waiting.ahead} ahead`,
          ],
          [
            'Offers',
            answer.offers.length > 0 &&
              answer.offers.map(
                ({ date, time, party_size: partySize }) =>
                  html`${formatTable({ date, time, partySize })}<br />`,
              ),
          ],
        ]),
      )}
      ${card(
        'Timeline',
        recordTable('dense stack', answer.timeline, [
          ['What happened', ({ text, event }) => (text === '' ? sentenceCase(event) : text)],
          ['When', ({ at }) => formatTime(new Date(at)), 'when'],
          ['State', ({ to }) => badge('', statusLabel(to)), 'state'],
          ['By', ({ actor }) => ACTOR_LABELS[actor], 'by'],
          [
            'Webhook',
            ({ sequence, from, to }) => {
              const delivery = deliveries.get(sequence);
              if (delivery === undefined)
                return from === to ? 'none: the state is the same' : 'none: no address was set';
              return html`${deliveryWords(delivery)}
              ${link(`/partner/webhook/deliveries/${delivery.delivery_id}`, 'Look at it')}`;
            },
            'webhook',
          ],
        ]),
      )}
      <p><a href="${PATH}">All bookings</a></p>`,
  }),
});
