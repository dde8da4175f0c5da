import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openSession } from '../../../accounts/sign-in/session.ts';
import {
  enterSignInCode,
  type CodeSent,
  type SignIn,
  type SignInContext,
  type SignInKind,
} from '../../../accounts/sign-in/sign-in-code.ts';
import type { Deps } from '../../../core/context.ts';
import type { Db } from '../../../core/postgres/db.ts';
import { callerGroup } from '../../../core/text/address-group.ts';
import { formatCount } from '../../../core/text/format-count.ts';
import type { Html } from '../../../core/text/html.ts';
import { emailAddress } from '../../../core/text/text.ts';
import { browserHash } from '../form/csrf.ts';
import { signInUrl, readState, signInStep, type SignInPath } from '../form/sign-in-step.ts';
import { formatWait } from '../frame/wording.ts';
import { refuse, type ActionContext } from './action.ts';
import type { Audience } from './audience.ts';
import type { PageRequest, PageState } from './page-request.ts';
import { addAction, addPage } from './person-route.ts';

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
export interface SignInPage<Person> {
  path: string;
  who: Audience<Person>;
  /** Its URL in this request, where `path` has parameters or query parameters are carried along. */
  at?: (request: FastifyRequest) => SignInPath;
  /** Purpose of the sign-in, as worded in the email. */
  purpose: (person: Person) => string;
  /** Sends the page, whether or not the visitor is signed in. */
  show: (request: PageRequest<Person>, step: Html) => Promise<FastifyReply>;
}

/** Mounts the page and both steps: the email address, then the code sent to it. */
export function addMailSignIn<Person>(
  scope: FastifyInstance,
  deps: Deps,
  method: MailSignIn,
  { path, who, at = () => ({ path }), purpose, show }: SignInPage<Person>,
): void {
  const { kind, hint } = method;
  const page = async (request: PageRequest<Person>, state: PageState) =>
    show(request, signInStep(request, at(request.request), hint, await readState(request, kind, state)));
  addPage(scope, deps, { path, who, show: (request) => page(request, {}) });
  addAction(scope, deps, {
    name: `send_${kind}_code`,
    path: `${path}/email`,
    who,
    async run(act) {
      const email = emailAddress().safeParse(act.form.get('email') ?? '');
      if (!email.success)
        refuse({ faults: { email: 'This is not an email address. It looks like name@example.com.' } });
      const from = { address: callerGroup(act.request), browser: browserHash(act.deps, act.request) };
      const signIn = { email: email.data, ...from, purpose: purpose(act.person) };
      const sent = await method.send(act.db, act, signIn);
      if (sent.outcome === 'too_many') {
        const { retryAfterSeconds } = sent;
        const fault = `Too many codes were requested. Try again in ${formatWait(retryAfterSeconds)}.`;
        return { again: { status: 429, retryAfterSeconds, faults: { email: fault } } };
      }
      act.audit(sent.attemptId);
      return { to: signInUrl(at(act.request), '', { attempt: sent.attemptId }) };
    },
    page,
  });
  addAction(scope, deps, {
    name: `${kind}_sign_in`,
    path: `${path}/code`,
    who,
    async run(act) {
      const [attemptId, code] = [act.form.get('attempt') ?? '', act.form.get('code') ?? ''];
      const browser = browserHash(act.deps, act.request);
      const result = await enterSignInCode(act.db, act, kind, { attemptId, browser, code });
      if (result.outcome === 'proven') {
        act.setCookie(await openSession(act, kind, await method.holderOf(act, result.email)));
        return { to: signInUrl(at(act.request)) };
      }
      return { again: { status: 422, faults: { code: codeFault(result) } } };
    },
    page,
  });
}

function codeFault(result: { outcome: 'wrong'; triesLeft: number } | { outcome: 'no_code' }): string {
  if (result.outcome === 'no_code')
    return 'This code has expired, or another browser requested it. Request a new one here.';
  const { triesLeft } = result;
  return `This is not the code. You have ${formatCount(triesLeft, 'try', 'tries')} left.`;
}
