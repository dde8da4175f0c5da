import { wordsForVenue } from '../../../../bookings/asking/venue-words.ts';
import {
  readBookingRecord,
  type BookingRecord,
  type RecordedAsk,
} from '../../../../bookings/booking-roster.ts';
import { listBookingTasks, type BookingTask } from '../../../../bookings/answering/desk-tasks.ts';
import { answerUndoableUntil } from '../../../../bookings/answering/undo-venue-answer.ts';
import { previewBookingState } from '../../../../bookings/asking/read-booking-state.ts';
import type { BookingState } from '../../../../bookings/asking/next-step.ts';
import type { BookingOffer } from '../../../../bookings/booking-row.ts';
import { choiceAnswers, type ChoiceAnswer } from '../../../../bookings/choices/choice-answer.ts';
import { channelNamed, isChannelKind } from '../../../../bookings/channels/channels.ts';
import { isWaiting } from '../../../../bookings/waiting/waiting.ts';
import { AppError } from '../../../../core/errors.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { deliveryWords } from '../../delivery-words.ts';
import type { StreetMap } from '../../../../streets/street-tiles.ts';
import { pointMap, showsStreets } from '../../traveller/map/street-figure.ts';
import { badge, card, link, softText, userText, type StateBadges } from '../../frame/components.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { recordTable } from '../../frame/table.ts';
import { sentenceCase } from '../../frame/wording.ts';
import type { PageRequest } from '../../person/page-request.ts';
import { definePage } from '../../person/page.ts';
import { allStaff, deskStaff, reviewers, type Staff } from '../../person/people.ts';
import { offerFreeTableForVenue } from '../desk/booking-actions.ts';
import { bookingCard } from '../desk/booking-card.ts';
import { formatOnBothClocks, formatTime } from '../moment.ts';
import { actionSection, cancelForVenue, redeliver } from './record-actions.ts';
import { deadlineWords, nextStepWords, turnWords } from './step-words.ts';
import { ACTOR_LABELS, forDesk, formatTable, partnerLink, statusBadges, venueLink } from './booking-words.ts';

/** One booking: the request, its status and its timeline. */
export const bookingPage = definePage({
  path: '/console/bookings/:id',
  follows: ({ params }) => [params['id'] ?? ''],
  who: allStaff,
  async load({ deps, now, params: { id = '' } }) {
    const { pool } = deps;
    const [record, streets] = await Promise.all([readBookingRecord(pool, id), deps.streets.look()]);
    if (record === undefined)
      throw new AppError('booking_not_found', 'There is no booking with this id.', {
        hint: 'Look for it at /console/bookings.',
      });
    const [state, [call], undoUntil, choiceOf] = await Promise.all([
      previewBookingState(deps, pool, record.booking),
      listBookingTasks(pool, now, 1, id),
      answerUndoableUntil(pool, record.booking, { now, actor: 'desk' }),
      choiceAnswers(pool, [record.booking]),
    ]);
    return { ...record, streets, state, call, undoUntil, choice: choiceOf(record.booking) };
  },
  view: (req, record, state) => ({
    title: `Table on ${formatTable(record.booking)}`,
    lead: html`<span class="letter-head"
      >${statusBadges(record.booking, { waiting: isWaiting(record.booking) })}
      <code>${record.booking.id}</code> ${relatedLinks(req, record)}</span
    >`,
    scripts: ['street-map.js'],
    body: html`<div class="columns">
        <div class="flow">${statusSection(req, record)} ${factsSection(req, record)}</div>
        <div class="flow">
          ${actionSection(req, record, state)} ${questionSection(req, record)} ${whereSection(record)}
        </div>
      </div>
      ${callSection(req, record.call)} ${timelineSection(record)} ${contactAttemptSection(record)}
      ${offerSection(record)}`,
  }),
  actions: [cancelForVenue, offerFreeTableForVenue, redeliver],
});

