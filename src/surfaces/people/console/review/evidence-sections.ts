import { METRES_PER_DEGREE, type Point } from '../../../../core/geo.ts';
import { formatCount } from '../../../../core/text/format-count.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import type { FieldDiff } from '../../../../submissions/review/field-diff.ts';
import type {
  AgentRecord,
  ContactOrigin,
  DuplicatePlace,
  ReviewRecord,
  RevisionRecord,
} from '../../../../submissions/review/review-reading.ts';
import type { BusinessContent, PromoContent, Relationship } from '../../../../submissions/submission.ts';
import type { StreetMap } from '../../../../streets/street-tiles.ts';
import { pointMap, showsStreets } from '../../traveller/map/street-figure.ts';
import { badge, card, itemList, link, softText, userText } from '../../frame/components.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { table } from '../../frame/table.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { untrustedLink } from '../record-parts.ts';
import { formatTime } from '../moment.ts';

const CHANGES: Record<FieldDiff['change'], [label: string, kind: string]> = {
  same: ['Same', ''],
  added: ['Added', 'good'],
  changed: ['Changed', 'warn'],
  kept: ['Kept', ''],
};

/** Compares, field by field, the published value with the one that an approval would publish. */
export function diffSection({ diff, isNew, place, submission }: ReviewRecord): Html {
  const rejected = submission.status === 'rejected';
  const filledFields = diff.filter(({ live, submitted }) => live !== null || submitted !== null);
  return card(
    rejected ? 'What was submitted' : 'What would change',
    html`<p class="soft">
        ${
          isNew
            ? submission.kind === 'promo'
              ? `This promotion is not live${rejected ? '' : ' yet'}.`
              : `This place is not in the directory${rejected ? '.' : ' yet: an approval adds it.'}`
            : place === null
              ? 'Compared with the revision that is live.'
              : html`Compared with ${link(`/console/places/${place.id}`, userText(place.name))},
                ${sentenceCase(place.badge)}${place.closed && html`, <span class="badge bad">believed closed</span>`}.`
        }
      </p>
      ${table({ className: 'diff', columns: ['Field', 'Live now', 'Submitted'] }, filledFields.map(diffRow))}`,
  );
}

function diffRow({ field, live, submitted, change }: FieldDiff): Html {
  const [label, kind] = CHANGES[change];
  return html`<tr class="${change}">
    <th scope="row">${sentenceCase(field)} ${change !== 'same' && badge(kind, label)}</th>
    <td data-label="Live">${live === null ? softText('nothing') : userText(live)}</td>
    <td data-label="Submitted">${submitted === null ? softText('not given') : userText(submitted)}</td>
  </tr>`;
}

const ORIGINS: Record<ContactOrigin['origin'], [label: string, kind: string]> = {
  map: ['Published before any agent', 'good'],
  provider: ['Published before any agent', 'good'],
  agent: ['Submitted by an agent', 'warn'],
  reviewer: ['Corrected by our staff', 'warn'],
  owner: ['Set by the venue', 'good'],
  nobody: ['Nothing is published', 'bad'],
};

/**
 * Describes how an approval would use a submitted contact, so that a reviewer does not approve one that only looks
 * harmless.
 */
function effectWords({ effect, trusted }: ContactOrigin): Html | string | null {
  switch (effect) {
    case 'none':
      return null;
    case 'same':
      return "Same as published: it stays the venue's own contact.";
    case 'kept':
      return 'Not applied: the published contact, or the one set by the venue, stays.';
    case 'owners':
      return "Becomes the venue's own contact: the venue confirmed that this operator acts for it.";
    case 'shown':
      return html`Shown to travellers; never used to contact the venue or as proof.
      ${trusted === null ? 'There is no other contact.' : html`That stays <bdi>${trusted}</bdi>.`}`;
  }
}

