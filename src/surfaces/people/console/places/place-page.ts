import { findConnector } from '../../../../bookings/booking-server/venue-connector.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { findRemoval } from '../../../../directory/removal.ts';
import { actionForm } from '../../form/action-form.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { definePage } from '../../person/page.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { ALL_ROLES, LEAD_ROLES, staff, type Staff } from '../../person/people.ts';
import { untrustedLink } from '../account-facts.ts';
import { formatTime } from '../moment.ts';
import { recordCard, recordColumns } from '../record-columns.ts';
import { CONNECTOR_ACTIONS, connectorForms } from './connector.ts';
import { fieldClaimsSection } from './field-claims-section.ts';
import { mergeDuplicate } from './merge-places.ts';
import {
  addAccolade,
  correctPlace,
  dropAccolade,
  recordClosureAction,
  recordReopeningAction,
} from './place-actions.ts';
import { placeFactRows, placeFromUrl } from './place-record.ts';
import { removalSection, removePlaceAction, restorePlaceAction } from './removal.ts';

/** One place: its record with its sources, and what staff can do about it. */
export const placeRecordPage = definePage({
  path: '/console/places/:id',
  who: staff(ALL_ROLES),
  async load(req) {
    const { pool } = req.deps;
    const place = await placeFromUrl(pool, req);
    return {
      place,
      connector: isLead(req) ? await findConnector(pool, place.id) : undefined,
      removal: place.removed_at === null ? undefined : await findRemoval(pool, place.id),
    };
  },
  view: (req, { place, connector, removal }, state) => ({
    title: place.name,
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
    body: recordColumns(
      html`${recordCard([
        ...placeFactRows(place).map(([label, value]) => [label, value && html`<bdi>${value}</bdi>`] as const),
        ['Changed', formatTime(place.updated_at)],
        ['Verified', place.verified_at === null ? 'never' : formatTime(place.verified_at)],
      ])}
      ${fieldClaimsSection(place)} ${evidenceSection(place)} ${accoladeSection(req, place, state)}`,
      removal === undefined
        ? html`${actionForm(req, place.closed_at === null ? recordClosureAction : recordReopeningAction, state)}
          ${actionForm(req, correctPlace, state)} ${actionForm(req, addAccolade, state)}
          ${actionForm(req, mergeDuplicate, state)} ${isLead(req) && connectorForms(req, connector, state)}
          ${actionForm(req, removePlaceAction, state)}`
        : removalSection(req, removal, state),
    ),
  }),
  actions: [
    recordClosureAction,
    recordReopeningAction,
    correctPlace,
    addAccolade,
    dropAccolade,
    mergeDuplicate,
    removePlaceAction,
    restorePlaceAction,
    ...CONNECTOR_ACTIONS,
  ],
});

function isLead({ person }: PageRequest<Staff>): boolean {
  return LEAD_ROLES.includes(person.role);
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

function accoladeSection(req: PageRequest<Staff>, { accolades }: Place, state: PageState): Html | false {
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
            ${actionForm(req, dropAccolade, state, { values: { title }, buttonLabel: `Remove: ${title}` })}
          </li>`,
      )}
    </ul>
  </section>`;
}
