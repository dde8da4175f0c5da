import { CODE_RULES } from '../../../accounts/sign-in/mailed-code.ts';
import { openSignIn, type SignInKind } from '../../../accounts/sign-in/sign-in-code.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { form } from '../frame/frame.ts';
import type { PageRequest, PageState } from '../person/page-request.ts';
import { browserHash } from './csrf.ts';
import { codeField, emailField } from './form-field.ts';

/** URL of a sign-in page, and the query parameters it carries from step to step. */
export interface SignInPath {
  path: string;
  carried?: Readonly<Record<string, string>> | undefined;
}

export function signInUrl(
  { path, carried = {} }: SignInPath,
  step = '',
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({ ...carried, ...more }).toString();
  return path + step + (query === '' ? '' : `?${query}`);
}

/** Progress of a person who is signing in. */
interface SignInState {
  /** The sent code that has not been entered yet. */
  attempt?: { id: string; email: string };
  email?: string | undefined;
  fault: string | undefined;
}

/** Returns the pending code that the form or the URL identifies, or else the first step. */
export async function readState(
  { deps, request, query, now }: PageRequest,
  kind: SignInKind,
  { form: sent, faults = {} }: PageState,
): Promise<SignInState> {
  const fault = faults['email'] ?? faults['code'];
  const id = (sent ?? query).get('attempt') ?? '';
  const identity = { attemptId: id, browser: browserHash(deps, request) };
  const email = await openSignIn(deps.pool, kind, identity, now);
  if (email !== undefined) return { attempt: { id, email }, fault };
  return { email: sent?.get('email') ?? undefined, fault };
}

/** Renders the sign-in form: first the email address, then the code sent to it. */
export function signInStep(
  request: PageRequest,
  at: SignInPath,
  hint: string,
  { attempt, email, fault }: SignInState,
): Html {
  if (attempt === undefined)
    return html`<section class="card flow" aria-labelledby="your-email">
      <h2 id="your-email">Sign in by mail</h2>
      ${form(
        request,
        signInUrl(at, '/email'),
        html`${emailField({ hint, value: email, fault })}
          <p><button class="button" type="submit">Send me a code</button></p>`,
      )}
    </section>`;
  return html`<section class="card flow" aria-labelledby="your-code">
    <h2 id="your-code">Enter the code</h2>
    <p>A code is on its way to <strong>${attempt.email}</strong>. ${CODE_RULES}</p>
    ${form(
      request,
      signInUrl(at, '/code'),
      html`<input type="hidden" name="attempt" value="${attempt.id}" />
        ${codeField({ hint: 'The digits in the mail.', autofocus: true, fault })}
        <p><button class="button" type="submit">Sign in</button></p>`,
    )}
    <p><a href="${signInUrl(at)}">Use another address, or send a new code</a></p>
  </section>`;
}
