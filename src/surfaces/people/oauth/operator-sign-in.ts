import { findAgentOf } from '../../../accounts/agents/prove-mailbox.ts';
import { sendOperatorCode } from '../../../oauth/operator-code.ts';
import type { MailSignIn } from '../person/mail-sign-in.ts';

/** Signing in changes nothing about the account: a key from before ends only with what the person decides afterwards. */
export const OPERATOR_SIGN_IN: MailSignIn = {
  kind: 'operator',
  hint: 'A code of six digits goes there. If you have an account with this address, it is used; otherwise a free one is made when you approve your first client.',
  send: sendOperatorCode,
  async holderOf(act, email) {
    const agentId = await findAgentOf(act.db, email);
    if (agentId !== undefined) {
      act.identify(agentId);
      act.audit(agentId);
    }
    return email;
  },
};
