import { findConnector } from '../../../../bookings/booking-server/venue-connector.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { claimText, type FieldClaim } from '../../../../directory/provenance/field-claim.ts';
import type { Origin } from '../../../../directory/provenance/field.ts';
import { findRemoval } from '../../../../directory/removal.ts';
import { actionForm } from '../../form/action-form.ts';
import { card, itemList, link, softText, userText } from '../../frame/components.ts';
import { sentenceCase } from '../../frame/wording.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { definePage } from '../../person/page.ts';
import { allStaff, leads, type Staff } from '../../person/people.ts';
import { recordCard, recordColumns, untrustedLink } from '../record-parts.ts';
import { formatTime } from '../moment.ts';
import { CONNECTOR_ACTIONS, connectorForms } from './connector.ts';
import { mergeDuplicate } from './merge-places.ts';
import {
  correctionForm,
  correctLink,
  correctPlace,
  movePlace,
  positionSection,
  withdrawPosition,
} from './correct-place.ts';
import { addAccolade, dropAccolade, recordClosureAction, recordReopeningAction } from './place-actions.ts';
import { placeFactRows, placeFromUrl } from './place-record.ts';
import { placeBadges } from './places-page.ts';
import { removalSection, removePlaceAction, restorePlaceAction } from './removal.ts';

/** One place: its record with its sources, and what staff can do about it. */
export const placeRecordPage = definePage({
  path: '/console/places/:id',
  who: allStaff,
  async load(req) {
    const { pool } = req.deps;
    const place = await placeFromUrl(pool, req);
    return {
      place,
      streets: await req.deps.streets.look(),
      connector: isLead(req) ? await findConnector(pool, place.id) : undefined,
      removal: place.removed_at === null ? undefined : await findRemoval(pool, place.id),
    };
  },
  view: (req, { place, streets, connector, removal }, state) => ({
    title: place.name,
    lead: html`<span class="letter-head">
      ${placeBadges(place, 'Believed closed')}
      <code>${place.id}</code> ${link(`/p/${place.id}`, 'Public page')}
      ${link(`/console/bookings?venue=${place.id}`, 'Bookings')}
      ${link(`/console/audit?subject=${place.id}`, 'Audit log')}
    </span>`,
    scripts: ['street-map.js', 'pin-editor.js'],
    body: recordColumns(
      html`${recordCard([
        ...placeFactRows(place).map(([label, value]) => [label, factCell(req, label, value)] as const),
        ['Changed', formatTime(place.updated_at)],
        ['Verified', place.verified_at === null ? 'never' : formatTime(place.verified_at)],
      ])}
      ${positionSection(req, place, streets, state)} ${fieldClaimsSection(place)} ${evidenceSection(place)}
      ${accoladeSection(req, place, state)}`,
      removal === undefined
        ? html`<section class="card folds">
              ${correctionForm(req, place, state)}
              ${actionForm(req, place.closed_at === null ? recordClosureAction : recordReopeningAction, state, FOLDED)}
              ${actionForm(req, addAccolade, state, FOLDED)} ${actionForm(req, mergeDuplicate, state, FOLDED)}
              ${actionForm(req, removePlaceAction, state, FOLDED)}
            </section>
            ${isLead(req) && connectorForms(req, { placeId: place.id, connector }, state)}`
        : removalSection(req, removal, state),
    ),
  }),
  actions: [
    recordClosureAction,
    recordReopeningAction,
    correctPlace,
    movePlace,
    withdrawPosition,
    addAccolade,
    dropAccolade,
    mergeDuplicate,
    removePlaceAction,
    restorePlaceAction,
    ...CONNECTOR_ACTIONS,
  ],
});

const FOLDED = { fold: 'closed' } as const;

/** Shows a value with the link to correct it; a field that staff may correct is listed without a value too. */
function factCell(req: PageRequest<Staff>, label: string, value: string | null): Html | false {
  const correct = correctLink(req, label);
  if (value === null && correct === false) return false;
  return html`${value === null ? softText('None') : userText(value)} ${correct}`;
}

function isLead({ person }: PageRequest<Staff>): boolean {
  return leads.allows(person);
}

const KINDS: Record<Place['evidence'][number]['kind'], string> = {
  website_dead: 'Its website is gone',
  published_report: 'A published report',
  venue_said: 'The venue said so',
};

function evidenceSection({ evidence, closed_at }: Place): Html | false {
  if (evidence.length === 0) return false;
  return card(
    'Signs of a closure',
    html`${
      closed_at === null &&
      html`<p class="soft">The place was confirmed after these, so it counts as open.</p>`
    }
    ${itemList(
      evidence.map(
        ({ kind, source_url, note, observed_at }) =>
          html`<strong>${KINDS[kind]}</strong>, ${formatTime(new Date(observed_at))}<br /><bdi>${note}</bdi>
            ${source_url !== null && html`<br />${untrustedLink(source_url)}`}`,
      ),
    )}`,
  );
}

function accoladeSection(req: PageRequest<Staff>, { accolades }: Place, state: PageState): Html | false {
  if (accolades.length === 0) return false;
  return card(
    'Accolades',
    itemList(
      accolades.map(
        ({ title, year, source_name, source_url }) =>
          html`<strong><bdi>${title}</bdi></strong
            >${year !== null && `, ${year}`}<br />
            ${untrustedLink(source_url, source_name)}
            ${actionForm(req, dropAccolade, state, { values: { title }, buttonLabel: `Remove: ${title}` })}`,
      ),
    ),
  );
}

const SOURCE_LABELS: Readonly<Record<Origin, string>> = {
  owner: 'The venue',
  reviewer: 'One of us',
  agent: 'An agent',
  map: 'The map',
  provider: 'A provider',
};

/** Lists all claims about fields that have a source besides the map. The published claim comes first. */
function fieldClaimsSection({ field_claims }: Place): Html | false {
  const fields = Object.entries(field_claims);
  if (fields.length === 0) return false;
  return card(
    'Sources of each field',
    html`<p class="soft">The first value of each field is shown. Each source replaces only its own values.</p>
      ${fields.map(
        ([field, claims]) =>
          html`<h3>${sentenceCase(field)}</h3>
            <ol class="items">
              ${claims.map(claimItem)}
            </ol>`,
      )}`,
  );
}

function claimItem(claim: FieldClaim): Html {
  const submission = /^sub_\w+$/.test(claim.ref);
  return html`<li>
    <bdi>${claimText(claim) || 'None'}</bdi><br />
    <span class="soft"
      >${SOURCE_LABELS[claim.by]}${claim.proof.startsWith('acts:') && ', through its operator'},
      ${formatTime(new Date(claim.at))}</span
    >
    ${submission && html` ${link(`/console/review/${claim.ref}`, 'Submission')}`}
  </li>`;
}
