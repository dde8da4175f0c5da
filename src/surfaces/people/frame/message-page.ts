import { html, safeHref, type Html } from '../../../core/text/html.ts';
import { definitionList } from './definition-list.ts';
import { page, type Site } from './layout.ts';

export interface MessageModel {
  site: Site;
  /** HTTP status, shown for developers. */
  status?: number;
  title: string;
  what: string;
  /** Consequence for the visitor. */
  meaning: string;
  next: string | Html;
  /** Link to continue from; the list of destinations by default. */
  start?: { href: string; label: string } | undefined;
}

const DESTINATIONS = { href: '/', label: 'All destinations' };

/** Renders a page that explains in plain words why the requested page is not shown. */
export function messagePage(model: MessageModel): string {
  const { site, status, title, what, meaning, next, start = DESTINATIONS } = model;
  return page({
    site,
    title,
    description: what,
    indexed: false,
    body: html`<div class="wrap page message">
      ${status !== undefined && html`<p class="badge">Status ${status}</p>`}
      <h1>${title}</h1>
      ${definitionList('', [
        ['What happened', what],
        ['What it means', meaning],
        ['What to do next', next],
      ])}
      <p>
        <a class="button" href="${safeHref(start.href)}">${start.label}</a>
        <a class="button plain" href="/support">Support</a>
      </p>
    </div>`,
  });
}
