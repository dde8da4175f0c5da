import { findEarlierKey } from '../accounts/agents/prove-mailbox.ts';
import {
  sendSignInCode,
  type CodeSent,
  type SignIn,
  type SignInContext,
} from '../accounts/sign-in/sign-in-code.ts';
import type { Db } from '../core/postgres/db.ts';
import { ensureCleanupQueued } from './tidy-oauth.ts';

/** Mails a sign-in code to an operator, and states which key approving a client will revoke. */
export async function sendOperatorCode(tx: Db, ctx: SignInContext, signIn: SignIn): Promise<CodeSent> {
  const earlierKey = await findEarlierKey(tx, signIn.email, ctx.now);
  const note =
    earlierKey?.ended === false
      ? `The agent "${earlierKey.agent_name}" was signed up with this address, and nobody has proven the mailbox since. Entering the code changes nothing about it. If you then approve a client for agents, its API key ${earlierKey.prefix}… ends, whoever holds it. Submissions, plan and wallet stay, and a new key can be had afterwards.`
      : undefined;
  const sent = await sendSignInCode(tx, ctx, 'operator', { ...signIn, note });
  if (sent.outcome === 'sent') await ensureCleanupQueued(tx);
  return sent;
}
