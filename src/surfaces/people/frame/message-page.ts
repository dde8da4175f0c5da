import { html, type Html } from '../../../core/text/html.ts';
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
}

/** A page that says in plain words why there is no other page. */
export function messagePage({ site, status, title, what, meaning, next }: MessageModel): string {
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
        <a class="button" href="/">All destinations</a> <a class="button plain" href="/support">Support</a>
      </p>
    </div>`,
  });
}