export function contactSection({ contacts, submission }: ReviewRecord): Html {
  const waiting = submission.status === 'pending_review';
  return card(
    'Where each contact comes from',
    html`<p class="soft">
        A venue is contacted and verified only with contacts that were published before any agent submitted
        them, or that the venue set itself.
      </p>
      ${definitionList(
        'record',
        contacts.map((contact) => {
          const [label, kind] = ORIGINS[contact.origin];
          const effect = waiting ? effectWords(contact) : null;
          return [
            sentenceCase(contact.field),
            html`<bdi>${contact.live ?? 'none live'}</bdi> ${badge(kind, label)}<br />
              <span class="soft">Submitted:</span>
              <bdi>${contact.submitted ?? 'nothing'}</bdi>
              ${effect !== null && html`<br /><span class="soft">If you approve:</span> ${effect}`}`,
          ];
        }),
      )}`,
  );
}

export function duplicateSection({ duplicates, submission }: ReviewRecord): Html {
  const { content } = submission;
  const centre =
    'lat' in content && content.lat !== null && content.lng !== null
      ? { lat: content.lat, lng: content.lng }
      : undefined;
  return card(
    'Possible duplicates',
    duplicates.length === 0
      ? html`<p class="soft">None found by name and position.</p>`
      : html`<div class="near">
          ${centre !== undefined && duplicatesMap(centre, duplicates)}
          <ol class="numbered">
            ${duplicates.map(duplicateItem)}
          </ol>
        </div>`,
  );
}

function duplicateItem({ placeId, name, address, city, distanceM, score }: DuplicatePlace): Html {
  return html`<li>
    ${link(`/console/places/${placeId}`, userText(name))}
    <span class="soft">
      <bdi>${[address, city].filter((part) => part !== null).join(', ')}</bdi>
      ${distanceM !== null && ` · ${distanceM} m`} · ${Math.round(score * 100)}% alike
    </span>
  </li>`;
}

export function claimSection(claims: readonly { text: string; source_url: string }[]): Html {
  return card(
    'Claims with their sources',
    itemList(
      claims.map(({ text, source_url }) => html`<bdi>${text}</bdi><br />${untrustedLink(source_url)}`),
    ),
  );
}

export function agentSection(agent: AgentRecord): Html {
  return card(
    'The agent',
    definitionList('record', [
      [
        'Agent',
        html`${link(`/console/agents/${agent.id}`, userText(agent.agentName))}
        ${agent.status !== 'active' && badge('bad', sentenceCase(agent.status))}`,
      ],
      ['Operator', html`<bdi>${agent.operatorName}</bdi>, <bdi>${agent.operatorEmail}</bdi>`],
      ['Since', formatTime(agent.since)],
      [
        'Record',
        `${formatCount(agent.approved, 'approval')}, ${formatCount(agent.rejected, 'rejection')}, ${agent.pending} waiting`,
      ],
      ['Purpose', userText(agent.purpose)],
    ]),
  );
}

export function historySection(revisions: readonly RevisionRecord[]): Html {
  return card(
    'Revisions',
    html`<ol class="history">
      ${revisions.map(
        ({ revision, submittedAt, decision }) =>
          html`<li>
            <strong>Revision ${revision}</strong>
            <span class="soft">submitted ${formatTime(submittedAt)}</span>
            ${
              decision !== null &&
              html`<p>
                ${badge(decision.decision === 'approved' ? 'good' : 'bad', sentenceCase(decision.decision))}
                by ${decision.by}, ${formatTime(new Date(decision.at))}
                ${decision.reasonCode !== null && html`<br /><code>${decision.reasonCode}</code> <bdi>${decision.reasonText}</bdi>`}
              </p>`
            }
          </li>`,
      )}
    </ol>`,
  );
}

const SIZE = 360;
const MARGIN = 32;
/** Radius in metres within which a place with a similar name counts as a duplicate; drawn as a ring. */
const RING_M = 150;
const BAR_LENGTHS_M = [20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20];
const BAR_MAX = 120;

/**
 * Draws the submission and its possible duplicates, north up. At this scale a coastline would be a straight line, so
 * there is none; the ring and the scale bar show distances.
 */
