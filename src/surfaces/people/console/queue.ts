import type { Db } from '../../../core/postgres/db.ts';
import { formatCount } from '../../../core/text/format-count.ts';
import { html, safeHref, type Html } from '../../../core/text/html.ts';
import type { Notice } from '../person/page-request.ts';
import { link, userText } from '../frame/components.ts';

/** Ids of records in the query, as a redirect after a decision names them. */
export function decidedIds(query: URLSearchParams, ids: RegExp): readonly string[] {
  return (query.get('id') ?? '').split(',').filter((id) => ids.test(id));
}

/** Number of items of a queue among which the previous and next one are searched. */
export const NEIGHBOURS_MAX = 200;

/** Number of records that a notice names. */
const NAMED_MAX = 5;

/** Confirms the decision that was just made, with the names of what was decided. */
export function decisionNotice(
  query: URLSearchParams,
  path: string,
  decided: readonly { id: string; name: string }[],
  undo: Html | false = false,
): Notice | undefined {
  const done = query.get('done');
  if ((done !== 'approved' && done !== 'rejected') || decided.length === 0) return undefined;
  const others = decided.length - NAMED_MAX;
  const names = decided
    .slice(0, NAMED_MAX)
    .map(({ id, name }, index) => html`${index > 0 && ', '}${link(`${path}/${id}`, userText(name))}`);
  const rest = others > 0 && ` and ${formatCount(others, 'other')}`;
  return {
    kind: 'good',
    text: html`${names}${rest} ${decided.length === 1 ? 'is' : 'are'} ${done}. ${undo}`,
  };
}

/** Names the place of a photo that was just decided. */
export async function decidedPhotos(db: Db, ids: readonly string[]): Promise<{ id: string; name: string }[]> {
  return db<{ id: string; name: string }[]>`
    select f.id, 'Photo of ' || coalesce(p.name, 'a place that is gone') as name
    from photo f left join place p on p.id = f.place_id where f.id = any(${[...ids]})`;
}

/** Queue navigation: the whole queue, the previous and next item, and the decision form. */
export function queueNavigation(path: string, before: string | undefined, after: string | undefined): Html {
  const to = (id: string) => safeHref(`${path}/${id}`);
  return html`<nav class="pager" aria-label="Queue">
    <a href="${path}" data-key="u">All waiting</a>
    ${before !== undefined && html`<a rel="prev" data-key="k" href="${to(before)}">Previous</a>`}
    ${after !== undefined && html`<a rel="next" data-key="j" href="${to(after)}">Next</a>`}
    <a class="to-verdict" href="#decision">Decide</a>
  </nav>`;
}
