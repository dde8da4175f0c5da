import type { FastifyReply } from 'fastify';
import type { StaffRole } from '../../../accounts/staff/staff.ts';
import { readKillSwitch, type KillSwitch } from '../../../bookings/kill-switch/kill-switch.ts';
import { html, safeHref, type Html } from '../../../core/text/html.ts';
import type { AssetName } from '../assets.ts';
import { csrfField } from '../form/csrf.ts';
import { definitionList } from '../frame/definition-list.ts';
import { page } from '../frame/layout.ts';
import { sendPage } from '../frame/send-page.ts';
import { siteOf } from '../frame/site.ts';
import { ALL_ROLES, LEAD_ROLES, REVIEWER_ROLES, type Staff } from '../person/people.ts';
import type { Notice, PageRequest } from '../person/page-request.ts';
import { formatTime } from './moment.ts';

interface ConsolePage {
  title: string;
  /** Navigation path that this page belongs to. */
  current?: string;
  /** One line under the heading. */
  lead?: string | Html;
  body: Html;
  /** Result of the last action, or the reason why it failed. */
  notice?: Notice | undefined;
  scripts?: readonly AssetName[];
}

const PAGES: readonly { href: string; label: string; key: string; roles: readonly StaffRole[] }[] = [
  { href: '/console', label: 'Overview', key: 'o', roles: ALL_ROLES },
  { href: '/console/review', label: 'Review', key: 'q', roles: ALL_ROLES },
  { href: '/console/photos', label: 'Photos', key: 'f', roles: ALL_ROLES },
  { href: '/console/desk', label: 'Desk', key: 'd', roles: ALL_ROLES },
  { href: '/console/bookings', label: 'Bookings', key: 'b', roles: ALL_ROLES },
  { href: '/console/places', label: 'Places', key: 'p', roles: ALL_ROLES },
  { href: '/console/agents', label: 'Agents', key: 'g', roles: ALL_ROLES },
  { href: '/console/partners', label: 'Partners', key: 't', roles: ALL_ROLES },
  { href: '/console/licences', label: 'Licences', key: 'i', roles: ALL_ROLES },
  { href: '/console/outbox', label: 'Outbox', key: 'x', roles: ALL_ROLES },
  { href: '/console/audit', label: 'Audit', key: 'l', roles: REVIEWER_ROLES },
  { href: '/console/staff', label: 'Staff', key: 's', roles: LEAD_ROLES },
  { href: '/console/kill-switch', label: 'Stop bookings', key: 'h', roles: LEAD_ROLES },
];

/** Sends a console page in its frame: navigation, the signed-in person, and the sign-out button. */
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
        <strong>All bookings are stopped</strong> since ${formatTime(since)}: <bdi>${reason ?? ''}</bdi>.
        <a href="/console/bookings?status=open">Waiting requests</a>
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

/** Lists the keyboard shortcuts. It opens on "?" and stays closed without JavaScript. */
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
