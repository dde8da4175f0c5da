import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { csrfField } from '../form/csrf.ts';
import { page } from '../frame/layout.ts';
import { sendPage } from '../frame/send-page.ts';
import { siteOf } from '../frame/site.ts';

/** One request of a person who answers for a partner. */
export interface Around {
  deps: Deps;
  request: FastifyRequest;
  reply: FastifyReply;
}

export interface PartnerPage {
  title: string;
  lead?: string | Html;
  body: Html;
  notice?: { kind: 'good' | 'bad'; text: string } | undefined;
  status?: number;
}

/** Sends a page for a partner. None of them is for search engines or for anybody's cache. */
export function sendPartnerFrame({ deps, reply }: Around, model: PartnerPage): Promise<FastifyReply> {
  const { title, lead, body, notice, status = 200 } = model;
  reply.header('cache-control', 'no-store');
  reply.header('referrer-policy', 'no-referrer');
  const markup = page({
    site: siteOf(deps),
    title,
    description: 'For partners who read the directory in bulk.',
    indexed: false,
    styles: ['console.css'],
    body: html`<div class="wrap page flow">
      <header class="flow">
        <h1>${title}</h1>
        ${lead !== undefined && html`<p class="lead">${lead}</p>`}
      </header>
      ${
        notice !== undefined &&
        html`<p class="outcome ${notice.kind}" role="${notice.kind === 'bad' ? 'alert' : 'status'}">
          ${notice.text}
        </p>`
      }
      ${body}
    </div>`,
  });
  return sendPage(reply.code(status), markup);
}

/** A form with its token. */
export function form({ deps, request, reply }: Around, action: string, body: Html): Html {
  return html`<form class="flow" method="post" action="${action}">
    ${csrfField(deps, request, reply)} ${body}
  </form>`;
}