function duplicatesMap(centre: Point, duplicates: readonly DuplicatePlace[]): Html {
  // Duplicates without a position appear only in the list, which uses the same numbers.
  const placed = duplicates.flatMap(({ lat, lng, ...place }, index) =>
    lat === null || lng === null ? [] : [{ place, number: index + 1, at: offset(centre, { lat, lng }) }],
  );
  const spots = placed.map(({ at }) => at);
  const radius = Math.max(RING_M * 1.2, ...spots.map(([x, y]) => Math.max(Math.abs(x), Math.abs(y))));
  const scale = (SIZE / 2 - MARGIN) / radius;
  const middle = SIZE / 2;
  const bar = BAR_LENGTHS_M.find((metres) => metres * scale <= BAR_MAX) ?? 20;
  return html`<figure class="map near-map">
    <svg
      viewBox="0 0 ${SIZE} ${SIZE}"
      role="group"
      aria-label="The submission in the middle and possible duplicates around it"
    >
      <circle class="ring" cx="${middle}" cy="${middle}" r="${(RING_M * scale).toFixed(1)}" />
      <path class="grid" d="M${middle} 0V${SIZE}M0 ${middle}H${SIZE}" />
      <g class="here" transform="translate(${middle} ${middle})">
        <circle r="19" />
        <title>This submission</title>
      </g>
      ${placed.map(({ place, number, at }) => spot(place, number, at, scale))}
      <path class="scale" d="M16 ${SIZE - 22}v6h${(bar * scale).toFixed(0)}v-6" />
      <text x="${(26 + bar * scale).toFixed(0)}" y="${SIZE - 14}">
        ${bar < 1000 ? `${bar} m` : `${bar / 1000} km`}
      </text>
    </svg>
    <figcaption>
      North is up. The thick ring is the submission, the dashed one ${RING_M} m around it.
    </figcaption>
  </figure>`;
}

function spot(
  place: Pick<DuplicatePlace, 'placeId' | 'name'>,
  number: number,
  [x, y]: [number, number],
  scale: number,
): Html {
  const middle = SIZE / 2;
  return html`<a href="${safeHref(`/p/${place.placeId}`)}" aria-label="${`${number}: ${place.name}`}">
    <g
      class="spot"
      transform="translate(${(middle + x * scale).toFixed(1)} ${(middle - y * scale).toFixed(1)})"
      ><circle r="13" /><text y="5">${number}</text></g
    >
  </a>`;
}

/** Returns the offset in metres to the east and to the north. */
function offset(centre: Point, { lat, lng }: Point): [number, number] {
  const lngDelta = ((lng - centre.lng + 540) % 360) - 180;
  const east = lngDelta * METRES_PER_DEGREE * Math.cos((centre.lat * Math.PI) / 180);
  return [east, (lat - centre.lat) * METRES_PER_DEGREE];
}

export function relationshipBadge(relationship: Relationship): Html {
  return badge(relationship === 'owner' ? 'sign' : '', sentenceCase(relationship));
}

/** Shows where the business says it is and its own pages, so that a reviewer can compare. */
export function submittedSection(
  content: BusinessContent | PromoContent,
  streets: StreetMap | undefined,
): Html | false {
  if ('title' in content) return false;
  const { lat, lng, name, website, phone, address, city } = content;
  const point = lat === null || lng === null ? undefined : { lat, lng };
  const osm =
    point &&
    `https://www.openstreetmap.org/?mlat=${point.lat}&mlon=${point.lng}#map=18/${point.lat}/${point.lng}`;
  const wanted = encodeURIComponent([name, address, city].filter((part) => part !== null).join(', '));
  return card(
    'Look it up',
    html`${
      point !== undefined &&
      showsStreets(streets, point) &&
      pointMap({ map: streets, point, label: `The streets around ${name}` })
    }
    ${definitionList('record', [
      ['Website', website !== null && untrustedLink(website)],
      ['Phone', phone !== null && html`<a href="tel:${phone}"><bdi>${phone}</bdi></a>`],
      ['Position', osm !== undefined && untrustedLink(osm, 'On OpenStreetMap')],
      [
        'Name and address',
        untrustedLink(`https://www.openstreetmap.org/search?query=${wanted}`, 'Search OpenStreetMap'),
      ],
    ])}`,
  );
}
