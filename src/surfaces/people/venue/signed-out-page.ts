import type { FastifyReply } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { html } from '../../../core/text/html.ts';
import { textField } from '../form/form-field.ts';
import { sendFrame } from '../frame/frame.ts';

export function sendSignedOutPage(deps: Deps, reply: FastifyReply): Promise<FastifyReply> {
  return sendFrame({ deps, reply }, 'venue', {
    title: 'Your listing',
    lead: 'For venues that manage their own listing: hours, menu, description, booking and photo.',
    body: html`<form class="card flow" role="search" method="get" action="/">
      <h2>Find your place</h2>
      ${textField({
        name: 'q',
        label: 'Name of your place, and its town',
        hint: 'Open its page in the results and choose “Look after this listing”. We send a code to its published contact.',
        type: 'search',
        maxlength: 200,
        required: true,
      })}
      <button class="button" type="submit">Find</button>
    </form>`,
  });
}
