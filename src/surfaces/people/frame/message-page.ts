import type { AppError } from '../../../core/errors.ts';
import { html, safeHref, type Html } from '../../../core/text/html.ts';
import { assetUrl } from '../assets.ts';
import { definitionList } from './definition-list.ts';
import { finder } from './finder.ts';
import { kindLinks } from '../traveller/kind-links.ts';
import { page, type Site } from './layout.ts';
import type { View } from '../person/page-request.ts';
import { formatWait } from './wording.ts';

export interface MessageModel {
  site: Site;
  /** HTTP status, shown for developers. */
  status?: number;
  title: string;
  what: string | Html;
  /** Consequence for the visitor. */
  meaning: string;
  next: string | Html;
  /** True on pages for people who look for something that is not there. */
  hasSearch?: boolean;
  /** Link to continue from; the list of destinations by default. */
  start?: { href: string; label: string } | undefined;
  /** The language of the page and of its fixed texts, when it is not English. */
  language?: MessageLanguage | undefined;
}

export interface MessageLanguage {
  frame: NonNullable<View['language']>;
  headings: readonly [what: string, meaning: string, next: string];
  support: string;
}

const HEADINGS = ['What happened', 'What it means', 'What to do next'] as const;

const DESTINATIONS = { href: '/', label: 'All destinations' };

/** Renders a page that explains in plain words why the requested page is not shown. */
export function messagePage(model: MessageModel): string {
  const { site, status, title, what, meaning, next, hasSearch = false, start = DESTINATIONS } = model;
  const { frame, headings = HEADINGS, support = 'Support' } = model.language ?? {};
  const waysOn = html`<p class="ways-on">
    <a class="button" href="${safeHref(start.href)}">${start.label}</a>
    <a class="button plain" href="/support">${support}</a>
  </p>`;
  return page({
    site,
    title,
    description: typeof what === 'string' ? what : title,
    indexed: false,
    ...(frame !== undefined && {
      lang: frame.code,
      direction: frame.direction,
      skip: { text: frame.skip, target: 'main' },
      nav: frame.nav,
      labels: frame.labels,
    }),
    body: hasSearch
      ? html`<div class="wrap page message lost">
          <div class="flow">
            <h1>${title}</h1>
            <p class="lead">${what} ${meaning}</p>
            <p>${next}</p>
            ${finder('')} ${kindLinks()} ${waysOn}
          </div>
          <img src="${assetUrl('drawing-other.svg')}" alt="" width="320" height="200" />
        </div>`
      : html`<div class="wrap page message">
          ${status !== undefined && html`<p class="badge">Status ${status}</p>`}
          <h1>${title}</h1>
          ${definitionList('', [
            [headings[0], what],
            [headings[1], meaning],
            [headings[2], next],
          ])}
          ${waysOn}
        </div>`,
  });
}

export type MessageWords = Pick<MessageModel, 'title' | 'what' | 'meaning' | 'next'>;

const AREAS: readonly { under: RegExp; href: string; label: string }[] = [
  { under: /^\/console(?:[/?]|$)/, href: '/console', label: 'Back to the console' },
  { under: /^\/venue(?:[/?]|$)/, href: '/venue', label: 'Your listing' },
  { under: /^\/partner(?:[/?]|$)/, href: '/partner', label: 'Your partner account' },
  { under: /^\/member(?:[/?]|$)/, href: '/member/tables', label: 'Your tables' },
  { under: /^\/photos\/mine(?:[/?]|$)/, href: '/photos/mine', label: 'My photos' },
];

/** Returns the start page of the signed-in area that the URL belongs to; undefined elsewhere. */
export function restartLink(url: string): MessageModel['start'] {
  const area = AREAS.find(({ under }) => under.test(url));
  return area && { href: area.href, label: area.label };
}

/** Returns the text of an error page: what happened, what it means for the visitor, and what to do. */
export function errorWords(error: AppError, start?: MessageModel['start']): MessageWords {
  const { code, status, title, message, hint, retryAfterSeconds } = error;
  if (error.members['outcome'] === 'unknown') {
    return {
      title,
      what: message,
      meaning: 'Your input may have been saved.',
      next: 'Check whether it was saved before you send it again.',
    };
  }
  switch (status) {
    case 404:
      return {
        title: 'Page not found',
        what: 'There is no page at this address.',
        meaning: 'The address may be mistyped, or the page was removed.',
        // For an unknown URL, the hint is written for programs.
        next:
          (code === 'not_found' ? undefined : hint) ??
          (start === undefined ? 'Search for what you were looking for.' : 'Go back and search there.'),
      };
    case 410:
      if (code === 'place_removed')
        return {
          title,
          what: message,
          meaning: 'It was listed here, but we found that it was never a real place.',
          next: 'Please choose another place. If this one does exist, write to us.',
        };
      return {
        title: 'This has expired',
        what: message,
        meaning:
          'The address is correct, but the page was available for a limited time or could be used only once.',
        next: hint ?? 'Ask the sender of the link for a new one.',
      };
    case 503:
      // Only short maintenance gets the generic text; any other cause is explained by the message.
      if (code !== 'maintenance' || retryAfterSeconds === undefined || retryAfterSeconds > MOMENT_SECONDS)
        return { title, what: message, ...UNCHANGED, next: hint ?? AGAIN };
      return {
        title: 'This page is not available at the moment',
        what: 'A part of the service is restarting or overloaded.',
        meaning: 'Nothing is lost, and nothing was changed. Other pages may work.',
        next: `Wait ${formatWait(retryAfterSeconds)} and open the page again.`,
      };
    default:
      return { title, what: message, ...UNCHANGED, next: hint ?? AGAIN };
  }
}

const MOMENT_SECONDS = 30;
const UNCHANGED = { meaning: 'The page could not be shown. Nothing was changed.' };
const AGAIN = 'Try again in a moment, or go back to the start page.';
