import { z } from 'zod';
import type { Attempt } from '../../../../accounts/sign-in/sign-in-lock.ts';
import {
  checkNewPassword,
  PASSWORD_MIN,
  setPassword,
  type PasswordFault,
} from '../../../../accounts/staff/staff-enrolment.ts';
import { callerGroup } from '../../../../core/text/address-group.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { actionForm } from '../../form/action-form.ts';
import { passwordInput } from '../../form/fields.ts';
import { rawForm } from '../../form/form-body.ts';
import { defineAction, refuse } from '../../person/action.ts';
import type { Audience } from '../../person/audience.ts';
import { definePage } from '../../person/page.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { anyStaff, type Staff } from '../../person/people.ts';
import { requestOrigin } from './sign-in-page.ts';

/** Field errors for each failed check of a new password. */
const PASSWORD_FAULTS: Record<PasswordFault, NonNullable<PageState['faults']>> = {
  locked: { current: 'Too many attempts. Wait 15 minutes and try again.' },
  wrong_password: { current: 'This is not your password.' },
  too_short: { next: `Use at least ${PASSWORD_MIN} characters. A few words are easier to remember.` },
  too_long: { next: 'Use at most 200 characters.' },
  same: { next: 'This is the password that you have now. Choose another.' },
  not_repeated: { repeated: 'The two are not the same.' },
};

const newPassword = { autocomplete: 'new-password', required: true };

/** Changes the password. There are two such actions, on the page of the first sign-in and on that of the account. */
export function passwordAction(path: string, who: Audience<Staff>) {
  return defineAction({
    name: 'staff_password_changed',
    path,
    who,
    fields: {
      current: passwordInput(z.string(), {
        label: 'Current password',
        autocomplete: 'current-password',
        required: true,
      }),
      next: passwordInput(z.string(), {
        label: 'New password',
        hint: `At least ${PASSWORD_MIN} characters.`,
        ...newPassword,
      }),
      repeated: passwordInput(z.string(), { label: 'Repeat the new password', ...newPassword }),
    },
    button: 'Change the password',
    plain: false,
    done: 'The password is changed. Your other sessions ended.',
    async prepare(context) {
      const submitted = rawForm(context.request);
      const field = (name: string) => submitted.get(name) ?? '';
      const change = { current: field('current'), next: field('next'), repeated: field('repeated') };
      const { deps, inTransaction } = context;
      const checked = await checkNewPassword(
        { db: deps.pool, inTransaction, line: deps.passwordHashQueue },
        attemptOf(context),
        change,
      );
      if ('hash' in checked) return checked.hash;
      const faults = PASSWORD_FAULTS[checked.fault];
      if (checked.until === undefined) return refuse({ faults });
      const retryAfterSeconds = Math.ceil((checked.until.getTime() - context.now.getTime()) / 1000);
      return refuse({ status: 429, retryAfterSeconds, faults });
    },
    async run(act, _values, hash) {
      const { id, session } = act.person;
      await setPassword(act.db, session, hash);
      act.audit(id, { address: requestOrigin(act.request).address });
      const isComplete = session.pending === undefined;
      return { to: isComplete ? '/console/account?done=staff_password_changed' : '/console/enrol' };
    },
  });
}

/**
 * Attempts within a session are limited too, so that the holder of a stolen session cannot guess more often than a
 * stranger. They are counted apart from attempts by strangers.
 */
export function attemptOf({ person, request, now }: PageRequest<Staff>): Attempt {
  return { email: person.email, address: callerGroup(request), trust: 'session', now };
}

/** Hidden field that tells a password manager whose password is changed. */
export function usernameField({ person }: PageRequest<Staff>): Html {
  return html`<input type="hidden" name="email" autocomplete="username" value="${person.email}" />`;
}

const changePassword = passwordAction('/console/password', anyStaff);

/** The first sign-in, with a password that somebody else chose. */
export const passwordPage = definePage({
  path: '/console/password',
  who: anyStaff,
  load: () => undefined,
  view: (req, _data, state) => ({
    title: 'Choose a password',
    lead: 'The password you were given is for the first sign-in only.',
    body: html`${actionForm(req, changePassword, state, {
      more: usernameField(req),
      className: 'card flow',
    })}`,
  }),
  actions: [changePassword],
});
