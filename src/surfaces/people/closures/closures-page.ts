import { html, safeHref, type Html } from '../../../core/text/html.ts';
import type { ClosuresPage, ListedClosure } from '../../../directory/closure/closures.ts';
import { textField } from '../form/form-field.ts';
import { page, type Site } from '../frame/layout.ts';
import { nextPage } from '../frame/next-page.ts';
import { table } from '../frame/table.ts';
import { reopenedWords } from './closure-words.ts';

export interface ClosuresModel extends ClosuresPage {
  site: Site;
  since: string;
  destination: string;
  /** Error message for invalid filter values. */
  fault: string | null;
}

/** Lists closed places for maintainers of other maps. */
export function closuresPage(model: ClosuresModel): string {
  const { site, closures, next_cursor, since, destination, fault } = model;
  const filters = { since: since || undefined, destination: destination || undefined };
  return page({
    site,
    title: 'Closures',
    description: 'Places that are believed to have closed, with the evidence.',
    canonical: '/closures',
    body: html`<div class="wrap page flow">
      <h1>Closures</h1>
      <p class="lead">
        Places that are believed to have closed, with the evidence, for editors of other maps. The newest
        records come first.
      </p>
      <p>
        Check before you delete: evidence can be wrong. Programs read the same
        <a href="/docs/rest-directory#list_closures">over the API</a> and as a
        <a href="/closures.atom">feed</a>.
      </p>
      ${form(model)} ${fault === null && (closures.length === 0 ? EMPTY : list(closures))}
      ${next_cursor !== null && nextPage('/closures', { ...filters, cursor: next_cursor }, 'Earlier closures')}
    </div>`,
  });
}

function form({ since, destination, fault }: ClosuresModel): Html {
  return html`<form class="filters" action="/closures" method="get">
      ${textField({ name: 'since', label: 'Closed since', type: 'date', value: since })}
      ${textField({ name: 'destination', label: 'Destination', type: 'search', value: destination, maxlength: 80 })}
      <button class="button">Show</button>
    </form>
    ${fault !== null && html`<p class="fault" role="alert">${fault}</p>`}`;
}

const EMPTY = html`<div class="empty">
  <p><strong>No closures are recorded here.</strong></p>
  <p>A closure appears here when a map, a report or a venue states that a place has closed.</p>
</div>`;

function list(closures: readonly ListedClosure[]): Html {
  const columns = ['Place', 'Closed by', 'Evidence', 'Source'];
  return table(
    { className: 'stack rows', caption: 'Places that closed, or are open again', columns },
    closures.map(row),
  );
}

function row(closure: ListedClosure): Html {
  const { place_id, name, destination, category, closed_at, evidence, reopened, source_ref, source_url } =
    closure;
  return html`<tr>
    <th scope="row">
      <a href="/p/${place_id}">${name}</a><br /><span class="soft"
        >${category.replaceAll('_', ' ')}, <a href="/d/${destination.slug}">${destination.name}</a></span
      >
    </th>
    <td data-label="closed by"><time datetime="${closed_at}">${closed_at.slice(0, 10)}</time></td>
    <td>
      ${evidence.map(({ note }) => html`<p>${note}</p>`)}
      ${reopened !== null && html`<p><strong>${reopenedWords(reopened.by)}</strong></p>`}
    </td>
    <td>${source_url === null ? source_ref : html`<a href="${safeHref(source_url)}">${source_ref}</a>`}</td>
  </tr>`;
}
