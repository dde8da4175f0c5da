import type { FastifyReply } from 'fastify';
import type { StaffRole } from '../../../accounts/staff/staff.ts';
import { readKillSwitch, type KillSwitch } from '../../../bookings/upkeep/kill-switch.ts';
import { html, safeHref, type Html } from '../../../core/text/html.ts';
import type { AssetName } from '../assets.ts';
import { csrfField } from '../form/csrf.ts';
import { definitionList } from '../frame/definition-list.ts';
import { page } from '../frame/layout.ts';
import { sendPage } from '../frame/send-page.ts';
import { siteOf } from '../frame/site.ts';
import { EVERYONE, LEADS, REVIEWERS, type Staff } from '../person/people.ts';
import type { Notice, PageRequest } from '../person/page-request.ts';
import { momentOf } from './moment.ts';

interface ConsolePage {
  title: string;
  /** The address in the console's navigation that this page belongs to. */
  current?: string;
  /** One line under the heading. */
  lead?: string | Html;
  body: Html;
  /** What has just been done, or why it was not. */
  notice?: Notice | undefined;
  scripts?: readonly AssetName[];
}

const PAGES: readonly { href: string; label: string; key: string; roles: readonly StaffRole[] }[] = [
  { href: '/console', label: 'Overview', key: 'o', roles: EVERYONE },
  { href: '/console/review', label: 'Review', key: 'q', roles: EVERYONE },
  { href: '/console/photos', label: 'Photos', key: 'f', roles: EVERYONE },
  { href: '/console/desk', label: 'Desk', key: 'd', roles: EVERYONE },
  { href: '/console/bookings', label: 'Bookings', key: 'b', roles: EVERYONE },
  { href: '/console/places', label: 'Places', key: 'p', roles: EVERYONE },
  { href: '/console/agents', label: 'Agents', key: 'g', roles: EVERYONE },
  { href: '/console/partners', label: 'Partners', key: 't', roles: EVERYONE },
  { href: '/console/licences', label: 'Licences', key: 'i', roles: EVERYONE },
  { href: '/console/outbox', label: 'Outbox', key: 'x', roles: EVERYONE },
  { href: '/console/audit', label: 'Audit', key: 'l', roles: REVIEWERS },
  { href: '/console/staff', label: 'Staff', key: 's', roles: LEADS },
  { href: '/console/kill-switch', label: 'Stop bookings', key: 'h', roles: LEADS },
];

/** Sends a page of the console in its frame: navigation, who is signed in, and the way out. */
export async function sendConsolePage(req: PageRequest<Staff>, model: ConsolePage): Promise<FastifyReply> {
  const { deps, reply, person } = req;
  const halt = await readKillSwitch(deps.pool);
  const markup = page({
    site: siteOf(deps),
    title: model.title,
    description: 'For the people who run the directory.',
    indexed: false,
    frame: 'console',
    nav: [{ href: '/console/account', label: person.email }],
    ...(model.current === '/console/account' && { current: '/console/account' }),
    styles: ['console.css'],
    scripts: ['console.js', ...(model.scripts ?? [])],
    body: html`${navigation(req, model.current)} ${halt.on && haltBanner(halt)}
      <div class="wrap desk">
        <header class="desk-head">
          <h1>${model.title}</h1>
          ${model.lead !== undefined && html`<p class="soft">${model.lead}</p>`}
        </header>
        ${model.notice !== undefined && noticeLine(model.notice)} ${model.body}
      </div>
      ${KEYBOARD_HELP}`,
  });
  return sendPage(reply, markup);
}

function haltBanner({ since, reason }: KillSwitch): Html {
  return html`<aside class="banner halt" aria-label="Bookings are stopped">
    <div class="wrap">
      <p>
        <strong>All bookings are stopped</strong> since ${momentOf(since)}: <bdi>${reason ?? ''}</bdi>.
        <a href="/console/bookings?status=open">The requests that wait</a>
      </p>
    </div>
  </aside>`;
}

export function noticeLine({ kind, text }: Notice): Html {
  return html`<div class="outcome ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}">${text}</div>`;
}

function navigation({ deps, request, reply, person }: PageRequest<Staff>, current: string | undefined): Html {
  return html`<nav class="strip" aria-label="Console">
    <div class="wrap">
      <ul>
        ${PAGES.filter(({ roles }) => roles.includes(person.role)).map(
          ({ href, label, key }) =>
            html`<li>
              <a href="${safeHref(href)}" data-go="${key}" ${href === current && html` aria-current="page"`}
                >${label}</a
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

/** The same keys as a list, for whoever presses the question mark; without a script it stays shut. */
const KEYBOARD_HELP = html`<dialog class="keys" aria-label="Keyboard">
  <h2>Keyboard</h2>
  ${definitionList('', [
    [html`<kbd>j</kbd> <kbd>k</kbd>`, 'Next and previous row, or submission'],
    [html`<kbd>Enter</kbd>`, 'Open the row'],
    [html`<kbd>a</kbd>`, 'Go to the approval; Enter sends it'],
    [html`<kbd>r</kbd>`, 'Go to the reason for a rejection'],
    [html`<kbd>1</kbd> to <kbd>5</kbd>`, 'Go to a reason for refusing a photo; Enter sends it'],
    [html`<kbd>/</kbd>`, 'Go to the search box'],
    [
      html`<kbd>g</kbd> then ${PAGES.map(({ key }) => html`<kbd>${key}</kbd> `)}`,
      PAGES.map(({ label }) => label).join(', '),
    ],
    [html`<kbd>?</kbd>`, 'This list'],
  ])}
  <form method="dialog"><button class="button plain">Close</button></form>
</dialog>`;
