import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import type { FieldDiff } from '../../../../submissions/review/field-diff.ts';
import type {
  AgentRecord,
  ContactOrigin,
  DuplicatePlace,
  ReviewRecord,
  RevisionRecord,
} from '../../../../submissions/review/review-reading.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { table } from '../../frame/table.ts';
import { formatCount } from '../../../../core/text/format-count.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { untrustedLink } from '../account-facts.ts';
import { formatTime } from '../moment.ts';
import { duplicatesMap } from './duplicates-map.ts';

const CHANGES: Record<FieldDiff['change'], [label: string, kind: string]> = {
  same: ['Same', ''],
  added: ['Added', 'good'],
  changed: ['Changed', 'warn'],
  kept: ['Kept', ''],
};

/** Compares, field by field, the published value with the one that an approval would publish. */
export function diffSection({ diff, isNew, place, submission }: ReviewRecord): Html {
  const filledFields = diff.filter(({ live, submitted }) => live !== null || submitted !== null);
  return html`<section class="card flow">
    <h2>What would change</h2>
    <p class="soft">
      ${
        isNew
          ? submission.kind === 'promo'
            ? 'This promotion is not live yet.'
            : 'This place is not in the directory yet: an approval adds it.'
          : place === null
            ? 'Compared with the revision that is live.'
            : html`Compared with
                <a href="${safeHref(`/console/places/${place.id}`)}"><bdi>${place.name}</bdi></a
                >,
                ${sentenceCase(place.badge)}${place.closed && html`, <span class="badge bad">believed closed</span>`}.`
      }
    </p>
    ${table({ className: 'diff', columns: ['Field', 'Live now', 'Submitted'] }, filledFields.map(diffRow))}
  </section>`;
}

function diffRow({ field, live, submitted, change }: FieldDiff): Html {
  const [label, kind] = CHANGES[change];
  return html`<tr class="${change}">
    <th scope="row">
      ${sentenceCase(field)} ${change !== 'same' && html`<span class="badge ${kind}">${label}</span>`}
    </th>
    <td data-label="Live">
      ${live === null ? html`<span class="soft">nothing</span>` : html`<bdi>${live}</bdi>`}
    </td>
    <td data-label="Submitted">
      ${submitted === null ? html`<span class="soft">not given</span>` : html`<bdi>${submitted}</bdi>`}
    </td>
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

export function contactSection(contacts: readonly ContactOrigin[]): Html {
  return html`<section class="card flow">
    <h2>Where each contact comes from</h2>
    <p class="soft">
      A venue is contacted and verified only with contacts that were published before any agent submitted
      them, or that the venue set itself.
    </p>
    ${definitionList(
      'record',
      contacts.map((contact) => {
        const [label, kind] = ORIGINS[contact.origin];
        const effect = effectWords(contact);
        return [
          sentenceCase(contact.field),
          html`<bdi>${contact.live ?? 'none live'}</bdi> <span class="badge ${kind}">${label}</span><br />
            <span class="soft">Submitted:</span>
            <bdi>${contact.submitted ?? 'nothing'}</bdi>
            ${effect !== null && html`<br /><span class="soft">If you approve:</span> ${effect}`}`,
        ];
      }),
    )}
  </section>`;
}

export function duplicateSection({ duplicates, submission }: ReviewRecord): Html {
  const { content } = submission;
  const centre =
    'lat' in content && content.lat !== null && content.lng !== null
      ? { lat: content.lat, lng: content.lng }
      : undefined;
  return html`<section class="card flow">
    <h2>Possible duplicates</h2>
    ${
      duplicates.length === 0
        ? html`<p class="soft">None found by name and position.</p>`
        : html`<div class="near">
            ${centre !== undefined && duplicatesMap(centre, duplicates)}
            <ol class="numbered">
              ${duplicates.map(duplicateItem)}
            </ol>
          </div>`
    }
  </section>`;
}

function duplicateItem({ placeId, name, address, city, distanceM, score }: DuplicatePlace): Html {
  return html`<li>
    <a href="${safeHref(`/console/places/${placeId}`)}"><bdi>${name}</bdi></a>
    <span class="soft">
      <bdi>${[address, city].filter((part) => part !== null).join(', ')}</bdi>
      ${distanceM !== null && ` · ${distanceM} m`} · ${Math.round(score * 100)}% alike
    </span>
  </li>`;
}

export function claimSection(claims: readonly { text: string; source_url: string }[]): Html {
  return html`<section class="card flow">
    <h2>Claims with their sources</h2>
    <ul class="items">
      ${claims.map(
        ({ text, source_url }) => html`<li><bdi>${text}</bdi><br />${untrustedLink(source_url)}</li>`,
      )}
    </ul>
  </section>`;
}

export function agentSection(agent: AgentRecord): Html {
  return html`<section class="card flow">
    <h2>The agent</h2>
    ${definitionList('record', [
      [
        'Agent',
        html`<a href="${safeHref(`/console/agents/${agent.id}`)}"><bdi>${agent.agentName}</bdi></a>
          ${agent.status !== 'active' && html`<span class="badge bad">${sentenceCase(agent.status)}</span>`}`,
      ],
      ['Operator', html`<bdi>${agent.operatorName}</bdi>, <bdi>${agent.operatorEmail}</bdi>`],
      ['Since', formatTime(agent.since)],
      [
        'Record',
        `${formatCount(agent.approved, 'approval')}, ${formatCount(agent.rejected, 'rejection')}, ${agent.pending} waiting`,
      ],
      ['Purpose', html`<bdi>${agent.purpose}</bdi>`],
    ])}
  </section>`;
}

export function historySection(revisions: readonly RevisionRecord[]): Html {
  return html`<section class="card flow">
    <h2>Revisions</h2>
    <ol class="history">
      ${revisions.map(
        ({ revision, submittedAt, decision }) =>
          html`<li>
            <strong>Revision ${revision}</strong>
            <span class="soft">submitted ${formatTime(submittedAt)}</span>
            ${
              decision !== null &&
              html`<p>
                <span class="badge ${decision.decision === 'approved' ? 'good' : 'bad'}"
                  >${sentenceCase(decision.decision)}</span
                >
                by ${decision.by}, ${formatTime(new Date(decision.at))}
                ${decision.reasonCode !== null && html`<br /><code>${decision.reasonCode}</code> <bdi>${decision.reasonText}</bdi>`}
              </p>`
            }
          </li>`,
      )}
    </ol>
  </section>`;
}
