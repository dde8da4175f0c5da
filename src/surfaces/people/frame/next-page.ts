import { html, safeHref, type Html } from '../../../core/text/html.ts';

/** The way to the next page of a list: what it asks for (what is undefined is left out), or nothing where there is none. */
export function nextPage(
  path: string,
  query: Record<string, string | undefined> | '' | false | null | undefined,
  label: string,
): Html | false {
  if (!query) return false;
  const asked = Object.entries(query).filter((one): one is [string, string] => one[1] !== undefined);
  const href = safeHref(`${path}?${new URLSearchParams(asked).toString()}`);
  return html`<nav class="pager" aria-label="Pages"><a rel="next" href="${href}">${label}</a></nav>`;
}
