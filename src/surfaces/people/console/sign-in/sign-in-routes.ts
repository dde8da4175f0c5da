import type { FastifyInstance, FastifyReply } from 'fastify';
import type { z } from 'zod';
import { undoAttempt, countAttempt } from '../../../../accounts/sign-in/sign-in-lock.ts';
import {
  endSession,
  endSessionsOf,
  sessionCookie,
  staffSession,
  type StaffSession,
} from '../../../../accounts/sign-in/staff-session.ts';
import { QueueFullError } from '../../../../accounts/staff/password-hash-queue.ts';
import type { LookedUpAttempt } from '../../../../accounts/staff/sign-in-lookup.ts';
import { checkPassword, signIn, type CheckedPassword } from '../../../../accounts/staff/staff-sign-in.ts';
import type { Deps } from '../../../../core/context.ts';
import { callerGroup } from '../../../../core/text/address-group.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { refuse, type Action } from '../../person/action.ts';
import { anybody, type Anybody, type Audience } from '../../person/audience.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { anyStaff, type Staff } from '../../person/people.ts';
import { addActions, addPage } from '../../person/person-route.ts';
import { formatTime } from '../moment.ts';
import { addStaffAccount, sendAccountPage } from './account-page.ts';
import { addEnrolment } from './enrol-page.ts';
import { requestOrigin, sendSignInPage } from './sign-in-page.ts';

const PATH = '/console/sign-in';
const WRONG =
  'The email, the password or the code is wrong. A code works once: wait for the next one before you try again.';

export function addSignIn(scope: FastifyInstance, deps: Deps): void {
  addPage(scope, deps, { path: PATH, who: maybeStaff, show: showSignIn });
  addActions(scope, deps, signInAction, signOutAction);
  addEnrolment(scope, deps);
  addStaffAccount(scope, deps);
}

/** Any visitor, with their staff session if they have one. */
const maybeStaff: Audience<Anybody & { session: StaffSession | undefined }> = {
  ...anybody,
  find: async (deps, request) => ({
    address: callerGroup(request),
    session: await staffSession(deps, request),
  }),
};

async function showSignIn(
  request: PageRequest<{ session: StaffSession | undefined }>,
): Promise<FastifyReply> {
  const { query, person, reply } = request;
  const next = safeNext(query.get('next'));
  if (person.session !== undefined) return reply.redirect(next, 303);
  const notice = query.has('out') ? ({ kind: 'good', text: 'You are signed out.' } as const) : undefined;
  return sendSignInPage(request, { email: '', next, notice });
}

/**
 * Signs in. The response never reveals whether the email, the password or the code was wrong. This also applies during
 * a lock, when a right code with a wrong password gets the same response as a wrong code. Refusals come before the
 * password is hashed. An owner of the second factor is neither locked out nor delayed by strangers.
 */
