import { wordsForVenue } from '../../../../bookings/asking/venue-words.ts';
import {
  readBookingRecord,
  type BookingRecord,
  type RecordedAsk,
} from '../../../../bookings/booking-roster.ts';
import type { BookingOffer } from '../../../../bookings/booking-row.ts';
import { channelNamed, isChannelKind } from '../../../../bookings/channels/channels.ts';
import { AppError } from '../../../../core/errors.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { deliveryWords } from '../../delivery-words.ts';
import type { StreetMap } from '../../../../streets/street-tiles.ts';
import { pointMap, showsStreets } from '../../traveller/map/street-figure.ts';
import { badge, card, link, softText, userText } from '../../frame/components.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { recordTable } from '../../frame/table.ts';
import { sentenceCase } from '../../frame/wording.ts';
import type { PageRequest } from '../../person/page-request.ts';
import { definePage } from '../../person/page.ts';
import { ALL_ROLES, DESK_ROLES, REVIEWER_ROLES, staff, type Staff } from '../../person/people.ts';
import { formatTime } from '../moment.ts';
import { ACTOR_LABELS, forDesk, formatTable, partnerLink, statusBadges, venueLink } from './booking-words.ts';

/** One booking: the request, its status and its timeline. */
export const bookingPage = definePage({
  path: '/console/bookings/:id',
  follows: ({ params }) => [params['id'] ?? ''],
  who: staff(ALL_ROLES),
  async load({ deps, params: { id = '' } }) {
    const [record, streets] = await Promise.all([readBookingRecord(deps.pool, id), deps.streets.look()]);
    if (record !== undefined) return { ...record, streets };
    throw new AppError('booking_not_found', 'There is no booking with this id.', {
      hint: 'Look for it at /console/bookings.',
    });
  },
  view: (req, record) => ({
    title: `Table on ${formatTable(record.booking)}`,
    lead: html`<span class="letter-head"
      >${statusBadges(record.booking)} <code>${record.booking.id}</code> ${relatedLinks(req, record)}</span
    >`,
    scripts: ['street-map.js'],
    body: html`<div class="columns">
        ${factsSection(req, record)} ${statusSection(record)} ${whereSection(record)}
      </div>
      ${timelineSection(record)} ${contactAttemptSection(record)} ${offerSection(record)}`,
  }),
});

function relatedLinks({ person }: PageRequest<Staff>, { booking: { id }, asks }: BookingRecord): Html {
  const onDeskList = asks.some(
    ({ channel, state }) => isChannelKind(channel, 'staff') && state === 'waiting',
  );
  return html`${onDeskList && link(`/console/desk#${id}`, "On the desk's list")}
  ${link(`/console/outbox?subject_id=${id}`, 'Messages')}
  ${REVIEWER_ROLES.includes(person.role) && link(`/console/audit?subject=${id}`, 'Audit log')}`;
}

function factsSection({ deps, person }: PageRequest<Staff>, record: BookingRecord): Html {
  const { booking, placeName, partnerName, language } = record;
  const { guestName, notes, held, memberId } = booking;
  const mayRead = DESK_ROLES.includes(person.role);
  const purpose = held === null ? 'new' : 'change';
  return card(
    'The request',
    html`${definitionList('record', [
      ['Venue', venueLink(booking.placeId, placeName)],
      ['Table', `${formatTable(booking)}, ${booking.timezone}`],
      ['Held meanwhile', held && formatTable(held)],
      ['Name', forDesk(person, userText(guestName))],
      ['Note', notes && forDesk(person, userText(notes))],
      ['For', memberId === null ? 'a guest of the partner' : html`member <code>${memberId}</code>`],
      ['Partner', partnerLink(booking.partnerId, partnerName)],
      ['Asked for', formatTime(booking.createdAt)],
    ])}
    ${
      mayRead &&
      html`<h3>The question, as the venue reads it</h3>
        <blockquote class="script" lang="${language.code}">
          <p>
            ${wordsForVenue({ service: deps.config.serviceName, place: placeName }, purpose, booking, booking, language)}
          </p>
        </blockquote>`
    }`,
  );
}

function statusSection({ booking }: BookingRecord): Html {
  const { answerBy, confirmation, reason, frozenAt, revision, updatedAt } = booking;
  return card(
    'Status',
    definitionList('record', [
      ['Status', statusBadges(booking)],
      ['Way', channelNamed(booking.channel).label],
      ['Answer by', answerBy && formatTime(answerBy)],
      [
        'Confirmed',
        confirmation &&
          html`${formatTime(confirmation.at)}, by: ${ACTOR_LABELS[confirmation.by].toLowerCase()}`,
      ],
      ['Reference', confirmation?.ref ? userText(confirmation.ref) : null],
      ['Reason', reason && userText(sentenceCase(reason))],
      ['Stopped', frozenAt && html`since ${formatTime(frozenAt)}, with all other requests`],
      ['Change', revision > 1 && `${revision - 1} so far`],
      ['Last moved', formatTime(updatedAt)],
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
function timelineSection({ entries, deliveries }: BookingRecord): Html {
  const deliveriesBySequence = new Map(deliveries.map((delivery) => [delivery.sequence, delivery]));
  return card(
    'Timeline',
    recordTable('dense stack', entries, [
      ['What happened', ({ text, event }) => userText(text === '' ? sentenceCase(event) : text)],
      ['When', ({ at }) => formatTime(at)],
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

const OFFER_STATES: Readonly<Record<BookingOffer['state'], readonly [kind: string, word: string]>> = {
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
