import { CODE_RULES } from '../../../accounts/sign-in/mailed-code.ts';
import { openSignIn, type SignInKind } from '../../../accounts/sign-in/sign-in-code.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { form } from '../frame/frame.ts';
import type { PageRequest, PageState } from '../person/page-request.ts';
import { browserOf } from './csrf.ts';
import { codeField, emailField } from './form-field.ts';

/** The address of a page on which people sign in, and what it carries from step to step. */
export interface Address {
  path: string;
  carried?: Readonly<Record<string, string>> | undefined;
}

export function addressOf(
  { path, carried = {} }: Address,
  step = '',
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({ ...carried, ...more }).toString();
  return path + step + (query === '' ? '' : `?${query}`);
}

/** Where a person stands on the way to being signed in. */
interface SignInState {
  /** The sending of a code that waits to be entered. */
  attempt?: { id: string; email: string };
  email?: string | undefined;
  fault: string | undefined;
}

/** A code that was sent and can still be entered, as the form or the address names it; or else the beginning. */
export async function readState(
  { deps, request, query, now }: PageRequest,
  kind: SignInKind,
  { form: sent, faults = {} }: PageState,
): Promise<SignInState> {
  const fault = faults['email'] ?? faults['code'];
  const id = (sent ?? query).get('attempt') ?? '';
  const asked = { attemptId: id, browser: browserOf(deps, request) };
  const email = await openSignIn(deps.pool, kind, asked, now);
  if (email !== undefined) return { attempt: { id, email }, fault };
  return { email: sent?.get('email') ?? undefined, fault };
}

/** What a page shows to somebody who is not signed in: first the mailbox, then the code that went there. */
export function signInStep(
  request: PageRequest,
  at: Address,
  hint: string,
  { attempt, email, fault }: SignInState,
): Html {
  if (attempt === undefined)
    return html`<section class="card flow" aria-labelledby="your-email">
      <h2 id="your-email">Sign in by mail</h2>
      ${form(
        request,
        addressOf(at, '/email'),
        html`${emailField({ hint, value: email, fault })}
          <p><button class="button" type="submit">Send me a code</button></p>`,
      )}
    </section>`;
  return html`<section class="card flow" aria-labelledby="your-code">
    <h2 id="your-code">Enter the code</h2>
    <p>A code is on its way to <strong>${attempt.email}</strong>. ${CODE_RULES}</p>
    ${form(
      request,
      addressOf(at, '/code'),
      html`<input type="hidden" name="attempt" value="${attempt.id}" />
        ${codeField({ hint: 'The digits in the mail.', autofocus: true, fault })}
        <p><button class="button" type="submit">Sign in</button></p>`,
    )}
    <p><a href="${addressOf(at)}">Use another address, or send a new code</a></p>
  </section>`;
}
