import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import type { Place } from '../../../../directory/place/place.ts';
import type { Origin } from '../../../../directory/provenance/field.ts';
import { claimText, type FieldClaim } from '../../../../directory/provenance/field-claim.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { formatTime } from '../moment.ts';

const SOURCE_LABELS: Readonly<Record<Origin, string>> = {
  owner: 'The venue',
  reviewer: 'One of us',
  agent: 'An agent',
  map: 'The map',
  provider: 'A provider',
};

/** Lists all claims about fields that have a source besides the map. The published claim comes first. */
export function fieldClaimsSection({ field_claims }: Place): Html | false {
  const fields = Object.entries(field_claims);
  if (fields.length === 0) return false;
  return html`<section class="card flow">
    <h2>Sources of each field</h2>
    <p class="soft">The first value of each field is shown. Each source replaces only its own values.</p>
    ${fields.map(
      ([field, claims]) =>
        html`<h3>${sentenceCase(field)}</h3>
          <ol class="items">
            ${claims.map(claimItem)}
          </ol>`,
    )}
  </section>`;
}

function claimItem(claim: FieldClaim): Html {
  const submission = /^sub_\w+$/.test(claim.ref);
  return html`<li>
    <bdi>${claimText(claim) || 'None'}</bdi><br />
    <span class="soft"
      >${SOURCE_LABELS[claim.by]}${claim.proof.startsWith('acts:') && ', through its operator'},
      ${formatTime(new Date(claim.at))}</span
    >
    ${submission && html` <a href="${safeHref(`/console/review/${claim.ref}`)}">Submission</a>`}
  </li>`;
}
