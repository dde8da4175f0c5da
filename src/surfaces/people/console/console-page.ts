import { readKillSwitch, type KillSwitch } from '../../../bookings/kill-switch/kill-switch.ts';
import { formatNumber } from '../../../core/text/format-count.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { csrfField } from '../form/csrf.ts';
import { definitionList } from '../frame/definition-list.ts';
import { page } from '../frame/layout.ts';
import { sendPage } from '../frame/send-page.ts';
import { currentItem, sideMenu, type MenuItem } from '../frame/side-menu.ts';
import { siteOf } from '../frame/site.ts';
import type { Audience } from '../person/audience.ts';
import type { Frame, Page } from '../person/page.ts';
import type { Staff } from '../person/people.ts';
import type { Notice, PageRequest } from '../person/page-request.ts';
import { readBacklogs } from './backlog.ts';
import { formatTime } from './moment.ts';
import { SET_UP_PATH, unfinishedItems } from './set-up/set-up.ts';

interface NavItem extends MenuItem {
  key: string;
  who: Audience<Staff>;
}

/** A group of the navigation, with the pages in it. */
interface NavGroup {
  title: string;
  pages: readonly Page<Staff, unknown>[];
}

/** Page of the signed-in person. It is in the page's head instead of the navigation. */
const ACCOUNT = '/console/account';

/** Draws console pages in their frame: grouped navigation with counts, the signed-in person, and the sign-out button. */
export function consoleFrame(navigation: readonly NavGroup[]): Frame<Staff> {
  const groups = navigation.map(({ title, pages }) => ({ title, items: pages.flatMap(navItem) }));
  const items = groups.flatMap((group) => group.items);
  return async (req, { path }, { title, lead, body, notice, scripts = [], status, live }) => {
    const { deps, reply, person } = req;
    const [halt, counts] = await Promise.all([readKillSwitch(deps.pool), countWork(deps)]);
    if (status !== undefined) reply.code(status);
    const markup = page({
      site: path === SET_UP_PATH ? { ...siteOf(deps), empty: false } : siteOf(deps),
      title,
      description: 'For the people who run the directory.',
      indexed: false,
      frame: 'console',
      nav: [{ href: ACCOUNT, label: person.email }],
      ...(path === ACCOUNT && { current: path }),
      styles: ['console.css'],
      ...(live !== undefined && { live: { since: live } }),
      scripts: ['console.js', ...scripts],
      body: html`${navigationOf(req, groups, counts, path)}
        <div class="room">
          ${halt.on && haltBanner(halt)}
          <div class="wrap desk">
            <header class="desk-head">
              <h1>${title}</h1>
              ${lead !== undefined && html`<p class="soft">${lead}</p>`}
            </header>
            ${notice !== undefined && noticeLine(notice)} ${body}
          </div>
        </div>
        ${keyboardHelp(items)} ${palette()}`,
    });
    return sendPage(reply, markup);
  };
}

function navItem({ path, who, nav }: Page<Staff, unknown>): NavItem[] {
  return nav === undefined ? [] : [{ href: path, label: nav.label, key: nav.key ?? '', who }];
}

/** Counts what waits, by the page where it is done. */
async function countWork(deps: PageRequest['deps']): Promise<ReadonlyMap<string, number>> {
  const backlogs = Object.entries(await readBacklogs(deps));
  return new Map([
    ...backlogs.map(([queue, { count }]) => [`/console/${queue}`, count] as const),
    [SET_UP_PATH, unfinishedItems(deps).length],
  ]);
}

function haltBanner({ since, reason }: KillSwitch): Html {
  return html`<aside class="banner halt" aria-label="Bookings are stopped">
    <div class="wrap">
      <p>
        <strong>All bookings are stopped</strong> since ${formatTime(since)}: <bdi>${reason ?? ''}</bdi>.
        <a href="/console/bookings?status=open">Waiting requests</a>
      </p>
    </div>
  </aside>`;
}

export function noticeLine({ kind, text }: Notice): Html {
  return html`<div class="outcome ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}">${text}</div>`;
}

/** Returns the navigation of the pages that the person may open, with what waits there. */
function navigationOf(
  { deps, request, reply, person }: PageRequest<Staff>,
  groups: readonly { title: string; items: readonly NavItem[] }[],
  counts: ReadonlyMap<string, number>,
  path: string,
): Html {
  const shown = groups
    .map(({ title, items }) => ({
      title,
      items: items
        .filter(({ who }) => who.allows?.(person) !== false)
        .map((item) => ({ ...item, mark: countMark(counts.get(item.href) ?? 0) })),
    }))
    .filter(({ items }) => items.length > 0);
  const items = shown.flatMap((group) => group.items);
  return sideMenu('Console', shown, {
    current: path === ACCOUNT ? undefined : currentItem(items, path)?.href,
    other: 'Menu',
    more: html`<form method="post" action="/console/sign-out">
      ${csrfField(deps, request, reply)}<button type="submit">Sign out</button>
    </form>`,
  });
}

function countMark(count: number): Html | false {
  return (
    count > 0 && html`<span class="count">${formatNumber(count)}<span class="unseen"> to do</span></span>`
  );
}

/** Opens any page of the console, or searches the places, from the keyboard. It stays closed without JavaScript. */
function palette(): Html {
  return html`<dialog class="keys palette" aria-label="Go to">
    <form method="get" action="/console/places">
      <label for="palette-text">Go to a page, or find a place</label>
      <input id="palette-text" name="q" type="search" autocomplete="off" maxlength="120" />
      <ul></ul>
      <button class="button plain" type="submit">Find a place</button>
    </form>
  </dialog>`;
}

/** Lists the keyboard shortcuts. It opens on "?" and stays closed without JavaScript. */
function keyboardHelp(items: readonly NavItem[]): Html {
  return html`<dialog class="keys" aria-label="Keyboard">
    <h2>Keyboard</h2>
    ${definitionList('', [
      [html`<kbd>j</kbd> <kbd>k</kbd>`, 'Next and previous row, or submission'],
      [html`<kbd>Enter</kbd>`, 'Open the row'],
      [html`<kbd>x</kbd>`, 'Choose the row for a decision about several'],
      [html`<kbd>a</kbd>`, 'Go to the approval; Enter sends it'],
      [
        html`<kbd>r</kbd>`,
        'Go to the reason for a rejection; its number chooses and sends it, or its first letters and Enter',
      ],
      [html`<kbd>1</kbd> to <kbd>5</kbd>`, 'Go to a reason for refusing a photo; Enter sends it'],
      [html`<kbd>/</kbd>`, 'Go to the search box'],
      [html`<kbd>Ctrl</kbd> <kbd>K</kbd> or <kbd>⌘</kbd> <kbd>K</kbd>`, 'Go to any page, or find a place'],
      [
        html`<kbd>g</kbd> then ${items.map(({ key }) => html`<kbd>${key}</kbd> `)}`,
        items.map(({ label }) => label).join(', '),
      ],
      [html`<kbd>?</kbd>`, 'This list'],
    ])}
    <form method="dialog"><button class="button plain">Close</button></form>
  </dialog>`;
}
