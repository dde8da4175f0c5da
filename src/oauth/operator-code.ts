import { findEarlierKey } from '../accounts/agents/prove-mailbox.ts';
import {
  sendSignInCode,
  type CodeSent,
  type SignIn,
  type SignInContext,
} from '../accounts/sign-in/sign-in-code.ts';
import type { Db } from '../core/postgres/db.ts';

export async function sendOperatorCode(tx: Db, ctx: SignInContext, signIn: SignIn): Promise<CodeSent> {
  const earlierKey = await findEarlierKey(tx, signIn.email, ctx.now);
  const note =
    earlierKey?.ended === false
      ? `The agent "${earlierKey.agent_name}" was signed up with this address, and the mailbox has not been verified since. Entering the code does not change the account. If you then approve a client for agents, its API key ${earlierKey.prefix}… stops working for everybody who has it. Submissions, plan and wallet stay, and you can get a new key afterwards.`
      : undefined;
  return sendSignInCode(tx, ctx, 'operator', { ...signIn, note });
}
