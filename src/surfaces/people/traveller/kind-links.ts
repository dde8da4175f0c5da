import { html, type Html } from '../../../core/text/html.ts';
import { kindLabel } from './destination-search.ts';
import { illustrationUrl } from './place-picture.ts';

/** Searches that lead somewhere in every directory. */
const KINDS = ['restaurant', 'cafe', 'bar', 'hotel', 'attraction', 'beach', 'market', 'shop'];

/** Renders a picture link to the search of each common kind of place, in one destination or in all. */
export function kindLinks(page = '/'): Html {
  return html`<ul class="kinds" aria-label="Kinds of places">
    ${KINDS.map(
      (kind) =>
        html`<li>
          <a href="${`${page}?q=${encodeURIComponent(kindLabel(kind).toLowerCase())}`}"
            ><img
              src="${illustrationUrl({ category: kind })}"
              alt=""
              width="96"
              height="60"
            />${kindLabel(kind)}</a
          >
        </li>`,
    )}
  </ul>`;
}
