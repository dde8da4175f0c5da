import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { dateOf } from './place-dates.ts';

type Evidence = Place['evidence'][number];

const WORDS: Readonly<Record<Evidence['kind'], string>> = {
  website_dead: "The venue's own website is gone",
  published_report: 'A published report states that it has closed',
  venue_said: 'The venue itself said that it has closed',
};

/** Warns that a place has closed or may have, with the evidence. False for a place without evidence. */
export function closureNotice({ closed_at, evidence }: Place, timezone: string): Html | false {
  if (closed_at === null && evidence.length === 0) return false;
  const closed = closed_at !== null;
  return html`<section class="notice ${closed ? 'bad' : 'warn'}" aria-labelledby="closure-title">
    <h2 id="closure-title">${closed ? 'This place appears to have closed' : 'This place may have closed'}</h2>
    <ul>
      ${evidence.map((sign) => evidenceItem(sign, timezone))}
    </ul>
    <p>
      ${
        closed
          ? 'Do not go there. Below is what we knew before. It cannot be booked, and searches do not show it.'
          : 'Nothing is certain yet. Ask the place before you go there.'
      }
    </p>
  </section>`;
}

function evidenceItem({ kind, source_url, note, observed_at }: Evidence, timezone: string): Html {
  return html`<li>
    ${WORDS[kind]} (${dateOf(observed_at, timezone)}). ${note !== '' && html`<bdi class="soft">${note}</bdi>`}
    ${
      source_url !== null &&
      // A dead website has nothing to read.
      kind !== 'website_dead' &&
      html`<a class="source" href="${safeHref(source_url)}" rel="nofollow noopener">Read the source</a>`
    }
  </li>`;
}
