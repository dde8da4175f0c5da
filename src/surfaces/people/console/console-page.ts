import { readKillSwitch, type KillSwitch } from '../../../bookings/kill-switch/kill-switch.ts';
import { html, safeHref, type Html } from '../../../core/text/html.ts';
import { csrfField } from '../form/csrf.ts';
import { definitionList } from '../frame/definition-list.ts';
import { page } from '../frame/layout.ts';
import { sendPage } from '../frame/send-page.ts';
import { siteOf } from '../frame/site.ts';
import type { Audience } from '../person/audience.ts';
import type { Frame, Page } from '../person/page.ts';
import type { Staff } from '../person/people.ts';
import type { Notice, PageRequest } from '../person/page-request.ts';
import { formatTime } from './moment.ts';

interface NavItem {
  href: string;
  label: string;
  key: string;
  who: Audience<Staff>;
}

/** Page of the signed-in person. It is in the page's head instead of the navigation. */
const ACCOUNT = '/console/account';

/** Draws console pages in their frame: navigation of these pages, the signed-in person, and the sign-out button. */
export function consoleFrame(pages: readonly Page<Staff, unknown>[]): Frame<Staff> {
  const items = pages.flatMap(({ path, who, nav }) =>
    nav === undefined ? [] : [{ href: path, label: nav.label, key: nav.key ?? '', who }],
  );
  return async (req, { path }, { title, lead, body, notice, scripts = [], status }) => {
    const { deps, reply, person } = req;
    const halt = await readKillSwitch(deps.pool);
    if (status !== undefined) reply.code(status);
    const markup = page({
      site: siteOf(deps),
      title,
      description: 'For the people who run the directory.',
      indexed: false,
      frame: 'console',
      nav: [{ href: ACCOUNT, label: person.email }],
      ...(path === ACCOUNT && { current: path }),
      styles: ['console.css'],
      scripts: ['console.js', ...scripts],
      body: html`${navigation(req, items, currentItem(items, path))} ${halt.on && haltBanner(halt)}
        <div class="wrap desk">
          <header class="desk-head">
            <h1>${title}</h1>
            ${lead !== undefined && html`<p class="soft">${lead}</p>`}
          </header>
          ${notice !== undefined && noticeLine(notice)} ${body}
        </div>
        ${keyboardHelp(items)}`,
    });
    return sendPage(reply, markup);
  };
}

/** Returns the item that the page belongs to: the one with its path, or else the longest path above it. */
function currentItem(items: readonly NavItem[], path: string): NavItem | undefined {
  if (path === ACCOUNT) return undefined;
  const above = items.filter(({ href }) => path === href || path.startsWith(`${href}/`));
  return above.sort((a, b) => b.href.length - a.href.length)[0];
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

function navigation(
  { deps, request, reply, person }: PageRequest<Staff>,
  items: readonly NavItem[],
  current: NavItem | undefined,
): Html {
  return html`<nav class="strip" aria-label="Console">
    <div class="wrap">
      <ul>
        ${items
          .filter(({ who }) => who.allows?.(person) !== false)
          .map(
            (item) =>
              html`<li>
                <a
                  href="${safeHref(item.href)}"
                  data-go="${item.key}"
                  ${item === current && html` aria-current="page"`}
                  >${item.label}</a
                >
              </li>`,
          )}
        <li class="last">
          <form method="post" action="/console/sign-out">
            ${csrfField(deps, request, reply)}<button type="submit">Sign out</button>
          </form>
        </li>
      </ul>
    </div>
  </nav>`;
}

/** Lists the keyboard shortcuts. It opens on "?" and stays closed without JavaScript. */
function keyboardHelp(items: readonly NavItem[]): Html {
  return html`<dialog class="keys" aria-label="Keyboard">
    <h2>Keyboard</h2>
    ${definitionList('', [
      [html`<kbd>j</kbd> <kbd>k</kbd>`, 'Next and previous row, or submission'],
      [html`<kbd>Enter</kbd>`, 'Open the row'],
      [html`<kbd>a</kbd>`, 'Go to the approval; Enter sends it'],
      [html`<kbd>r</kbd>`, 'Go to the reason for a rejection'],
      [html`<kbd>1</kbd> to <kbd>5</kbd>`, 'Go to a reason for refusing a photo; Enter sends it'],
      [html`<kbd>/</kbd>`, 'Go to the search box'],
      [
        html`<kbd>g</kbd> then ${items.map(({ key }) => html`<kbd>${key}</kbd> `)}`,
        items.map(({ label }) => label).join(', '),
      ],
      [html`<kbd>?</kbd>`, 'This list'],
    ])}
    <form method="dialog"><button class="button plain">Close</button></form>
  </dialog>`;
}
