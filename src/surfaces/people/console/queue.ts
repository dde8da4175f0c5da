import { html, safeHref, type Html } from '../../../core/text/html.ts';
import type { Notice } from '../person/page-request.ts';

/** What the decision just made came to. */
export function decidedNotice(query: URLSearchParams, path: string, ids: RegExp): Notice | undefined {
  const done = query.get('done');
  const id = query.get('id') ?? '';
  if ((done !== 'approved' && done !== 'rejected') || !ids.test(id)) return undefined;
  return { kind: 'good', text: html`<a href="${safeHref(`${path}/${id}`)}">${id}</a> is ${done}.` };
}

/** The way through a queue: to all that waits, to the one before and after this, and to its decision. */
export function neighbours(path: string, before: string | undefined, after: string | undefined): Html {
  const to = (id: string) => safeHref(`${path}/${id}`);
  return html`<nav class="pager" aria-label="Queue">
    <a href="${path}" data-key="u">All that waits</a>
    ${before !== undefined && html`<a rel="prev" data-key="k" href="${to(before)}">Previous</a>`}
    ${after !== undefined && html`<a rel="next" data-key="j" href="${to(after)}">Next</a>`}
    <a class="to-verdict" href="#decision">Decide</a>
  </nav>`;
}
