import { html, safeHref, type Html } from '../../../core/text/html.ts';

/** Renders the link to the next page of a list, or nothing without a query. Undefined query parameters are left out. */
export function nextPage(
  path: string,
  query: Record<string, string | undefined> | '' | false | null | undefined,
  label: string,
): Html | false {
  if (!query) return false;
  const parameters = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const href = safeHref(`${path}?${new URLSearchParams(parameters).toString()}`);
  return html`<nav class="pager" aria-label="Pages"><a rel="next" href="${href}">${label}</a></nav>`;
}
