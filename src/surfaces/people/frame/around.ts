import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { csrfField } from '../form/csrf.ts';

/** What every step of a page needs of the request that it answers. */
export interface Around {
  deps: Deps;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** A form with its token. */
export function form({ deps, request, reply }: Around, action: string, body: Html): Html {
  return html`<form class="flow" method="post" action="${action}">
    ${csrfField(deps, request, reply)} ${body}
  </form>`;
}
