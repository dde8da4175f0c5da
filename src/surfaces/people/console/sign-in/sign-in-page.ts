import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { undoAttempt, countAttempt } from '../../../../accounts/sign-in/sign-in-lock.ts';
import {
  sessionCookie,
  staffSession,
  type SessionOrigin,
  type StaffSession,
} from '../../../../accounts/sign-in/staff-session.ts';
import { QueueFullError } from '../../../../accounts/staff/password-hash-queue.ts';
import type { LookedUpAttempt } from '../../../../accounts/staff/sign-in-lookup.ts';
import { checkPassword, signIn } from '../../../../accounts/staff/staff-sign-in.ts';
import { callerGroup } from '../../../../core/text/address-group.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { actionForm } from '../../form/action-form.ts';
import { codeInput, hiddenInput, passwordInput, textInput } from '../../form/fields.ts';
import { page } from '../../frame/layout.ts';
import { sendPage } from '../../frame/send-page.ts';
import { siteOf } from '../../frame/site.ts';
import { defineAction, refuse } from '../../person/action.ts';
import { anybody, type Anybody, type Audience } from '../../person/audience.ts';
import { definePage, type Frame } from '../../person/page.ts';
import type { PageState } from '../../person/page-request.ts';
import { noticeLine } from '../console-page.ts';
import { formatTime } from '../moment.ts';

const PATH = '/console/sign-in';
const WRONG =
  'The email, the password or the code is wrong. A code works once: wait for the next one before you try again.';

/** Draws pages of the sign-in: narrow, without the console's navigation, which needs a session. */
export const signInFrame: Frame<unknown> = (
  { deps, reply },
  _page,
  { title, lead, body, notice, scripts = [], status },
) => {
  if (status !== undefined) reply.code(status);
  const markup = page({
    site: siteOf(deps),
    title,
    description: 'For the people who run the directory.',
    indexed: false,
    frame: 'console',
    nav: [{ href: '/', label: 'Destinations' }],
    styles: ['console.css'],
    scripts,
    body: html`<div class="wrap page door">
      <h1>${title}</h1>
      ${lead !== undefined && html`<p class="soft">${lead}</p>`} ${notice !== undefined && noticeLine(notice)}
      ${body}
    </div>`,
  });
  return sendPage(reply, markup);
};

/** Any visitor, with their staff session if they have one. */
interface Visitor extends Anybody {
  session?: StaffSession | undefined;
}

const visitor: Audience<Visitor> = {
  ...anybody,
  find: async (deps, request) => ({
    address: callerGroup(request),
    session: await staffSession(deps, request),
  }),
};

/**
 * Signs in. The response never reveals whether the email, the password or the code was wrong. This also applies during
 * a lock, when a right code with a wrong password gets the same response as a wrong code. Refusals come before the
 * password is hashed. An owner of the second factor is neither locked out nor delayed by strangers.
 */
const enter = defineAction({
  name: 'staff_sign_in',
  path: PATH,
  who: anybody,
  fields: {
    next: hiddenInput(z.string()),
    email: textInput(z.string(), {
      label: 'Email',
      type: 'email',
      autocomplete: 'username',
      maxlength: 254,
      required: true,
    }),
    password: passwordInput(z.string(), {
      label: 'Password',
      autocomplete: 'current-password',
      maxlength: 200,
      required: true,
    }),
    totp: codeInput({
      hint: 'Six digits from your authenticator, or a recovery code. Leave it empty the first time.',
      inputmode: 'text',
      required: false,
    }),
  },
  button: 'Sign in',
  plain: false,
  async prepare({ deps, form, person: { address }, now, inTransaction }) {
    const email = (form.get('email') ?? '').slice(0, 254).trim().toLowerCase();
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
  async run(act, { totp: code, next }, { lookup, account, right }) {
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
    return { to: safeNext(next) };
  },
});

export const signInPage = definePage<Visitor, undefined>({
  path: PATH,
  who: visitor,
  load: () => undefined,
  view(req, _data, state) {
    const { query, person } = req;
    const next = safeNext(state.form?.get('next') ?? query.get('next'));
    if (person.session !== undefined) return { to: next };
    return {
      title: 'Sign in',
      lead: 'For staff. Agents and partners use their keys.',
      notice: state.notice ?? (query.has('out') ? { kind: 'good', text: 'You are signed out.' } : undefined),
      body: html`${actionForm(req, enter, state, {
        values: { next },
        fields: { email: { autofocus: (state.form?.get('email') ?? '') === '' } },
        className: 'card flow',
      })}`,
    };
  },
  actions: [enter],
});

const BUSY: PageState = {
  status: 429,
  retryAfterSeconds: 10,
  notice: {
    kind: 'bad',
    text: 'Too many people are signing in at the moment. Try again in a few seconds. With the code of your authenticator you need not wait.',
  },
};

/** Response to a failed attempt. It does not reveal whether the code was right. */
function failedState({ attempt, strangersLockedUntil }: LookedUpAttempt): PageState {
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

/** Returns the path to redirect to after sign-in. Anything outside the console becomes the console's start page. */
function safeNext(next: string | null | undefined): string {
  return next != null && /^\/console(?:[/?][\w\-./?=&%+]*)?$/.test(next) ? next : '/console';
}

/** Returns where a request comes from, which the page of the account shows. */
export function requestOrigin(request: FastifyRequest): SessionOrigin {
  return { address: request.ip, userAgent: request.headers['user-agent'] ?? '' };
}
