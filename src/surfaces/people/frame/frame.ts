import type { FastifyReply } from 'fastify';
import { html, type Html } from '../../../core/text/html.ts';
import type { AssetName } from '../assets.ts';
import { csrfField } from '../form/csrf.ts';
import type { Notice, PageRequest, View } from '../person/page-request.ts';
import type { Frame } from '../person/page.ts';
import { page, type NavItem } from './layout.ts';
import { sendPage } from './send-page.ts';
import { currentItem } from './side-menu.ts';
import { siteOf } from './site.ts';

/** Settings shared by all pages for one kind of user. */
interface Area {
  description: string;
  style: AssetName;
  /** Class of the element around the page. */
  className: string;
  nav?: readonly NavItem[];
  /** The URLs contain tokens, so the browser must not send them as referrer. */
  secret?: boolean;
}

const AREAS = {
  venue: {
    description: 'For venues that look after their own listing.',
    style: 'venue.css',
    className: 'venue',
    nav: [
      { href: '/venue', label: 'Your listing' },
      { href: '/venue/tables', label: 'Requests and tables' },
    ],
  },
  member: {
    description: 'For members: the name that venues see, tables, and partners who may ask for them.',
    style: 'member.css',
    className: 'member',
    nav: [
      { href: '/member/tables', label: 'Your tables' },
      { href: '/member/link', label: 'Partners' },
      { href: '/photos/mine', label: 'Photos' },
      { href: '/member', label: 'Account' },
    ],
  },
  photographer: {
    description: 'For travellers who license their photos of places.',
    style: 'photos.css',
    className: 'photographer',
    nav: [
      { href: '/photos/mine', label: 'My photos' },
      { href: '/photos/mine/upload', label: 'Upload' },
      { href: '/photos/mine/earnings', label: 'Earnings' },
      { href: '/member', label: 'Account' },
    ],
  },
  partner: {
    description: 'For partners who read the directory in bulk.',
    style: 'console.css',
    className: 'flow',
    nav: [
      { href: '/partner', label: 'Overview' },
      { href: '/partner/keys', label: 'Keys' },
      { href: '/partner/webhook', label: 'Webhook' },
      { href: '/partner/bookings', label: 'Bookings' },
      { href: '/partner/requests', label: 'Requests' },
      { href: '/partner/plan', label: 'Plan' },
    ],
    secret: true,
  },
  operator: {
    description: 'Clients that act in your name, and what they may do.',
    style: 'oauth.css',
    className: 'connect',
  },
} as const satisfies Record<string, Area>;

type Around = Pick<PageRequest, 'deps' | 'request' | 'reply'>;

/** Draws pages in the frame of an area. They are neither indexed nor cached. */
export function areaFrame(area: keyof typeof AREAS): Frame<unknown> {
  return (req, { path }, view) => sendFrame(req, area, { ...view, path });
}

/** The same without navigation, for people who are not signed in. */
export function signedOutFrame(area: keyof typeof AREAS): Frame<unknown> {
  return (req, _page, view) => sendFrame(req, area, view);
}

/** Sends a page for one person in the frame of their area; navigation is shown when the page has a path. */
export function sendFrame(
  { deps, reply }: Pick<Around, 'deps' | 'reply'>,
  area: keyof typeof AREAS,
  { title, lead, body, notice, path, scripts, status, live, language }: View & { path?: string },
): Promise<FastifyReply> {
  const { description, style, className, nav, secret }: Area = AREAS[area];
  reply.header('cache-control', 'no-store');
  if (secret === true) reply.header('referrer-policy', 'no-referrer');
  if (status !== undefined) reply.code(status);
  const current = path === undefined ? undefined : currentItem(nav ?? [], path)?.href;
  const { menu, choice } = language ?? {};
  const markup = page({
    site: siteOf(deps),
    title,
    description,
    indexed: false,
    styles: [style],
    ...(live !== undefined && { live: { since: live } }),
    ...(scripts !== undefined && { scripts }),
    ...(current !== undefined &&
      nav !== undefined && { nav: menu === undefined ? (language?.nav ?? nav) : [], current }),
    // A reader without a session gets the way into the area instead of the travellers' navigation.
    ...(current === undefined && language !== undefined && { nav: language.nav }),
    ...(language !== undefined && {
      lang: language.code,
      direction: language.direction,
      skip: { text: language.skip, target: 'page' },
      labels: language.labels,
      ...(choice !== undefined && { tools: choice }),
    }),
    body: html`${menu}
      <div class="wrap page area ${className}" id="page">
        <header class="flow">
          <h1>${title}</h1>
          ${lead !== undefined && html`<p class="lead">${lead}</p>`}
        </header>
        ${notice !== undefined && noticeBox(notice)} ${body}
      </div>`,
  });
  return sendPage(reply, markup);
}

function noticeBox({ kind, text }: Notice): Html {
  return html`<div class="notice ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}">
    <div>${text}</div>
  </div>`;
}

interface FormOptions {
  files?: boolean;
  className?: string;
  /**
   * With unsaved.js, asks for confirmation before leaving a form with changes: `changes` counts edits made now,
   * `unsaved` also values that were rendered but are not saved yet.
   */
  confirmLeave?: 'changes' | 'unsaved' | undefined;
  /** With redraw-form.js, buttons named `do` redraw the form in place. */
  redraw?: boolean | undefined;
}

/** Renders a form with its CSRF token. */
export function form(
  { deps, request, reply }: Around,
  action: string,
  fields: Html,
  { files = false, className = 'flow', confirmLeave, redraw = false }: FormOptions = {},
): Html {
  return html`<form
    class="${className}"
    method="post"
    action="${action}"
    ${files && html` enctype="multipart/form-data" data-upload`}
    ${confirmLeave !== undefined && html` data-keeps="${confirmLeave}"`}
    ${redraw && html` data-redraw`}
  >
    ${csrfField(deps, request, reply)} ${fields}
  </form>`;
}
