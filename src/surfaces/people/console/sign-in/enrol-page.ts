import type { FastifyReply } from 'fastify';
import { encode } from 'uqr';
import { offeredSecret } from '../../../../accounts/staff/staff-enrolment.ts';
import { totpAddress } from '../../../../accounts/staff/second-factor.ts';
import { html, raw, type Html } from '../../../../core/text/html.ts';
import { csrfField } from '../../form/csrf.ts';
import { textField } from '../../form/form-field.ts';
import type { Notice } from '../../person/page-request.ts';
import type { PageRequest } from '../console-route.ts';
import { sendDoorPage } from './sign-in-page.ts';

/** Sets up the second factor: a picture for the telephone, the same as text, and the first code to prove it. */
export async function sendEnrolPage(visit: PageRequest, fault?: string): Promise<FastifyReply> {
  const { deps, request, reply, session, staff } = visit;
  const secret = await offeredSecret(deps, session);
  const { uri, base32 } = totpAddress(secret, deps.config.serviceName, staff.email);
  return sendDoorPage(deps, reply, {
    title: 'Set up your second factor',
    lead: 'From now on a code from your telephone is asked for at every sign-in.',
    body: html`<div class="card flow">
      <ol class="steps">
        <li>Open an authenticator app and add an account.</li>
        <li>
          Let it read this picture, or type the key.
          <figure class="qr">
            ${picture(uri)}
            <figcaption>
              Key: <code data-totp-secret="${base32}">${base32.match(/.{1,4}/g)?.join(' ')}</code>
            </figcaption>
          </figure>
        </li>
        <li>Enter the six digits that it shows.</li>
      </ol>
      <form class="flow" method="post" action="/console/enrol">
        ${csrfField(deps, request, reply)}
        ${textField({
          name: 'totp',
          label: 'Code',
          fault,
          autocomplete: 'one-time-code',
          inputmode: 'numeric',
          maxlength: 10,
          required: true,
          autofocus: true,
        })}
        <p><button class="button" type="submit">Confirm</button></p>
      </form>
    </div>`,
  });
}

/** Shown once, right after they were made; afterwards only their hashes exist. */
export function sendRecoveryCodes(
  visit: Pick<PageRequest, 'deps' | 'reply'>,
  codes: readonly string[],
  notice: Notice,
): Promise<FastifyReply> {
  return sendDoorPage(visit.deps, visit.reply, {
    title: 'Your recovery codes',
    notice,
    body: html`<div class="card flow">
      <p>
        Each opens the console once in place of a code, should the telephone be lost. They are shown only now:
        print them or write them down.
      </p>
      <ul class="codes">
        ${codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ul>
      <p><a class="button" href="/console">I have kept them: open the console</a></p>
    </div>`,
  });
}

/** Modules as one path. It stays black on white in the dark too, because cameras read no other. */
function picture(text: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const squares = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')));
  return raw(
    `<svg viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code with the key" shape-rendering="crispEdges">` +
      `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${squares.join('')}"/></svg>`,
  );
}
