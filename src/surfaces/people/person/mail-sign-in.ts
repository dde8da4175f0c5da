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
import type { Html } from '../../../core/text/html.ts';
import { emailAddress } from '../../../core/text/text.ts';
import { browserOf } from '../form/csrf.ts';
import { addressOf, readState, signInStep, type Address } from '../form/sign-in-step.ts';
import { waitWords } from '../frame/wording.ts';
import { refuse, type ActionContext } from './action.ts';
import type { Audience } from './audience.ts';
import type { PageRequest, PageState } from './page-request.ts';
import { addAction, addPage } from './person-route.ts';

/** Who signs in by a code to their mailbox, and what that leads to. */
export interface MailSignIn {
  kind: SignInKind;
  /** Under the field for the mailbox. */
  hint: string;
  send(tx: Db, ctx: SignInContext, signIn: SignIn): Promise<CodeSent>;
  /** Whom the session is for, now that the mailbox is proven. */
  holderOf(act: ActionContext<unknown>, email: string): Promise<string>;
}

/** The page on which it happens. */
export interface SignInPage<Person> {
  path: string;
  who: Audience<Person>;
  /** Its address in this request, where `path` has parameters or something is carried along. */
  at?: (request: FastifyRequest) => Address;
  /** What the person signs in for, as the mail says it. */
  purpose: (person: Person) => string;
  /** The page for whoever opens it, signed in or not. */
  show: (request: PageRequest<Person>, step: Html) => Promise<FastifyReply>;
}

/** Mounts the page and both steps: the mailbox, and then the code that went there. */
export function addMailSignIn<Person>(
  scope: FastifyInstance,
  deps: Deps,
  way: MailSignIn,
  { path, who, at = () => ({ path }), purpose, show }: SignInPage<Person>,
): void {
  const { kind, hint } = way;
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
      const from = { address: callerGroup(act.request), browser: browserOf(act.deps, act.request) };
      const signIn = { email: email.data, ...from, purpose: purpose(act.person) };
      const sent = await way.send(act.db, act, signIn);
      if (sent.outcome === 'too_many') {
        const { retryAfterSeconds } = sent;
        const fault = `Too many codes were asked for. Try again in ${waitWords(retryAfterSeconds)}.`;
        return { again: { status: 429, retryAfterSeconds, faults: { email: fault } } };
      }
      act.audit(sent.attemptId);
      return { to: addressOf(at(act.request), '', { attempt: sent.attemptId }) };
    },
    page,
  });
  addAction(scope, deps, {
    name: `${kind}_sign_in`,
    path: `${path}/code`,
    who,
    async run(act) {
      const [attemptId, code] = [act.form.get('attempt') ?? '', act.form.get('code') ?? ''];
      const browser = browserOf(act.deps, act.request);
      const entered = await enterSignInCode(act.db, act, kind, { attemptId, browser, code });
      if (entered.outcome === 'proven') {
        act.setCookie(await openSession(act, kind, await way.holderOf(act, entered.email)));
        return { to: addressOf(at(act.request)) };
      }
      return { again: { status: 422, faults: { code: codeFault(entered) } } };
    },
    page,
  });
}

function codeFault(entered: { outcome: 'wrong'; triesLeft: number } | { outcome: 'no_code' }): string {
  if (entered.outcome === 'no_code')
    return 'This code has run out, or another browser asked for it. Ask for a new one here.';
  const { triesLeft } = entered;
  return `This is not the code. You have ${triesLeft} ${triesLeft === 1 ? 'try' : 'tries'} left.`;
}
