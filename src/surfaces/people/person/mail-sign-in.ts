import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { CODE_RULES } from '../../../accounts/sign-in/mailed-code.ts';
import { openSession } from '../../../accounts/sign-in/session.ts';
import {
  enterSignInCode,
  openSignIn,
  type CodeSent,
  type SignIn,
  type SignInContext,
  type SignInKind,
} from '../../../accounts/sign-in/sign-in-code.ts';
import type { Db } from '../../../core/postgres/db.ts';
import { callerGroup } from '../../../core/text/address-group.ts';
import { formatCount } from '../../../core/text/format-count.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { actionForm } from '../form/action-form.ts';
import { browserHash } from '../form/csrf.ts';
import { codeInput, hiddenInput, ownEmailInput } from '../form/fields.ts';
import { readForm } from '../form/form-body.ts';
import { formatWait } from '../frame/wording.ts';
import { defineAction, type Action, type ActionContext } from './action.ts';
import type { Audience } from './audience.ts';
import type { PageRequest, PageState } from './page-request.ts';
import { fillPath } from './page.ts';

/** A kind of sign-in by emailed code. */
export interface MailSignIn {
  kind: SignInKind;
  /** Hint under the email field. */
  hint: string;
  send(tx: Db, ctx: SignInContext, signIn: SignIn): Promise<CodeSent>;
  /** Returns the session holder for the proven email address. */
  holderOf(act: ActionContext<unknown>, email: string): Promise<string>;
}

/** The page that holds the sign-in form. */
interface SignInPage<Person> {
  path: string;
  who: Audience<Person>;
  /** Purpose of the sign-in, as worded in the email. */
  purpose: (person: Person) => string;
  /** Query parameters that are carried from step to step. */
  carried?: (request: FastifyRequest) => Readonly<Record<string, string>>;
}

/** A sent code that has not been entered yet. */
interface SignInAttempt {
  id: string;
  email: string;
}

/** The two steps of a sign-in, as parts of its page: the email address, then the code sent to it. */
interface SignInSteps<Person> {
  actions: readonly Action<Person>[];
  /** Returns the pending attempt that the form or the URL identifies. */
  findAttempt(req: PageRequest): Promise<SignInAttempt | undefined>;
  /** Renders the form of the current step. */
  form(req: PageRequest<Person>, attempt: SignInAttempt | undefined, state: PageState): Html;
}

export function mailSignIn<Person>(
  method: MailSignIn,
  { path, who, purpose, carried = () => ({}) }: SignInPage<Person>,
): SignInSteps<Person> {
  const { kind, hint } = method;
  const urlOf = (
    { params, request }: Pick<PageRequest, 'params' | 'request'>,
    more: Readonly<Record<string, string>> = {},
  ) => {
    const query = new URLSearchParams({ ...carried(request), ...more }).toString();
    return fillPath(path, params) + (query && `?${query}`);
  };
  const sendCode = defineAction({
    name: `send_${kind}_code`,
    path: `${path}/email`,
    who,
    title: 'Sign in by mail',
    fields: { email: ownEmailInput({ hint }) },
    button: 'Send me a code',
    async run(act, { email }) {
      const from = { address: callerGroup(act.request), browser: browserHash(act.deps, act.request) };
      const sent = await method.send(act.db, act, { email, ...from, purpose: purpose(act.person) });
      if (sent.outcome === 'too_many') {
        const { retryAfterSeconds } = sent;
        const fault = `Too many codes were requested. Try again in ${formatWait(retryAfterSeconds)}.`;
        return { again: { status: 429, retryAfterSeconds, faults: { email: fault } } };
      }
      act.audit(sent.attemptId);
      return { to: urlOf(act, { attempt: sent.attemptId }) };
    },
  });
  const enterCode = defineAction({
    name: `${kind}_sign_in`,
    path: `${path}/code`,
    who,
    title: 'Enter the code',
    fields: {
      attempt: hiddenInput(z.string()),
      code: codeInput({ hint: 'The digits in the mail.', autofocus: true }),
    },
    button: 'Sign in',
    async run(act, { attempt: attemptId, code }) {
      const browser = browserHash(act.deps, act.request);
      const result = await enterSignInCode(act.db, act, kind, { attemptId, browser, code });
      if (result.outcome !== 'proven') return { again: { status: 422, faults: { code: codeFault(result) } } };
      act.setCookie(await openSession(act, kind, await method.holderOf(act, result.email)));
      return { to: urlOf(act) };
    },
  });
  return {
    actions: [sendCode, enterCode],
    async findAttempt({ deps, request, query, now }) {
      const id = readForm(request).get('attempt') ?? query.get('attempt') ?? '';
      const identity = { attemptId: id, browser: browserHash(deps, request) };
      const email = await openSignIn(deps.pool, kind, identity, now);
      return email === undefined ? undefined : { id, email };
    },
    form(req, attempt, state) {
      const query = carried(req.request);
      if (attempt === undefined) {
        // A code that has expired is reported where a new one is requested.
        const email = state.faults?.['email'] ?? state.faults?.['code'];
        const first = email === undefined ? state : { ...state, action: sendCode.name, faults: { email } };
        return html`${actionForm(req, sendCode, first, { query })}`;
      }
      const help = html`A code is on its way to <strong>${attempt.email}</strong>. ${CODE_RULES}`;
      return html`${actionForm(req, enterCode, state, { query, help, values: { attempt: attempt.id } })}
        <p><a href="${urlOf(req)}">Use another address, or send a new code</a></p>`;
    },
  };
}

function codeFault(result: { outcome: 'wrong'; triesLeft: number } | { outcome: 'no_code' }): string {
  if (result.outcome === 'no_code')
    return 'This code has expired, or another browser requested it. Request a new one here.';
  const { triesLeft } = result;
  return `This is not the code. You have ${formatCount(triesLeft, 'try', 'tries')} left.`;
}
