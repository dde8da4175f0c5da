import type { FastifyReply } from 'fastify';
import { PASSWORD_MIN, type PasswordFault } from '../../../../accounts/staff/staff-enrolment.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { textField } from '../../form/form-field.ts';
import { form } from '../../frame/frame.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import type { Staff } from '../../person/people.ts';
import { sendSignInFramePage } from './sign-in-page.ts';

/** Field errors for each failed check of a new password. */
export const PASSWORD_FAULTS: Record<PasswordFault, NonNullable<PageState['faults']>> = {
  locked: { current: 'Too many attempts. Wait 15 minutes and try again.' },
  wrong_password: { current: 'This is not your password.' },
  too_short: { next: `Use at least ${PASSWORD_MIN} characters. A few words are easier to remember.` },
  too_long: { next: 'Use at most 200 characters.' },
  same: { next: 'This is the password that you have now. Choose another.' },
  not_repeated: { repeated: 'The two are not the same.' },
};

export function sendPasswordPage(request: PageRequest<Staff>, state: PageState): Promise<FastifyReply> {
  return sendSignInFramePage(request, {
    title: 'Choose a password',
    lead: 'The password you were given is for the first sign-in only.',
    body: html`<div class="card">${passwordForm(request, state)}</div>`,
  });
}

/** Form shared by the two pages on which a password is changed. */
export function passwordForm(request: PageRequest<Staff>, { faults = {} }: PageState): Html {
  const password = (name: string, label: string, more: { autocomplete?: string; hint?: string } = {}) => {
    const type = { type: 'password', autocomplete: 'new-password', ...more } as const;
    return textField({ name, label, ...type, fault: faults[name], required: true });
  };
  return form(
    request,
    '/console/password',
    html`<input type="hidden" name="email" autocomplete="username" value="${request.person.email}" />
      ${password('current', 'Current password', { autocomplete: 'current-password' })}
      ${password('next', 'New password', { hint: `At least ${PASSWORD_MIN} characters.` })}
      ${password('repeated', 'Repeat the new password')}
      <p><button class="button" type="submit">Change the password</button></p>`,
  );
}
