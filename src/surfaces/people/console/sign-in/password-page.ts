import type { FastifyReply } from 'fastify';
import { PASSWORD_MIN, type PasswordOutcome } from '../../../../accounts/staff/staff-enrolment.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { csrfField } from '../../form/csrf.ts';
import { textField } from '../../form/form-field.ts';
import type { PageRequest } from '../console-route.ts';
import { sendDoorPage } from './sign-in-page.ts';

export type PasswordFault = Exclude<PasswordOutcome, 'changed'> | 'not_repeated';

const FAULTS: Record<PasswordFault, [field: 'current' | 'next' | 'repeated', text: string]> = {
  locked: ['current', 'Too many attempts. Wait a quarter of an hour and try again.'],
  wrong_password: ['current', 'This is not your password.'],
  too_short: ['next', `Use at least ${PASSWORD_MIN} characters. A few words are easier to remember.`],
  too_long: ['next', 'Use at most 200 characters.'],
  same: ['next', 'This is the password that you have now. Choose another.'],
  not_repeated: ['repeated', 'The two are not the same.'],
};

export function sendPasswordPage(visit: PageRequest, fault?: PasswordFault): Promise<FastifyReply> {
  return sendDoorPage(visit.deps, visit.reply, {
    title: 'Choose a password',
    lead: 'The one you were given is for the first sign-in only.',
    body: html`<div class="card">${passwordForm(visit, fault)}</div>`,
  });
}

/** The form of both places where a password is changed. */
export function passwordForm({ deps, request, reply, staff }: PageRequest, fault?: PasswordFault): Html {
  const [field, text] = fault === undefined ? [] : FAULTS[fault];
  const faultOf = (name: string) => (name === field ? text : undefined);
  return html`<form class="flow" method="post" action="/console/password">
    ${csrfField(deps, request, reply)}
    <input type="hidden" name="email" autocomplete="username" value="${staff.email}" />
    ${textField({
      name: 'current',
      label: 'Password you have now',
      type: 'password',
      autocomplete: 'current-password',
      fault: faultOf('current'),
      required: true,
    })}
    ${textField({
      name: 'next',
      label: 'New password',
      hint: `At least ${PASSWORD_MIN} characters.`,
      type: 'password',
      autocomplete: 'new-password',
      fault: faultOf('next'),
      required: true,
    })}
    ${textField({
      name: 'repeated',
      label: 'New password once more',
      type: 'password',
      autocomplete: 'new-password',
      fault: faultOf('repeated'),
      required: true,
    })}
    <p><button class="button" type="submit">Change the password</button></p>
  </form>`;
}
