import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { csrfField } from '../form/csrf.ts';
import { page, type NavItem } from '../frame/layout.ts';
import { sendPage } from '../frame/send-page.ts';
import { siteOf } from '../frame/site.ts';

export interface Notice {
  kind: 'good' | 'bad' | 'open';
  text: string | Html;
}

interface VenuePage {
  title: string;
  /** What the page is for, in one sentence under the heading. */
  lead?: string | Html;
  body: Html;
  notice?: Notice | undefined;
  nav?: readonly NavItem[];
  current?: string;
  status?: number;
}

/** Sends a page for a venue. None of them is for search engines or for anybody's cache. */
export function sendVenuePage(deps: Deps, reply: FastifyReply, model: VenuePage): Promise<FastifyReply> {
  const { title, lead, body, notice, nav, current } = model;
  reply.header('cache-control', 'no-store');
  const markup = page({
    site: siteOf(deps),
    title,
    description: 'For venues that look after their own listing.',
    indexed: false,
    styles: ['venue.css'],
    ...(nav !== undefined && { nav }),
    ...(current !== undefined && { current }),
    body: html`<div class="wrap page venue">
      <header class="flow">
        <h1>${title}</h1>
        ${lead !== undefined && html`<p class="lead">${lead}</p>`}
      </header>
      ${
        notice !== undefined &&
        html`<div class="notice ${notice.kind}" role="${notice.kind === 'bad' ? 'alert' : 'status'}">
          <div>${notice.text}</div>
        </div>`
      }
      ${body}
    </div>`,
  });
  return sendPage(reply.code(model.status ?? 200), markup);
}

interface FormModel {
  deps: Deps;
  request: FastifyRequest;
  reply: FastifyReply;
  action: string;
  body: Html;
  files?: boolean;
}

/** A form with its token. */
export function form({ deps, request, reply, action, body, files }: FormModel): Html {
  return html`<form
    class="flow"
    method="post"
    action="${action}"
    ${files === true && html` enctype="multipart/form-data"`}
  >
    ${csrfField(deps, request, reply)} ${body}
  </form>`;
}
