import { wordsForVenue } from '../../../../bookings/asking/venue-words.ts';
import { readBookingRecord, type BookingRecord } from '../../../../bookings/booking-roster.ts';
import { channelNamed, isChannelKind } from '../../../../bookings/channels/channels.ts';
import { AppError } from '../../../../core/errors.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { definePage } from '../../person/page.ts';
import type { PageRequest } from '../../person/page-request.ts';
import { ALL_ROLES, DESK_ROLES, REVIEWER_ROLES, staff, type Staff } from '../../person/people.ts';
import { formatTime } from '../moment.ts';
import { formatTable, forDesk, ACTOR_LABELS, statusBadges, venueLink } from './booking-words.ts';
import { contactAttemptSection, offerSection, timelineSection } from './happened-sections.ts';

/** One booking: the request, its status and its timeline. */
export const bookingPage = definePage({
  path: '/console/bookings/:id',
  who: staff(ALL_ROLES),
  async load({ deps, params: { id = '' } }) {
    const record = await readBookingRecord(deps.pool, id);
    if (record !== undefined) return record;
    throw new AppError('booking_not_found', 'There is no booking with this id.', {
      hint: 'Look for it at /console/bookings.',
    });
  },
  view: (req, record) => ({
    title: `Table on ${formatTable(record.booking)}`,
    lead: html`<span class="letter-head"
      >${statusBadges(record.booking)} <code>${record.booking.id}</code> ${relatedLinks(req, record)}</span
    >`,
    body: html`<div class="columns">${factsSection(req, record)} ${statusSection(record)}</div>
      ${timelineSection(record)} ${contactAttemptSection(record)} ${offerSection(record)}`,
  }),
});

function relatedLinks({ person }: PageRequest<Staff>, { booking: { id }, asks }: BookingRecord): Html {
  const onDeskList = asks.some(
    ({ channel, state }) => isChannelKind(channel, 'staff') && state === 'waiting',
  );
  return html`${onDeskList && html`<a href="${safeHref(`/console/desk#${id}`)}">On the desk's list</a>`}
    <a href="${safeHref(`/console/outbox?subject_id=${id}`)}">Messages</a>
    ${
      REVIEWER_ROLES.includes(person.role) &&
      html`<a href="${safeHref(`/console/audit?subject=${id}`)}">Audit log</a>`
    }`;
}

function factsSection({ deps, person }: PageRequest<Staff>, record: BookingRecord): Html {
  const { booking, placeName, partnerName, language } = record;
  const { guestName, notes, held, memberId } = booking;
  const mayRead = DESK_ROLES.includes(person.role);
  const purpose = held === null ? 'new' : 'change';
  return html`<section class="card flow">
    <h2>The request</h2>
    ${definitionList('record', [
      ['Venue', venueLink(booking.placeId, placeName)],
      ['Table', `${formatTable(booking)}, ${booking.timezone}`],
      ['Held meanwhile', held && formatTable(held)],
      ['Name', forDesk(person, html`<bdi>${guestName}</bdi>`)],
      ['Note', notes && forDesk(person, html`<bdi>${notes}</bdi>`)],
      ['For', memberId === null ? 'a guest of the partner' : html`member <code>${memberId}</code>`],
      [
        'Partner',
        html`<a href="${safeHref(`/console/partners/${booking.partnerId}`)}"><bdi>${partnerName}</bdi></a>`,
      ],
      ['Asked for', formatTime(booking.createdAt)],
    ])}
    ${
      mayRead &&
      html`<h3>The question, as the venue reads it</h3>
        <blockquote class="script" lang="${language.code}">
          <p>${wordsForVenue(deps.config.serviceName, purpose, booking, booking, language)}</p>
        </blockquote>`
    }
  </section>`;
}

function statusSection({ booking }: BookingRecord): Html {
  const { answerBy, confirmation, reason, frozenAt, revision, updatedAt } = booking;
  return html`<section class="card flow">
    <h2>Status</h2>
    ${definitionList('record', [
      ['Status', statusBadges(booking)],
      ['Way', channelNamed(booking.channel).label],
      ['Answer by', answerBy && formatTime(answerBy)],
      [
        'Confirmed',
        confirmation &&
          html`${formatTime(confirmation.at)}, by: ${ACTOR_LABELS[confirmation.by].toLowerCase()}`,
      ],
      ['Reference', confirmation?.ref ? html`<bdi>${confirmation.ref}</bdi>` : null],
      ['Reason', reason && html`<bdi>${sentenceCase(reason)}</bdi>`],
      ['Stopped', frozenAt && html`since ${formatTime(frozenAt)}, with all other requests`],
      ['Change', revision > 1 && `${revision - 1} so far`],
      ['Last moved', formatTime(updatedAt)],
    ])}
  </section>`;
}
