import type { FastifyInstance, FastifyReply } from 'fastify';
import { encode } from 'uqr';
import { sessionCookie, type StaffSession } from '../../../../accounts/sign-in/staff-session.ts';
import { totpAddress } from '../../../../accounts/staff/second-factor.ts';
import { confirmSecondFactor, offeredSecret } from '../../../../accounts/staff/staff-enrolment.ts';
import type { Deps } from '../../../../core/context.ts';
import { html, raw, type Html } from '../../../../core/text/html.ts';
import { codeField } from '../../form/form-field.ts';
import { form } from '../../frame/frame.ts';
import { refuse, type Action } from '../../person/action.ts';
import type { Notice, PageRequest, PageState } from '../../person/page-request.ts';
import { anyStaff, type Staff } from '../../person/people.ts';
import { addAction, addPage } from '../../person/person-route.ts';
import { requestOrigin, sendSignInFramePage } from './sign-in-page.ts';

const PATH = '/console/enrol';
export const WRONG_CODE = 'This code is wrong or was used before. Wait for the next one and enter it.';

export function addEnrolment(scope: FastifyInstance, deps: Deps): void {
  addPage(scope, deps, {
    path: PATH,
    who: anyStaff,
    show: async (request) => {
      const redirectPath = pendingStep(request.person.session);
      return redirectPath === undefined ? sendEnrolPage(request) : request.reply.redirect(redirectPath, 303);
    },
  });
  addAction(scope, deps, enrol);
}

/**
 * Returns the page of the step that is due instead of enrolment; undefined when enrolment is due. The password comes
 * first, and the second factor is set up only once.
 */
function pendingStep({ pending }: StaffSession): string | undefined {
  if (pending === 'second_factor') return undefined;
  return pending === 'password' ? '/console/password' : '/console';
}

const enrol: Action<Staff> = {
  name: 'staff_second_factor_set',
  path: PATH,
  who: anyStaff,
  async run(act) {
    const { id, session } = act.person;
    const redirectPath = pendingStep(session);
    if (redirectPath !== undefined) {
      act.unchanged();
      return { to: redirectPath };
    }
    const code = act.form.get('totp') ?? '';
    const enrolled = await confirmSecondFactor(act.db, act, session, code, requestOrigin(act.request));
    if (enrolled === undefined) refuse({ faults: { totp: WRONG_CODE } });
    act.audit(id, { address: requestOrigin(act.request).address });
    act.setCookie(sessionCookie(act.deps, enrolled.token));
    const text = 'Your second factor is set up, and you are signed in.';
    return { show: (request) => sendRecoveryCodes(request, enrolled.recoveryCodes, { kind: 'good', text }) };
  },
  page: sendEnrolPage,
};

/**
 * Sends the page that sets up the second factor: a QR code, the same secret as text, and a field for the first code.
 */
async function sendEnrolPage(
  request: PageRequest<Staff>,
  { faults = {} }: PageState = {},
): Promise<FastifyReply> {
  const { deps, person } = request;
  const secret = await offeredSecret(deps.pool, deps, person.session);
  const { uri, base32 } = totpAddress(secret, deps.config.serviceName, person.email);
  return sendSignInFramePage(request, {
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
      ${form(
        request,
        PATH,
        html`${codeField({ name: 'totp', fault: faults['totp'], maxlength: 10, autofocus: true })}
          <p><button class="button" type="submit">Confirm</button></p>`,
      )}
    </div>`,
  });
}

/** Shows the recovery codes once, right after they are generated; only their hashes are stored. */
export function sendRecoveryCodes(
  request: Pick<PageRequest, 'deps' | 'reply'>,
  codes: readonly string[],
  notice: Notice,
): Promise<FastifyReply> {
  return sendSignInFramePage(request, {
    title: 'Your recovery codes',
    notice,
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
  });
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
