import type { FastifyReply } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { CODE_RULES, TRIES_MAX } from '../../../accounts/sign-in/mailed-code.ts';
import { contactKey, maskContact, type Contact } from '../../../venue/contact.ts';
import { codeField } from '../form/form-field.ts';
import { form, sendFrame } from '../frame/frame.ts';
import type { Notice, PageRequest } from '../person/page-request.ts';

export interface ClaimModel {
  place: { id: string; name: string; claimed: boolean };
  contacts: readonly Contact[];
  /** Contact that received the code. */
  via: string | null;
  fault: string | undefined;
  notice: Notice | undefined;
}

/** Sends the page on which a venue requests and enters a code: first to claim its listing, later to sign in. */
export function sendClaimPage(request: PageRequest, model: ClaimModel): Promise<FastifyReply> {
  const { place, contacts, notice } = model;
  const { config } = request.deps;
  return sendFrame(request, 'venue', {
    title: place.claimed ? 'Sign in as the venue' : 'Claim this listing',
    lead: html`<a href="/p/${place.id}"><bdi>${place.name}</bdi></a> on ${config.serviceName}.
      ${
        place.claimed
          ? 'We send a code to the contact with which the listing was claimed.'
          : 'We send a code to a contact that is already published for this place. The person who enters it manages the listing: hours, menu, description, booking and photo.'
      }`,
    notice,
    body:
      contacts.length === 0
        ? noContact(request.deps, place.name)
        : html`<div class="columns">
            <section class="card flow" aria-labelledby="get-code">
              <h2 id="get-code">1. Get a code</h2>
              ${form(
                request,
                `/venue/claim/${place.id}/code`,
                html`${contactField('send-to', 'Send it to', model)}
                  <p><button class="button plain" type="submit">Send me a code</button></p>`,
              )}
              <p class="hint">${CODE_RULES} You can ask for a new one after a minute.</p>
            </section>
            <section class="card flow" aria-labelledby="enter-code">
              <h2 id="enter-code">2. Enter the code</h2>
              ${form(request, `/venue/claim/${place.id}`, codeFields(model))}
            </section>
          </div>`,
  });
}

function codeFields(model: ClaimModel): Html {
  const codeSent = model.via !== null;
  return html`${!codeSent && html`<p>Get a code first. If you have one already, enter it here.</p>`}
    ${contactField('sent-to', codeSent ? 'It was sent to' : 'Where codes go:', model)}
    ${codeField({
      hint: `The digits in the message. After ${TRIES_MAX} wrong codes you have to wait an hour.`,
      fault: model.fault,
    })}
    <p>
      <button class="button" type="submit">${model.place.claimed ? 'Sign in' : 'Claim the listing'}</button>
    </p>`;
}

/** A single contact needs no choice. Among several, the one that received the code is selected. */
function contactField(name: string, label: string, { contacts, via }: ClaimModel): Html {
  const [only, another] = contacts;
  if (only !== undefined && another === undefined)
    return html`<p>${label} <strong>${maskContact(only)}</strong></p>
      <input type="hidden" name="via" value="${contactKey(only)}" />`;
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <select id="${name}" name="via">
      ${contacts.map((contact) => {
        const key = contactKey(contact);
        return html`<option value="${key}" ${key === via && html` selected`}>
          ${maskContact(contact)}
        </option>`;
      })}
    </select>
  </div>`;
}

function noContact({ config }: Deps, name: string): Html {
  return html`<div class="empty">
    <h2>A person has to help here</h2>
    <p>
      No contact of <bdi>${name}</bdi> was published before it was submitted, so a code would prove nothing.
    </p>
    <p>
      Write to <a href="mailto:${config.contactEmail}">${config.contactEmail}</a> from an address that belongs
      to the venue, or name a page of the venue with its telephone number. Our desk checks it and writes to
      you.
    </p>
  </div>`;
}
