import type { FastifyReply } from 'fastify';
import {
  CODE_MINUTES,
  type CodeEntered,
  type CodeSent,
  type SignIn,
} from '../../../accounts/sign-in/sign-in-code.ts';
import type { Deps } from '../../../core/context.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { emailAddress } from '../../../core/text/text.ts';
import { form, type Around } from '../frame/around.ts';
import { checkCsrf } from './csrf.ts';
import { readForm } from './form-body.ts';
import { textField } from './form-field.ts';
import { waitWords } from '../frame/wording.ts';

/** Who signs in by a code to their mailbox, and how. */
export interface MailSignIn {
  /** Under the field for the mailbox. */
  hint: string;
  send(deps: Deps, signIn: SignIn): Promise<CodeSent>;
  /** The mailbox of a code that can still be entered. */
  open(deps: Deps, attemptId: string): Promise<string | undefined>;
  enter(
    deps: Deps,
    attemptId: string,
    code: string,
    requestId: string,
  ): Promise<CodeEntered<{ cookie: string }>>;
}

/** The page on which it happens. */
export interface SignInPage {
  path: string;
  /** What its addresses carry from step to step. */
  carried?: Readonly<Record<string, string>>;
}

/** Where a person stands on the way to being signed in. */
export interface SignInState {
  /** The sending of a code that waits to be entered. */
  attempt?: { id: string; email: string } | undefined;
  email?: string | undefined;
  fault?: string | undefined;
}

/** What a page shows to somebody who is not signed in: first the mailbox, then the code that went there. */
export function signInStep(
  around: Around,
  { hint }: MailSignIn,
  at: SignInPage,
  { attempt, email, fault }: SignInState,
): Html {
  if (attempt === undefined)
    return html`<section class="card flow" aria-labelledby="your-email">
      <h2 id="your-email">Sign in by mail</h2>
      ${form(
        around,
        addressOf(at, '/email'),
        html`${textField({
            name: 'email',
            label: 'Email',
            hint,
            type: 'email',
            autocomplete: 'email',
            inputmode: 'email',
            maxlength: 254,
            required: true,
            value: email,
            fault,
          })}
          <p><button class="button" type="submit">Send me a code</button></p>`,
      )}
    </section>`;
  return html`<section class="card flow" aria-labelledby="your-code">
    <h2 id="your-code">Enter the code</h2>
    <p>A code is on its way to <strong>${attempt.email}</strong>. It works for ${CODE_MINUTES} minutes.</p>
    ${form(
      around,
      addressOf(at, '/code'),
      html`<input type="hidden" name="attempt" value="${attempt.id}" />
        ${textField({
          name: 'code',
          label: 'Code',
          hint: 'Six digits.',
          autocomplete: 'one-time-code',
          inputmode: 'numeric',
          maxlength: 12,
          required: true,
          autofocus: true,
          fault,
        })}
        <p><button class="button" type="submit">Sign in</button></p>`,
    )}
    <p><a href="${addressOf(at)}">Use another address, or send a new code</a></p>
  </section>`;
}

/** The state that an address names: a code that was sent and can still be entered, or the beginning. */
export async function readState({ deps, request }: Around, way: MailSignIn): Promise<SignInState> {
  const { attempt } = request.query as { attempt?: unknown };
  if (typeof attempt !== 'string') return {};
  const email = await way.open(deps, attempt);
  return email === undefined ? {} : { attempt: { id: attempt, email } };
}

type Show = (state: SignInState, status: number) => Promise<FastifyReply>;

/** Takes a mailbox, and sends a code there. */
export async function takeEmail(
  { deps, request, reply }: Around,
  way: MailSignIn,
  at: SignInPage & { purpose: string },
  show: Show,
): Promise<FastifyReply> {
  checkCsrf(deps, request);
  const given = readForm(request).get('email') ?? '';
  const parsed = emailAddress().safeParse(given);
  if (!parsed.success)
    return show(
      { email: given, fault: 'This is not an email address. It looks like name@example.com.' },
      422,
    );
  const sent = await way.send(deps, { email: parsed.data, address: request.ip, purpose: at.purpose });
  if (sent.outcome === 'too_many') {
    reply.header('retry-after', String(sent.retryAfterSeconds));
    const fault = `Too many codes were asked for. Try again in ${waitWords(sent.retryAfterSeconds)}.`;
    return show({ email: parsed.data, fault }, 429);
  }
  return reply.redirect(addressOf(at, '', { attempt: sent.attemptId }), 303);
}

/** Takes a code, and signs in whoever has it. */
export async function takeCode(
  { deps, request, reply }: Around,
  way: MailSignIn,
  at: SignInPage,
  show: Show,
): Promise<FastifyReply> {
  checkCsrf(deps, request);
  const fields = readForm(request);
  const id = fields.get('attempt') ?? '';
  const entered = await way.enter(deps, id, fields.get('code') ?? '', request.id);
  switch (entered.outcome) {
    case 'signed_in':
      return reply.header('set-cookie', entered.proven.cookie).redirect(addressOf(at), 303);
    case 'wrong': {
      const email = (await way.open(deps, id)) ?? '';
      const left = `${entered.triesLeft} ${entered.triesLeft === 1 ? 'try' : 'tries'}`;
      return show({ attempt: { id, email }, fault: `This is not the code. You have ${left} left.` }, 422);
    }
    case 'no_code':
      return show({ fault: 'This code has run out. Ask for a new one.' }, 422);
  }
}

function addressOf(
  { path, carried = {} }: SignInPage,
  step = '',
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({ ...carried, ...more }).toString();
  return path + step + (query === '' ? '' : `?${query}`);
}