const signInAction: Action<Anybody, z.ZodObject, CheckedPassword & { lookup: LookedUpAttempt }> = {
  name: 'staff_sign_in',
  path: PATH,
  who: anybody,
  async prepare({ deps, form, person: { address }, now, inTransaction }) {
    const email = emailIn(form).trim().toLowerCase();
    const credentials = { email, address, now, code: form.get('totp') ?? '' };
    const lookup = await deps.signInLookup.lookUp(credentials);
    const { account, attempt, strangersLockedUntil, addressLockedUntil } = lookup;
    if (strangersLockedUntil !== undefined && attempt.trust === 'stranger') {
      await deps.passwordHashQueue.delayRefusal();
      refuse(
        addressLockedUntil === undefined
          ? lockedState(now, strangersLockedUntil)
          : addressLockedState(now, addressLockedUntil),
      );
    }
    const password = (form.get('password') ?? '').slice(0, 1000);
    try {
      return await deps.passwordHashQueue.take(attempt.trust, async () => {
        const until = await inTransaction((tx) => countAttempt(tx, attempt));
        if (until !== undefined)
          refuse(attempt.trust === 'stranger' ? lockedState(now, until) : failedState(lookup));
        return { lookup, ...(await checkPassword(account, password)) };
      });
    } catch (thrown) {
      if (!(thrown instanceof QueueFullError)) throw thrown;
      await deps.passwordHashQueue.delayRefusal();
      return refuse(BUSY);
    }
  },
  async run(act, _values, { lookup, account, right }) {
    const code = act.form.get('totp') ?? '';
    const session =
      account !== undefined && right
        ? await signIn(act.db, act, account, code, requestOrigin(act.request))
        : undefined;
    if (account === undefined || session === undefined) {
      act.audit(account?.id ?? null, { password_right: right }, 'staff_sign_in_refused');
      return { again: failedState(lookup) };
    }
    await undoAttempt(act.db, lookup.attempt);
    act.identify(account.id);
    act.audit(account.id, { second_factor: session.factor, address: requestOrigin(act.request).address });
    act.setCookie(sessionCookie(act.deps, session.token));
    return { to: safeNext(act.form.get('next')) };
  },
  page: (request, { form, notice }: PageState) =>
    sendSignInPage(request, { email: emailIn(form), next: safeNext(form?.get('next')), notice }),
};

const signOutAction: Action<Staff> = {
  name: 'staff_sign_out',
  path: '/console/sign-out',
  who: anyStaff,
  async run(act) {
    const { id, session } = act.person;
    const everywhere = act.form.get('everywhere') === 'yes';
    if (everywhere) await endSessionsOf(act.db, id);
    else await endSession(act.db, session.tokenHash);
    const operation = everywhere ? 'staff_sign_out_everywhere' : 'staff_sign_out';
    act.audit(id, { address: requestOrigin(act.request).address }, operation);
    act.setCookie(sessionCookie(act.deps, undefined));
    return { to: `${PATH}?out` };
  },
  page: sendAccountPage,
};

const BUSY: PageState = {
  status: 429,
  retryAfterSeconds: 10,
  notice: {
    kind: 'bad',
    text: 'Too many people are signing in at the moment. Try again in a few seconds. With the code of your authenticator you need not wait.',
  },
};

/** Response to a failed attempt. It does not reveal whether the code was right. */
function failedState({ attempt, strangersLockedUntil: strangersLockedUntil }: LookedUpAttempt): PageState {
  return strangersLockedUntil === undefined
    ? { status: 401, notice: { kind: 'bad', text: WRONG } }
    : lockedState(attempt.now, strangersLockedUntil);
}

/**
 * Response during a lock caused by strangers. Owners of the second factor can still sign in; the text is the same
 * whether or not a second factor is set up.
 */
function lockedState(now: Date, until: Date): PageState {
  const text = html`Too many attempts failed. Signing in without the right code is closed until
  ${formatTime(until)}. To sign in now, enter your password with the current code of your authenticator, or a
  recovery code.`;
  return refusedUntil(now, until, text);
}

/** Response to an address whose codes are no longer checked because of too many attempts. */
function addressLockedState(now: Date, until: Date): PageState {
  const text = html`Far too many attempts came from your network while signing in was closed. From here it
  stays closed until ${formatTime(until)}. From another network, for example with a mobile phone, you can sign
  in with your password and the code of your authenticator.`;
  return refusedUntil(now, until, text);
}

function refusedUntil(now: Date, until: Date, text: Html): PageState {
  const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  return { status: 429, retryAfterSeconds, notice: { kind: 'bad', text } };
}

function emailIn(form: URLSearchParams | undefined): string {
  return (form?.get('email') ?? '').slice(0, 254);
}

/** Returns the path to redirect to after sign-in. Anything outside the console becomes the console's start page. */
function safeNext(next: string | null | undefined): string {
  return next != null && /^\/console(?:[/?][\w\-./?=&%+]*)?$/.test(next) ? next : '/console';
}
