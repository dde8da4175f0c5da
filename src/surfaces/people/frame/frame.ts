import type { FastifyReply } from 'fastify';
import { html, type Html } from '../../../core/text/html.ts';
import type { AssetName } from '../assets.ts';
import { csrfField } from '../form/csrf.ts';
import type { Notice, PageRequest } from '../person/page-request.ts';
import { page, type NavItem } from './layout.ts';
import { sendPage } from './send-page.ts';
import { siteOf } from './site.ts';

/** What the pages for one kind of people have in common. */
interface Area {
  description: string;
  style: AssetName;
  /** On the element around the page. */
  className: string;
  nav?: readonly NavItem[];
  /** Its addresses hold tokens: no browser is to tell them to anybody. */
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
      { href: '/member', label: 'Your tables' },
      { href: '/member/link', label: 'Partners' },
      { href: '/photos/mine', label: 'Photos' },
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
    secret: true,
  },
  operator: {
    description: 'Clients that act in your name, and what they may do.',
    style: 'oauth.css',
    className: 'connect',
  },
} as const satisfies Record<string, Area>;

interface FramedPage {
  title: string;
  /** What the page is for, in one sentence under the heading. */
  lead?: string | Html | undefined;
  body: Html;
  notice?: Notice | undefined;
  /** The address in the area's navigation that this page belongs to; absent before the sign-in. */
  current?: string;
  scripts?: readonly AssetName[];
  status?: number | undefined;
}

type Around = Pick<PageRequest, 'deps' | 'request' | 'reply'>;

/** Sends a page for one person in the frame of their area. None is for search engines or for anybody's cache. */
export function sendFrame(
  { deps, reply }: Pick<Around, 'deps' | 'reply'>,
  area: keyof typeof AREAS,
  model: FramedPage,
): Promise<FastifyReply> {
  const { title, lead, body, notice, current, scripts, status } = model;
  const { description, style, className, nav, secret }: Area = AREAS[area];
  reply.header('cache-control', 'no-store');
  if (secret === true) reply.header('referrer-policy', 'no-referrer');
  if (status !== undefined) reply.code(status);
  const markup = page({
    site: siteOf(deps),
    title,
    description,
    indexed: false,
    styles: [style],
    ...(scripts !== undefined && { scripts }),
    ...(current !== undefined && nav !== undefined && { nav, current }),
    body: html`<div class="wrap page area ${className}">
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
  /** With unsaved.js, whoever leaves with changes is asked first: those made now, or also those shown as not saved yet. */
  keeps?: 'changes' | 'unsaved' | undefined;
}

/** A form with its token. */
export function form(
  { deps, request, reply }: Around,
  action: string,
  fields: Html,
  { files = false, className = 'flow', keeps }: FormOptions = {},
): Html {
  return html`<form
    class="${className}"
    method="post"
    action="${action}"
    ${files && html` enctype="multipart/form-data" data-upload`}
    ${keeps !== undefined && html` data-keeps="${keeps}"`}
  >
    ${csrfField(deps, request, reply)} ${fields}
  </form>`;
}
