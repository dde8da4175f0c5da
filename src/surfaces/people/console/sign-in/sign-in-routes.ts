import type { FastifyInstance, FastifyReply } from 'fastify';
import type { z } from 'zod';
import { forgiveAttempt, takeAttempt } from '../../../../accounts/sign-in/sign-in-lock.ts';
import {
  endSession,
  endSessionsOf,
  sessionCookie,
  staffSession,
  type StaffSession,
} from '../../../../accounts/sign-in/staff-session.ts';
import { LineFullError } from '../../../../accounts/staff/password-line.ts';
import type { Looked } from '../../../../accounts/staff/sign-in-lookup.ts';
import { checkPassword, signIn, type CheckedPassword } from '../../../../accounts/staff/staff-sign-in.ts';
import type { Deps } from '../../../../core/context.ts';
import { callerGroup } from '../../../../core/text/address-group.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { refuse, type Action } from '../../person/action.ts';
import { anybody, type Anybody, type Audience } from '../../person/audience.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { unfinishedStaff, type Staff } from '../../person/people.ts';
import { addActions, addPage } from '../../person/person-route.ts';
import { momentOf } from '../moment.ts';
import { addAccount, sendAccountPage } from './account-page.ts';
import { addEnrolment } from './enrol-page.ts';
import { originOf, sendSignInPage } from './sign-in-page.ts';

const PATH = '/console/sign-in';
const WRONG =
  'The email, the password or the code is not right. A code works once: wait for the next one before you try again.';

export function addSignIn(scope: FastifyInstance, deps: Deps): void {
  addPage(scope, deps, { path: PATH, who: maybeStaff, show: showSignIn });
  addActions(scope, deps, enter, leave);
  addEnrolment(scope, deps);
  addAccount(scope, deps);
}

/** Anybody, with the session of staff if they have one. */
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
 * The answer never says which of the three was wrong, also where the door is closed: a right code with a wrong password
 * is then told what a wrong code is. What is refused is refused before the password is hashed, and whoever holds the
 * second factor is neither closed out nor held up by strangers.
 */
const enter: Action<Anybody, z.ZodObject, CheckedPassword & { looked: Looked }> = {
  name: 'staff_sign_in',
  path: PATH,
  who: anybody,
  async prepare({ deps, form, person: { address }, now, inTransaction }) {
    const email = emailIn(form).trim().toLowerCase();
    const tried = { email, address, now, code: form.get('totp') ?? '' };
    const looked = await deps.signInLookup.look(tried);
    const { account, attempt, strangersUntil, addressUntil } = looked;
    if (strangersUntil !== undefined && attempt.standing === 'stranger') {
      await deps.passwordLine.untilRefused();
      refuse(addressUntil === undefined ? closedState(now, strangersUntil) : fullState(now, addressUntil));
    }
    const password = (form.get('password') ?? '').slice(0, 1000);
    try {
      return await deps.passwordLine.take(attempt.standing, async () => {
        const until = await inTransaction((tx) => takeAttempt(tx, attempt));
        if (until !== undefined)
          refuse(attempt.standing === 'stranger' ? closedState(now, until) : failedState(looked));
        return { looked, ...(await checkPassword(account, password)) };
      });
    } catch (thrown) {
      if (!(thrown instanceof LineFullError)) throw thrown;
      await deps.passwordLine.untilRefused();
      return refuse(BUSY);
    }
  },
  async run(act, _values, { looked, account, right }) {
    const code = act.form.get('totp') ?? '';
    const opened =
      account !== undefined && right
        ? await signIn(act.db, act, account, code, originOf(act.request))
        : undefined;
    if (account === undefined || opened === undefined) {
      act.audit(account?.id ?? null, { password_right: right }, 'staff_sign_in_refused');
      return { again: failedState(looked) };
    }
    await forgiveAttempt(act.db, looked.attempt);
    act.identify(account.id);
    act.audit(account.id, { second_factor: opened.factor, address: originOf(act.request).address });
    act.setCookie(sessionCookie(act.deps, opened.token));
    return { to: safeNext(act.form.get('next')) };
  },
  page: (request, { form, notice }: PageState) =>
    sendSignInPage(request, { email: emailIn(form), next: safeNext(form?.get('next')), notice }),
};

const leave: Action<Staff> = {
  name: 'staff_sign_out',
  path: '/console/sign-out',
  who: unfinishedStaff,
  async run(act) {
    const { id, session } = act.person;
    const everywhere = act.form.get('everywhere') === 'yes';
    if (everywhere) await endSessionsOf(act.db, id);
    else await endSession(act.db, session.tokenHash);
    const operation = everywhere ? 'staff_sign_out_everywhere' : 'staff_sign_out';
    act.audit(id, { address: originOf(act.request).address }, operation);
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
    text: 'Very many people try to sign in at this moment. Try again in a few seconds. With the code of your authenticator you need not wait.',
  },
};

/** An attempt that failed: whoever tries cannot see from it whether the code was right. */
function failedState({ attempt, strangersUntil }: Looked): PageState {
  return strangersUntil === undefined
    ? { status: 401, notice: { kind: 'bad', text: WRONG } }
    : closedState(attempt.now, strangersUntil);
}

/** A lock that strangers brought about is open to whoever holds the second factor, and says so whether or not there is one. */
function closedState(now: Date, until: Date): PageState {
  const text = html`Too many attempts failed. Signing in without the right code is closed until
  ${momentOf(until)}. Enter your password with the code that your authenticator shows now, or a recovery code,
  and you get in.`;
  return refusedUntil(now, until, text);
}

/** Where the code of nobody is looked at any more. */
function fullState(now: Date, until: Date): PageState {
  const text = html`Far too many attempts came from your network while signing in was closed. From here it
  stays closed until ${momentOf(until)}. From another network, a mobile phone for instance, you get in with
  your password and the code that your authenticator shows.`;
  return refusedUntil(now, until, text);
}

function refusedUntil(now: Date, until: Date, text: Html): PageState {
  const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  return { status: 429, retryAfterSeconds, notice: { kind: 'bad', text } };
}

function emailIn(form: URLSearchParams | undefined): string {
  return (form?.get('email') ?? '').slice(0, 254);
}

/** A path of the console that a person may be sent on to; anything else becomes the console itself. */
function safeNext(next: string | null | undefined): string {
  return next != null && /^\/console(?:[/?][\w\-./?=&%+]*)?$/.test(next) ? next : '/console';
}
