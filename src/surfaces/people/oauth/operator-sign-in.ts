import { findAgentOf } from '../../../accounts/agents/prove-mailbox.ts';
import { sendOperatorCode } from '../../../oauth/operator-code.ts';
import type { MailSignIn } from '../person/mail-sign-in.ts';

/** Signing in does not change the account: an earlier key ends only when the person approves a client. */
export const OPERATOR_SIGN_IN: MailSignIn = {
  kind: 'operator',
  hint: 'We send a six-digit code to this address. If you have an account with this address, it is used; otherwise a free one is created when you approve your first client.',
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
