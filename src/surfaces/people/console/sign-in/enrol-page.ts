import { encode } from 'uqr';
import { sessionCookie, type StaffSession } from '../../../../accounts/sign-in/staff-session.ts';
import { totpAddress } from '../../../../accounts/staff/second-factor.ts';
import { confirmSecondFactor, offeredSecret } from '../../../../accounts/staff/staff-enrolment.ts';
import { html, raw, type Html } from '../../../../core/text/html.ts';
import { actionForm } from '../../form/action-form.ts';
import { codeInput } from '../../form/fields.ts';
import { defineAction, refuse } from '../../person/action.ts';
import { definePage } from '../../person/page.ts';
import type { View } from '../../person/page-request.ts';
import { anyStaff } from '../../person/people.ts';
import { requestOrigin } from './sign-in-page.ts';

const PATH = '/console/enrol';
export const WRONG_CODE = 'This code is wrong or was used before. Wait for the next one and enter it.';

/**
 * Returns the page of the step that is due instead of enrolment; undefined when enrolment is due. The password comes
 * first, and the second factor is set up only once.
 */
function pendingStep({ pending }: StaffSession): string | undefined {
  if (pending === 'second_factor') return undefined;
  return pending === 'password' ? '/console/password' : '/console';
}

const enrol = defineAction({
  name: 'staff_second_factor_set',
  path: PATH,
  who: anyStaff,
  fields: { totp: codeInput({ maxlength: 10, autofocus: true }) },
  button: 'Confirm',
  plain: false,
  async run(act, { totp: code }) {
    const { id, session } = act.person;
    const redirectPath = pendingStep(session);
    if (redirectPath !== undefined) {
      act.unchanged();
      return { to: redirectPath };
    }
    const enrolled = await confirmSecondFactor(act.db, act, session, code, requestOrigin(act.request));
    if (enrolled === undefined) refuse({ faults: { totp: WRONG_CODE } });
    act.audit(id, { address: requestOrigin(act.request).address });
    act.setCookie(sessionCookie(act.deps, enrolled.token));
    const text = 'Your second factor is set up, and you are signed in.';
    return { view: recoveryCodesView(enrolled.recoveryCodes, text) };
  },
});

/** Sets up the second factor: a QR code, the same secret as text, and a field for the first code. */
export const enrolPage = definePage({
  path: PATH,
  who: anyStaff,
  async load({ deps, person: { session, email } }) {
    if (pendingStep(session) !== undefined) return undefined;
    return totpAddress(await offeredSecret(deps.pool, deps, session), deps.config.serviceName, email);
  },
  view(req, secret, state) {
    if (secret === undefined) return { to: pendingStep(req.person.session) ?? '/console' };
    const { uri, base32 } = secret;
    return {
      title: 'Set up your second factor',
      lead: 'From now on a code from your telephone is asked for at every sign-in.',
      body: html`<div class="card flow">
        <ol class="steps">
          <li>Open an authenticator app and add an account.</li>
          <li>
            Scan this picture with it, or type the key.
            <figure class="qr">
              ${qrCode(uri)}
              <figcaption>
                Key: <code data-totp-secret="${base32}">${base32.match(/.{1,4}/g)?.join(' ')}</code>
              </figcaption>
            </figure>
          </li>
          <li>Enter the six digits that it shows.</li>
        </ol>
        ${actionForm(req, enrol, state, { className: 'flow' })}
      </div>`,
    };
  },
  actions: [enrol],
});

/** Shows the recovery codes once, right after they are generated; only their hashes are stored. */
export function recoveryCodesView(codes: readonly string[], notice: string): View {
  return {
    title: 'Your recovery codes',
    notice: { kind: 'good', text: notice },
    scripts: ['recovery-codes.js'],
    body: html`<div class="card flow">
      <p>
        Each code lets you sign in once if you lose your phone. They are shown only now: copy, print or write
        them down.
      </p>
      <ul class="codes">
        ${codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ul>
      <p class="code-tools" hidden><span role="status"></span></p>
      <p><a class="button" href="/console">I have saved them: open the console</a></p>
    </div>`,
  };
}

/** Draws the QR code as one path. It stays black on white in dark mode, because cameras cannot read it otherwise. */
function qrCode(text: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const squares = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')));
  return raw(
    `<svg viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code with the key" shape-rendering="crispEdges">` +
      `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${squares.join('')}"/></svg>`,
  );
}
