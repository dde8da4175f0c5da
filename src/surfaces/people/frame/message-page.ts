import { html, safeHref, type Html } from '../../../core/text/html.ts';
import { definitionList } from './definition-list.ts';
import { page, type Site } from './layout.ts';

export interface MessageModel {
  site: Site;
  /** Told to those who write programs; it says nothing to others. */
  status?: number;
  title: string;
  /** What happened. */
  what: string;
  /** What that means for the visitor. */
  meaning: string;
  /** What to do now. */
  next: string | Html;
  /** Where the visitor starts again; at the destinations unless told. */
  start?: { href: string; label: string } | undefined;
}

const DESTINATIONS = { href: '/', label: 'All destinations' };

/** A page that says in plain words why there is no other page. */
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
