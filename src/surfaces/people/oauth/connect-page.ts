import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { errors, InteractionResults, Provider } from 'oidc-provider';
import { findEarlierKey } from '../../../accounts/agents/prove-mailbox.ts';
import { sessionHolder } from '../../../accounts/sign-in/session.ts';
import { protectedResources } from '../../../accounts/keys/protected-resource.ts';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { callerGroup } from '../../../core/text/address-group.ts';
import { describeClient } from '../../../oauth/client-metadata.ts';
import { approveClient } from '../../../oauth/grant.ts';
import { CONNECT_PATH } from '../../../oauth/paths.ts';
import { findPartnerAccount } from '../../../oauth/granting-account.ts';
import { readScopes } from '../../../oauth/scopes.ts';
import type { ActionResult } from '../person/action.ts';
import type { Audience } from '../person/audience.ts';
import { addMailSignIn } from '../person/mail-sign-in.ts';
import { holderOf } from '../person/people.ts';
import { addAction } from '../person/person-route.ts';
import { addSignOut } from '../person/sign-out.ts';
import { connectionDetail } from './connect-parts.ts';
import { sendDecisionPage, type Pending } from './decision-page.ts';
import { OPERATOR_SIGN_IN } from './operator-sign-in.ts';

/** The authorization server and its error classes, loaded on first use. */
export type OauthLibrary = () => Promise<{ provider: Provider; errors: typeof errors }>;

const PATH = `${CONNECT_PATH}/:uid`;

/** Mounts the pages on which a person signs in and decides about one authorization request. */
export function addConnectPage(scope: FastifyInstance, deps: Deps, library: OauthLibrary): void {
  const who: Audience<Pending> = {
    find: (_deps, request, reply) => findPending(deps, library, request, reply),
    actor: ({ address }) => `address:${address}`,
    turnAway: (_deps, _request, reply) => reply,
  };
  addMailSignIn(scope, deps, OPERATOR_SIGN_IN, {
    path: PATH,
    who,
    at: (request) => ({ path: baseOf(request) }),
    purpose: ({ face }) => `to connect ${face.name} (${face.host})`,
    show: async (request, step) => {
      const email = await holderOf(request.deps, 'operator', request.request);
      if (email === undefined) return sendDecisionPage(request, { step });
      const { pool } = request.deps;
      const forPartner = request.person.resource.surface !== 'agent';
      const earlierKey = forPartner ? undefined : await findEarlierKey(pool, email, request.now);
      const partner = forPartner ? await findPartnerAccount(pool, email) : undefined;
      return sendDecisionPage(request, { signedIn: { email, earlierKey, partner }, step });
    },
  });
  addSignOut(scope, deps, { session: 'operator', path: `${PATH}/sign-out`, who, to: baseOf });
  addDecision(scope, deps, library, who);
}

function addDecision(
  scope: FastifyInstance,
  deps: Deps,
  library: OauthLibrary,
  who: Audience<Pending>,
): void {
  addAction(scope, deps, {
    name: 'connect_client',
    path: `${PATH}/decision`,
    who,
    async run(act) {
      const decision = act.form.get('decision');
      if (decision === 'deny') {
        act.unchanged();
        return reportDecision(library, { error: 'access_denied', error_description: 'The person refused.' });
      }
      const email = await sessionHolder(act, 'operator', act.request);
      if (decision !== 'approve' || email === undefined) {
        act.unchanged();
        return { to: act.person.base };
      }
      const { endedKey, ...connection } = await approveClient(act.db, act, { ...act.person, email });
      if (endedKey !== undefined) act.invalidateKeyCaches();
      act.identify(connection.accountId);
      act.audit(connection.grantId, {
        ...connectionDetail(connection),
        ...(endedKey !== undefined && { ended_key: endedKey }),
      });
      const login = { accountId: connection.accountId, remember: false };
      return reportDecision(library, { login, consent: { grantId: connection.grantId } });
    },
  });
}

/** Reports the decision to the library after the commit, and redirects as it responds. */
function reportDecision(library: OauthLibrary, result: InteractionResults): ActionResult {
  return {
    show: async ({ request, reply }) => {
      const { provider } = await library();
      return reply.redirect(await provider.interactionResult(request.raw, reply.raw, result), 303);
    },
  };
}

function baseOf(request: FastifyRequest): string {
  return `${CONNECT_PATH}/${(request.params as { uid: string }).uid}`;
}

/** Loads the authorization request for this URL, which only the browser that started it can open. */
async function findPending(
  { config }: Deps,
  library: OauthLibrary,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Pending> {
  const { provider, errors } = await library();
  const interaction = await provider.interactionDetails(request.raw, reply.raw).catch((thrown: unknown) => {
    if (thrown instanceof errors.SessionNotFound) return undefined;
    throw thrown;
  });
  const base = baseOf(request);
  if (interaction === undefined || `${CONNECT_PATH}/${interaction.uid}` !== base) throw requestGone();
  const {
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    resource: resourceParam,
  } = interaction.params;
  if (typeof clientId !== 'string' || typeof redirectUri !== 'string') throw requestGone();
  // The library stores a list when the parameter was sent twice.
  const resource = protectedResources(config).find(({ url }) => [resourceParam].flat().includes(url));
  if (resource === undefined) throw requestGone();
  const client = await provider.Client.find(clientId);
  if (client === undefined) throw requestGone();
  return {
    base,
    clientId,
    redirectUri,
    face: describeClient(clientId, client.clientName, redirectUri),
    resource,
    scopes: readScopes(config.prefix, typeof scope === 'string' ? scope : '', resource),
    address: callerGroup(request),
  };
}

function requestGone(): AppError {
  return new AppError('link_expired', 'This request was already answered or has expired.', {
    hint: 'Go back to the client and connect again from there.',
  });
}