function relatedLinks({ person }: PageRequest<Staff>, { booking: { id }, asks }: BookingRecord): Html {
  const onDeskList = asks.some(
    ({ channel, state }) => isChannelKind(channel, 'staff') && state === 'waiting',
  );
  return html`${onDeskList && link(`/console/desk#${id}`, "On the desk's list")}
  ${link(`/console/outbox?subject_id=${id}`, 'Messages')}
  ${reviewers.allows(person) && link(`/console/audit?subject=${id}`, 'Audit log')}`;
}

type WithChoice = BookingRecord & { choice: ChoiceAnswer | null };

/** Lists the venues that were requested in order, with the state of each. */
function choiceList({ venues, position }: ChoiceAnswer): Html {
  return html`<ol>
    ${venues.map(({ place_id: id, name, booking_id: booking, status, refusal, ...venue }) => {
      const words = sentenceCase(status ?? refusal ?? 'not_asked');
      const state =
        booking === null || venue.position === position ? words : link(`/console/bookings/${booking}`, words);
      return html`<li>${venueLink(id, name)}: ${state}</li>`;
    })}
  </ol>`;
}

function factsSection({ person }: PageRequest<Staff>, record: WithChoice): Html {
  const { booking, choice, placeName, partnerName } = record;
  const { guestName, notes, held, memberId } = booking;
  return card(
    'The request',
    definitionList('record', [
      ['Venue', venueLink(booking.placeId, placeName)],
      [
        'Table',
        html`${formatTable(booking)} ${softText(`${booking.timezone}, `)}${formatTime(booking.tableAt)}`,
      ],
      ['Held meanwhile', held && formatTable(held)],
      ['First of these that says yes', choice && choiceList(choice)],
      ['Waits for a free table until', booking.waitUntil && formatTime(booking.waitUntil)],
      ['Name', forDesk(person, userText(guestName))],
      ['Note', notes && forDesk(person, userText(notes))],
      ['For', memberId === null ? 'a guest of the partner' : html`member <code>${memberId}</code>`],
      ['Partner', partnerLink(booking.partnerId, partnerName)],
      ['Asked for', formatTime(booking.createdAt)],
    ]),
  );
}

/** Shows the question in the language of the venue, to people who may read what the guest wrote. */
function questionSection({ deps, person }: PageRequest<Staff>, record: BookingRecord): Html | false {
  if (!deskStaff.allows(person)) return false;
  const { booking, placeName, language } = record;
  const purpose = booking.held === null ? 'new' : 'change';
  return card(
    'The question, as the venue reads it',
    html`<blockquote class="script" lang="${language.code}">
      <p>
        ${wordsForVenue({ service: deps.config.serviceName, place: placeName }, purpose, booking, booking, language)}
      </p>
    </blockquote>`,
  );
}

/** Shows the desk's call about the booking, with its forms; false when there is none. */
function callSection(req: PageRequest<Staff>, call: BookingTask | undefined): Html | false {
  if (call === undefined) return false;
  return html`<ul class="letters">
    ${bookingCard(req, call, {}, { withLink: false })}
  </ul>`;
}

function statusSection(
  { now }: PageRequest<Staff>,
  { booking, state }: BookingRecord & { state: BookingState },
): Html {
  const { answerBy, confirmation, reason, frozenAt, revision, timezone, updatedAt } = booking;
  const deadline = deadlineWords(booking, now);
  return card(
    'Status',
    definitionList('record', [
      ['Status', statusBadges(booking, { waiting: isWaiting(booking) })],
      ['Whose turn', turnWords(booking, now) ?? null],
      ['Next step', nextStepWords(state) ?? null],
      ['Way', channelNamed(booking.channel).label],
      [
        'Answer by',
        answerBy &&
          html`${formatOnBothClocks(answerBy, timezone)}
          ${deadline !== undefined && softText(`(${deadline})`)}`,
      ],
      ["Venue's clock", formatOnBothClocks(now, timezone)],
      [
        'Confirmed',
        confirmation &&
          html`${formatOnBothClocks(confirmation.at, timezone)}, by:
          ${ACTOR_LABELS[confirmation.by].toLowerCase()}`,
      ],
      ['Reference', confirmation?.ref ? userText(confirmation.ref) : null],
      ['Reason', reason && userText(sentenceCase(reason))],
      ['Stopped', frozenAt && html`since ${formatTime(frozenAt)}, with all other requests`],
      ['Change', revision > 1 && `${revision - 1} so far`],
      ['Last moved', formatOnBothClocks(updatedAt, timezone)],
    ]),
  );
}

/** Shows the streets around the venue, for a guest or a driver who cannot find it. */
function whereSection({ point, streets, placeName }: BookingRecord & { streets: StreetMap | undefined }) {
  if (point === undefined || !showsStreets(streets, point)) return false;
  const label = `The streets around ${placeName ?? 'the venue'}`;
  return card('Where it is', pointMap({ map: streets, point, label }));
}

/** Lists the booking's timeline in order, with the webhook delivery of each entry. */
function timelineSection({ booking, entries, deliveries }: BookingRecord): Html {
  const deliveriesBySequence = new Map(deliveries.map((delivery) => [delivery.sequence, delivery]));
  return card(
    'Timeline',
    recordTable('dense stack', entries, [
      ['What happened', ({ text, event }) => userText(text === '' ? sentenceCase(event) : text)],
      ['When', ({ at }) => formatOnBothClocks(at, booking.timezone)],
      ['By', ({ actor }) => ACTOR_LABELS[actor], 'by'],
      ['Way', ({ channel }) => channel !== null && channelNamed(channel).label],
      [
        'Webhook to the partner',
        ({ sequence, from, to }) =>
          from === to
            ? softText('none: the status is the same')
            : deliveryWords(deliveriesBySequence.get(sequence)),
        'webhook',
      ],
    ]),
  );
}

const STEPS: Readonly<Record<RecordedAsk['step'], string>> = {
  ask: 'Asked for the table',
  accept: 'Informed: offer accepted',
  reminder: 'Reminded',
  notify_cancelled: 'Informed: no longer wanted',
  notify_accepted: 'Informed: offer accepted',
  notify_kept: 'Informed: the table stays as it was',
  notify_message: 'Informed: what the guest wrote',
};

const STATES: Readonly<Record<RecordedAsk['state'], string>> = {
  queued: 'To do',
  sending: 'Under way',
  posted: 'In the outbox',
  waiting: "On the desk's list",
  asked: 'The venue has it',
  pending: "The venue's system has yet to decide",
  answered: 'Answered',
  failed: 'Failed',
  ended: 'Over: no answer is needed any more',
};

/** Lists every contact attempt with the venue, its channel and its state. */
function contactAttemptSection({ asks }: BookingRecord): Html {
  return card(
    'How the venue was asked',
    asks.length === 0
      ? html`<p class="soft">Nobody has asked the venue yet.</p>`
      : recordTable('dense stack', asks, [
          [
            'What',
            ({ step, revision }) => `${STEPS[step]}${revision > 1 ? ` (change ${revision - 1})` : ''}`,
          ],
          ['Way', ({ channel }) => channelNamed(channel).label],
          [
            'Where it stands',
            ({ state, detail }) => html`${STATES[state]} ${detail !== null && softText(userText(detail))}`,
          ],
          ['Since', ({ askedAt, claimedAt }) => formatTime(askedAt ?? claimedAt), 'since'],
          [
            'Message',
            ({ messageId: id }) => id !== null && link(`/console/outbox?subject_id=${id}`, 'Message'),
          ],
        ]),
  );
}

const OFFER_STATES: StateBadges<BookingOffer['state']> = {
  open: ['warn', 'The partner has yet to answer'],
  accepted: ['good', 'Accepted'],
  lapsed: ['', 'Not accepted in time'],
  withdrawn: ['', 'Withdrawn by the venue'],
  superseded: ['', 'Replaced by a later offer'],
};

/** Lists the venue's counter-offers; false when there are none. */
function offerSection({ offers }: BookingRecord): Html | false {
  if (offers.length === 0) return false;
  return card(
    'What the venue offered',
    recordTable('dense stack', offers, [
      ['Table', formatTable],
      ['By', ({ madeBy }) => ACTOR_LABELS[madeBy], 'by'],
      ['Answer of the partner', ({ state }) => badge(...OFFER_STATES[state])],
      ['Good until', ({ expiresAt }) => formatTime(expiresAt), 'until'],
      ['Note', ({ note }) => note !== null && userText(note)],
    ]),
  );
}
