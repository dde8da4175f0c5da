import { findEarlierKey } from '../accounts/agents/prove-mailbox.ts';
import {
  sendSignInCode,
  type CodeSent,
  type SignIn,
  type SignInContext,
} from '../accounts/sign-in/sign-in-code.ts';
import type { Db } from '../core/postgres/db.ts';
import { keepTidy } from './tidy-oauth.ts';

/** Mails a code to whoever wants to sign in as an operator, and says what approving a client will end. */
export async function sendOperatorCode(tx: Db, ctx: SignInContext, signIn: SignIn): Promise<CodeSent> {
  const earlier = await findEarlierKey(tx, signIn.email, ctx.now);
  const note =
    earlier?.ended === false
      ? `The agent "${earlier.agent_name}" was signed up with this address, and nobody has proven the mailbox since. Entering the code changes nothing about it. If you then approve a client for agents, its API key ${earlier.prefix}… ends, whoever holds it. Submissions, plan and wallet stay, and a new key can be had afterwards.`
      : undefined;
  const sent = await sendSignInCode(tx, ctx, 'operator', { ...signIn, note });
  if (sent.outcome === 'sent') await keepTidy(tx);
  return sent;
}
