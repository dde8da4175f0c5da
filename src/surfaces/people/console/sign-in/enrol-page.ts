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
import { unfinishedStaff, type Staff } from '../../person/people.ts';
import { addAction, addPage } from '../../person/person-route.ts';
import { originOf, sendDoorPage } from './sign-in-page.ts';

const PATH = '/console/enrol';
export const WRONG_CODE =
  'This code is not right, or it was used before. Wait for the next one and enter that.';

export function addEnrolment(scope: FastifyInstance, deps: Deps): void {
  addPage(scope, deps, {
    path: PATH,
    who: unfinishedStaff,
    show: async (request) => {
      const elsewhere = otherStep(request.person.session);
      return elsewhere === undefined ? sendEnrolPage(request) : request.reply.redirect(elsewhere, 303);
    },
  });
  addAction(scope, deps, enrol);
}

/** The step of somebody whose turn for the second factor it is not: the password comes first, and it is set up once. */
function otherStep({ pending }: StaffSession): string | undefined {
  if (pending === 'second_factor') return undefined;
  return pending === 'password' ? '/console/password' : '/console';
}

const enrol: Action<Staff> = {
  name: 'staff_second_factor_set',
  path: PATH,
  who: unfinishedStaff,
  async run(act) {
    const { id, session } = act.person;
    const elsewhere = otherStep(session);
    if (elsewhere !== undefined) {
      act.unchanged();
      return { to: elsewhere };
    }
    const code = act.form.get('totp') ?? '';
    const set = await confirmSecondFactor(act.db, act, session, code, originOf(act.request));
    if (set === undefined) refuse({ faults: { totp: WRONG_CODE } });
    act.audit(id, { address: originOf(act.request).address });
    act.setCookie(sessionCookie(act.deps, set.token));
    const text = 'Your second factor is set up, and you are signed in.';
    return { show: (request) => sendRecoveryCodes(request, set.recoveryCodes, { kind: 'good', text }) };
  },
  page: sendEnrolPage,
};

/** Sets up the second factor: a picture for the telephone, the same as text, and the first code to prove it. */
async function sendEnrolPage(
  request: PageRequest<Staff>,
  { faults = {} }: PageState = {},
): Promise<FastifyReply> {
  const { deps, person } = request;
  const secret = await offeredSecret(deps.pool, deps, person.session);
  const { uri, base32 } = totpAddress(secret, deps.config.serviceName, person.email);
  return sendDoorPage(request, {
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
      ${form(
        request,
        PATH,
        html`${codeField({ name: 'totp', fault: faults['totp'], maxlength: 10, autofocus: true })}
          <p><button class="button" type="submit">Confirm</button></p>`,
      )}
    </div>`,
  });
}

/** Shown once, right after they were made; afterwards only their hashes exist. */
export function sendRecoveryCodes(
  request: Pick<PageRequest, 'deps' | 'reply'>,
  codes: readonly string[],
  notice: Notice,
): Promise<FastifyReply> {
  return sendDoorPage(request, {
    title: 'Your recovery codes',
    notice,
    scripts: ['recovery-codes.js'],
    body: html`<div class="card flow">
      <p>
        Each opens the console once in place of a code, should the telephone be lost. They are shown only now:
        copy, print or write them down.
      </p>
      <ul class="codes">
        ${codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ul>
      <p class="code-tools" hidden><span role="status"></span></p>
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
