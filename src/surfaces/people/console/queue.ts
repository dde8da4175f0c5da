import { html, safeHref, type Html } from '../../../core/text/html.ts';
import type { Notice } from '../person/page-request.ts';
import { link } from '../frame/components.ts';

/** Confirms the decision that was just recorded. */
export function decisionNotice(query: URLSearchParams, path: string, ids: RegExp): Notice | undefined {
  const done = query.get('done');
  const id = query.get('id') ?? '';
  if ((done !== 'approved' && done !== 'rejected') || !ids.test(id)) return undefined;
  return { kind: 'good', text: html`${link(`${path}/${id}`, id)} is ${done}.` };
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
