import type { FastifyReply } from 'fastify';
import { findConnector } from '../../../../bookings/booking-server/venue-connector.ts';
import type { ContactField } from '../../../../directory/provenance/field.ts';
import { displayedOrigin } from '../../../../directory/provenance/field-claim.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { form } from '../../frame/frame.ts';
import { formatCount } from '../../../../core/text/format-count.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { untrustedLink } from '../account-facts.ts';
import { sendConsolePage } from '../console-page.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { LEAD_ROLES, REVIEWER_ROLES, type Staff } from '../../person/people.ts';
import { formatTime } from '../moment.ts';
import { HOURS_SOURCES } from '../../traveller/place/hours-section.ts';
import { recordCard, recordColumns } from '../record-columns.ts';
import { connectorForm } from './connector-form.ts';
import { placeForms } from './place-forms.ts';
import { removalForm, removalSection } from './removal-form.ts';
import { fieldClaimsSection } from './field-claims-section.ts';
import { placeFromUrl } from './visited-place.ts';

/** Lists all fields of a place as text, for display and for comparison. */
export function placeFactRows(place: Place): [label: string, value: string | null][] {
  return [
    ['Name', place.name],
    ['Kind', [...new Set([place.vertical, place.category].map(sentenceCase))].join(', ')],
    [
      'Address',
      [place.address, place.area, place.city, place.country].filter((part) => part !== null).join(', '),
    ],
    ['Position', place.position_known ? `${place.lat}, ${place.lng}` : null],
    ['Phone', contactOf(place, 'phone')],
    ['Email', contactOf(place, 'email')],
    ['Website', contactOf(place, 'website')],
    ['Hours', place.hours === null ? null : `${place.hours.text} (${HOURS_SOURCES[place.hours.source]})`],
    ['Price', place.price_range],
    ['About', place.about],
    [
      'Booking',
      `${sentenceCase(place.booking_method)}${place.chosen_by_venue ? ', chosen by the venue' : ''}`,
    ],
    [
      'Rating',
      place.rating === null ? null : `${place.rating}, from ${formatCount(place.review_count, 'review')}`,
    ],
    ['Badge', sentenceCase(place.badge)],
    ['Source', `${place.source}, ${place.source_ref}`],
  ];
}

function contactOf(place: Place, field: ContactField): string | null {
  const value = place[field];
  return value !== null && displayedOrigin(place, field) === 'agent'
    ? `${value} (submitted by an agent: not used to contact the venue)`
    : value;
}

export async function sendPlacePage(req: PageRequest<Staff>, state: PageState): Promise<FastifyReply> {
  const place = await placeFromUrl(req.deps.pool, req);
  const lead = LEAD_ROLES.includes(req.person.role);
  const connector = lead ? await findConnector(req.deps.pool, place.id) : undefined;
  const removed = await removalSection(req, place);
  return sendConsolePage(req, {
    title: place.name,
    current: '/console/places',
    lead: html`<span class="letter-head">
      <span class="badge${place.badge === 'claimed' && ' sign'}">${sentenceCase(place.badge)}</span>
      ${place.removed_at !== null && html`<span class="badge bad">Removed</span>`}
      ${
        place.closed_at !== null &&
        place.removed_at === null &&
        html`<span class="badge bad">Believed closed</span>`
      }
      <code>${place.id}</code> <a href="${safeHref(`/p/${place.id}`)}">Public page</a>
      <a href="${safeHref(`/console/bookings?venue=${place.id}`)}">Bookings</a>
      <a href="${safeHref(`/console/audit?subject=${place.id}`)}">Audit log</a>
    </span>`,
    notice: state.notice,
    body: recordColumns(
      html`${recordCard([
        ...placeFactRows(place).map(([label, value]) => [label, value && html`<bdi>${value}</bdi>`] as const),
        ['Changed', formatTime(place.updated_at)],
        ['Verified', place.verified_at === null ? 'never' : formatTime(place.verified_at)],
      ])}
      ${fieldClaimsSection(place)} ${evidenceSection(place)} ${accoladeSection(req, place)}`,
      html`${removed} ${removed === false && placeForms(req, place, state)}
      ${removed === false && lead && connectorForm(req, place.id, connector, state)}
      ${removed === false && lead && removalForm(req, place, state)}`,
    ),
  });
}

const KINDS: Record<Place['evidence'][number]['kind'], string> = {
  website_dead: 'Its website is gone',
  published_report: 'A published report',
  venue_said: 'The venue said so',
};

function evidenceSection({ evidence, closed_at }: Place): Html | false {
  if (evidence.length === 0) return false;
  return html`<section class="card flow">
    <h2>Signs of a closure</h2>
    ${
      closed_at === null &&
      html`<p class="soft">The place was confirmed after these, so it counts as open.</p>`
    }
    <ul class="items">
      ${evidence.map(
        ({ kind, source_url, note, observed_at }) =>
          html`<li>
            <strong>${KINDS[kind]}</strong>, ${formatTime(new Date(observed_at))}<br /><bdi>${note}</bdi>
            ${source_url !== null && html`<br />${untrustedLink(source_url)}`}
          </li>`,
      )}
    </ul>
  </section>`;
}

function accoladeSection(req: PageRequest<Staff>, { id, accolades }: Place): Html | false {
  if (accolades.length === 0) return false;
  return html`<section class="card flow">
    <h2>Accolades</h2>
    <ul class="items">
      ${accolades.map(
        ({ title, year, source_name, source_url }) =>
          html`<li>
            <strong><bdi>${title}</bdi></strong
            >${year !== null && `, ${year}`}<br />
            ${untrustedLink(source_url, source_name)}
            ${
              REVIEWER_ROLES.includes(req.person.role) &&
              form(
                req,
                `/console/places/${id}/accolades/remove`,
                html`<input type="hidden" name="title" value="${title}" />
                  <button class="button plain small" type="submit" aria-label="${`Remove: ${title}`}">
                    Remove
                  </button>`,
                { className: '' },
              )
            }
          </li>`,
      )}
    </ul>
  </section>`;
}
