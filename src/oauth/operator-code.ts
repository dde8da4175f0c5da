import {
  enterSignInCode,
  openSignIn,
  sendSignInCode,
  type CodeEntered,
  type CodeSent,
  type SignIn,
} from '../accounts/sign-in-code.ts';
import type { Deps } from '../core/context.ts';
import { openOperatorSession } from './operator-session.ts';
import { keepTidy } from './tidy-oauth.ts';

/** Mails a code to whoever wants to sign in as an operator. */
export function sendOperatorCode(deps: Deps, signIn: SignIn): Promise<CodeSent> {
  return deps.pool.begin(async (sql) => {
    const sent = await sendSignInCode(deps, sql, 'operator', signIn);
    if (sent.outcome === 'sent') await keepTidy(sql);
    return sent;
  });
}

/** The mailbox that a code went to, as long as the code can still be entered. */
export function openAttempt(deps: Deps, attemptId: string): Promise<string | undefined> {
  return openSignIn(deps, 'operator', attemptId);
}

/** Takes a code, and gives the cookie of the session that begins with it. */
export function enterOperatorCode(
  deps: Deps,
  attemptId: string,
  code: string,
): Promise<CodeEntered<{ cookie: string }>> {
  return enterSignInCode(deps, 'operator', { attemptId, code }, async (sql, email) => {
    await sql`
      update agent set email_verified_at = coalesce(email_verified_at, ${deps.clock.now()})
      where operator_email = ${email}`;
    return { cookie: await openOperatorSession(deps, sql, email) };
  });
}
