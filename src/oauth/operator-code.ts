import {
  enterSignInCode,
  openSignIn,
  sendSignInCode,
  type CodeEntered,
  type CodeSent,
  type SignIn,
} from '../accounts/sign-in/sign-in-code.ts';
import { findEarlierKey, proveAgentMailbox } from '../accounts/agents/prove-mailbox.ts';
import type { Deps } from '../core/context.ts';
import { openOperatorSession } from './operator-session.ts';
import { keepTidy } from './tidy-oauth.ts';

/** Mails a code to whoever wants to sign in as an operator. */
export function sendOperatorCode(deps: Deps, signIn: SignIn): Promise<CodeSent> {
  return deps.pool.begin(async (sql) => {
    const earlier = await findEarlierKey(sql, signIn.email, deps.clock.now());
    const note =
      earlier?.ended === false
        ? `The agent "${earlier.agent_name}" was signed up with this address, and nobody has proven the mailbox since. When you enter the code, its API key ${earlier.prefix}… ends, whoever holds it. Submissions, plan and wallet stay, and a new key can be had afterwards.`
        : undefined;
    const sent = await sendSignInCode(deps, sql, 'operator', { ...signIn, note });
    if (sent.outcome === 'sent') await keepTidy(sql);
    return sent;
  });
}

/** The mailbox that a code went to, as long as the code can still be entered. */
export function openAttempt(deps: Deps, attemptId: string): Promise<string | undefined> {
  return openSignIn(deps, 'operator', attemptId);
}

/** Takes a code, which proves the mailbox, and gives the cookie of the session that begins with it. */
export async function enterOperatorCode(
  deps: Deps,
  attemptId: string,
  code: string,
  requestId: string,
): Promise<CodeEntered<{ cookie: string }>> {
  let ended: string | undefined;
  const entered = await enterSignInCode(deps, 'operator', { attemptId, code }, async (sql, email) => {
    ended = await proveAgentMailbox(deps, sql, email, { now: deps.clock.now(), requestId });
    return { cookie: await openOperatorSession(deps, sql, email) };
  });
  if (ended !== undefined) await deps.lease.lapsed();
  return entered;
}
