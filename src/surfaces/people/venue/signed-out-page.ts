import type { FastifyReply } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { html } from '../../../core/text/html.ts';
import { emptyState } from '../frame/components.ts';
import { sendFrame } from '../frame/frame.ts';

export function sendSignedOutPage(deps: Deps, reply: FastifyReply): Promise<FastifyReply> {
  return sendFrame({ deps, reply }, 'venue', {
    title: 'Your listing',
    lead: 'For venues that manage their own listing: hours, menu, description, booking and photo.',
    body: emptyState(
      'You are not signed in',
      html`Find your place in the <a href="/">destinations</a>, open its page and choose “Look after this
        listing”. We send a code to its published contact.`,
    ),
  });
}
