import type { FastifyReply } from 'fastify';
import { wordsForVenue } from '../../../../bookings/asking/venue-words.ts';
import { readBookingRecord, type BookingRecord } from '../../../../bookings/booking-roster.ts';
import { AppError } from '../../../../core/errors.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { sentenceCase } from '../../frame/wording.ts';
import type { PageRequest } from '../../person/page-request.ts';
import { DESK, REVIEWERS, type Staff } from '../../person/people.ts';
import { sendConsolePage } from '../console-page.ts';
import { momentOf } from '../moment.ts';
import { CHANNEL_WORDS, datedTable, forDesk, MOVER_WORDS, statusBadges, venueLink } from './booking-words.ts';
import { askSection, offerSection, timelineSection } from './happened-sections.ts';

/** One booking: what is asked for, where it stands, and all that happened about it. */
export async function sendBookingPage(req: PageRequest<Staff>): Promise<FastifyReply> {
  const record = await readBookingRecord(req.deps.pool, req.params['id'] ?? '');
  if (record === undefined)
    throw new AppError('booking_not_found', 'There is no booking of this id.', {
      hint: 'Look for it at /console/bookings.',
    });
  const { booking } = record;
  return sendConsolePage(req, {
    title: `Table on ${datedTable(booking)}`,
    current: '/console/bookings',
    lead: html`<span class="letter-head"
      >${statusBadges(booking)} <code>${booking.id}</code> ${waysOn(req, record)}</span
    >`,
    body: html`<div class="columns">${factsSection(req, record)} ${standsSection(record)}</div>
      ${timelineSection(record)} ${askSection(record)} ${offerSection(record)}`,
  });
}

function waysOn({ person }: PageRequest<Staff>, { booking: { id }, asks }: BookingRecord): Html {
  const called = asks.some(({ channel, state }) => channel === 'desk' && state === 'waiting');
  return html`${called && html`<a href="${safeHref(`/console/desk#${id}`)}">On the desk's list</a>`}
    <a href="${safeHref(`/console/outbox?subject_id=${id}`)}">Messages</a>
    ${
      REVIEWERS.includes(person.role) &&
      html`<a href="${safeHref(`/console/audit?subject=${id}`)}">Audit log</a>`
    }`;
}

function factsSection({ deps, person }: PageRequest<Staff>, record: BookingRecord): Html {
  const { booking, placeName, partnerName, language } = record;
  const { guestName, notes, held, memberId } = booking;
  const mayRead = DESK.includes(person.role);
  const purpose = held === null ? 'new' : 'change';
  return html`<section class="card flow">
    <h2>What is asked for</h2>
    ${definitionList('record', [
      ['Venue', venueLink(booking.placeId, placeName)],
      ['Table', `${datedTable(booking)}, ${booking.timezone}`],
      ['Held meanwhile', held && datedTable(held)],
      ['Name', forDesk(person, html`<bdi>${guestName}</bdi>`)],
      ['Note', notes && forDesk(person, html`<bdi>${notes}</bdi>`)],
      ['For', memberId === null ? 'a guest of the partner' : html`member <code>${memberId}</code>`],
      [
        'Partner',
        html`<a href="${safeHref(`/console/partners/${booking.partnerId}`)}"><bdi>${partnerName}</bdi></a>`,
      ],
      ['Asked for', momentOf(booking.createdAt)],
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

function standsSection({ booking }: BookingRecord): Html {
  const { answerBy, confirmation, reason, frozenAt, revision, updatedAt } = booking;
  return html`<section class="card flow">
    <h2>Where it stands</h2>
    ${definitionList('record', [
      ['Status', statusBadges(booking)],
      ['Way', CHANNEL_WORDS[booking.channel]],
      ['Answer by', answerBy && momentOf(answerBy)],
      [
        'Confirmed',
        confirmation && html`${momentOf(confirmation.at)}, by: ${MOVER_WORDS[confirmation.by].toLowerCase()}`,
      ],
      ['Reference', confirmation?.ref ? html`<bdi>${confirmation.ref}</bdi>` : null],
      ['Reason', reason && html`<bdi>${sentenceCase(reason)}</bdi>`],
      ['Stopped', frozenAt && html`since ${momentOf(frozenAt)}, with all other requests`],
      ['Change', revision > 1 && `${revision - 1} so far`],
      ['Last moved', momentOf(updatedAt)],
    ])}
  </section>`;
}
