import { findAgentOf, type EarlierKey } from '../../../accounts/agents/prove-mailbox.ts';
import type { ProtectedSurface } from '../../../accounts/keys/protected-resource.ts';
import type { AuditDetail } from '../../../core/audit.ts';
import { html, type Html } from '../../../core/text/html.ts';
import type { ConnectionChange } from '../../../oauth/grant.ts';
import type { PartnerAccountState } from '../../../oauth/granting-account.ts';
import { sendOperatorCode } from '../../../oauth/operator-code.ts';
import { CONNECTIONS_PATH } from '../../../oauth/paths.ts';
import { actionForm } from '../form/action-form.ts';
import type { Action } from '../person/action.ts';
import type { Audience } from '../person/audience.ts';
import type { MailSignIn } from '../person/mail-sign-in.ts';
import type { Notice, PageRequest } from '../person/page-request.ts';
import { signOutAction } from '../person/sign-out.ts';

/** Ends the session of an operator on the page with this path. */
export function operatorSignOut<Person>(path: string, who: Audience<Person>): Action<Person> {
  const button = 'Sign out, or use another address';
  return signOutAction({ session: 'operator', path: `${path}/sign-out`, who, button, to: path });
}

/** Shows who is signed in, with a sign-out button. */
export function signedInAs(req: PageRequest, signOut: Action<unknown>, email: string): Html {
  return html`<section class="flow" aria-label="Your sign-in">
    <p>
      You are signed in as <strong>${email}</strong>.
      ${!signOut.path.startsWith(CONNECTIONS_PATH) && html`<a href="${CONNECTIONS_PATH}">Your connected clients</a>`}
    </p>
    ${actionForm(req, signOut, {})}
  </section>`;
}

/**
 * Warns of a key that was issued before the email address was proven: approving a client ends it, or it has already
 * ended.
 */
export function earlierKeyNotice(
  key: EarlierKey | undefined,
  page: 'decision' | 'connections',
): Notice | undefined {
  if (key === undefined) return undefined;
  const { agent_name: agent, prefix, ended } = key;
  const text = ended
    ? `You have verified this mailbox, so the earlier key of your account no longer works: ${prefix}…, issued to the person who signed up “${agent}” with your address. Submissions, plan and wallet stay yours. If one of your own programs used that key, get a new one with POST /api/agent/recover; we have sent you a mail with details.`
    : `The mailbox of your agent account “${agent}” is not verified yet. ${endingWords(page, prefix)}`;
  return { kind: 'warn', text };
}

function endingWords(page: 'decision' | 'connections', prefix: string): string {
  return page === 'decision'
    ? `When you approve, the API key ${prefix}…, which was issued at sign-up, stops working everywhere. Submissions, plan and wallet stay. If you deny, nothing changes.`
    : `The API key ${prefix}…, which was issued at sign-up, still works. It stops working when you approve a client for agents, or when you get a new key with POST /api/agent/recover. Submissions, plan and wallet stay.`;
}

/** Describes an endpoint for people who do not know its name. */
export function surfaceWords(surface: ProtectedSurface): string {
  switch (surface) {
    case 'agent':
      return 'The directory for agents';
    case 'partner':
      return 'The directory for partners';
    case 'concierge':
      return 'The concierge, which asks venues for tables';
  }
}

/** Warns about the key of a partner account whose email address is unproven. */
export function partnerKeyNotice(partner: PartnerAccountState | undefined): Notice | undefined {
  if (partner?.ending_key == null) return undefined;
  return {
    kind: 'warn',
    text: `The mailbox of the partner account “${partner.name}” is not verified yet. When you approve, the key ${partner.ending_key}…, which was issued at sign-up, stops working everywhere, and a webhook that was set with it is removed. Plan and usage stay.`,
  };
}

/** Audit details of a connection that was created or ended. */
export function connectionDetail({ face, scopes }: ConnectionChange): AuditDetail {
  return { client: face.name, host: face.host, scopes: scopes.join(' ') };
}

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
