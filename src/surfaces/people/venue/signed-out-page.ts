import type { FastifyReply } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { html } from '../../../core/text/html.ts';
import { sendFrame } from '../frame/frame.ts';

export function sendSignedOutPage(deps: Deps, reply: FastifyReply): Promise<FastifyReply> {
  return sendFrame({ deps, reply }, 'venue', {
    title: 'Your listing',
    lead: 'For venues that manage their own listing: hours, menu, description, booking and photo.',
    body: html`<div class="empty">
      <h2>You are not signed in</h2>
      <p>
        Find your place in the <a href="/">destinations</a>, open its page and choose “Look after this
        listing”. We send a code to its published contact.
      </p>
    </div>`,
  });
}
