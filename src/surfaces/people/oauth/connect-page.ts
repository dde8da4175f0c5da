import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { errors, InteractionResults, Provider } from 'oidc-provider';
import { findEarlierKey } from '../../../accounts/agents/prove-mailbox.ts';
import { sessionHolder } from '../../../accounts/sign-in/session.ts';
import { protectedResources, type ProtectedResource } from '../../../accounts/keys/protected-resource.ts';
import type { Deps, Scope } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { callerGroup, type AddressGroup } from '../../../core/text/address-group.ts';
import { clientFace, type ClientFace } from '../../../oauth/client-metadata.ts';
import { approveClient } from '../../../oauth/grant.ts';
import { CONNECT_PATH } from '../../../oauth/paths.ts';
import { findPartnerStanding } from '../../../oauth/granting-account.ts';
import { readScopes } from '../../../oauth/scopes.ts';
import type { ActionResult } from '../person/action.ts';
import type { Audience } from '../person/audience.ts';
import { addMailSignIn } from '../person/mail-sign-in.ts';
import { holderOf } from '../person/people.ts';
import { addAction } from '../person/person-route.ts';
import { addSignOut } from '../person/sign-out.ts';
import { connectionDetail } from './connect-parts.ts';
import { sendDecisionPage } from './decision-page.ts';
import { OPERATOR_SIGN_IN } from './operator-sign-in.ts';

/** The authorization server and what it throws, loaded when they are first needed. */
export type OauthLibrary = () => Promise<{ provider: Provider; errors: typeof errors }>;

/** A request of a client that waits for a person. */
export interface Pending {
  base: string;
  clientId: string;
  face: ClientFace;
  redirectUri: string;
  /** The endpoint that it wants to use. */
  resource: ProtectedResource;
  scopes: readonly Scope[];
  /** Where the browser is that began it. */
  address: AddressGroup;
}

const PATH = `${CONNECT_PATH}/:uid`;

/** The pages on which a person signs in and decides about one request of one client. */
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
      const ofPartner = request.person.resource.surface !== 'agent';
      const earlierKey = ofPartner ? undefined : await findEarlierKey(pool, email, request.now);
      const partner = ofPartner ? await findPartnerStanding(pool, email) : undefined;
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
        return answer(library, { error: 'access_denied', error_description: 'The person refused.' });
      }
      const email = await sessionHolder(act, 'operator', act.request);
      if (decision !== 'approve' || email === undefined) {
        act.unchanged();
        return { to: act.person.base };
      }
      const { endedKey, ...made } = await approveClient(act.db, act, { ...act.person, email });
      if (endedKey !== undefined) act.outdatesKeys();
      act.identify(made.accountId);
      act.audit(made.grantId, {
        ...connectionDetail(made),
        ...(endedKey !== undefined && { ended_key: endedKey }),
      });
      const login = { accountId: made.accountId, remember: false };
      return answer(library, { login, consent: { grantId: made.grantId } });
    },
  });
}

/** Tells the library what the person decided, once that stands, and leads on to where it says. */
function answer(library: OauthLibrary, result: InteractionResults): ActionResult {
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

/** The request behind this address, which only the browser that began it can open. */
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
  if (interaction === undefined || `${CONNECT_PATH}/${interaction.uid}` !== base) throw gone();
  const { client_id: clientId, redirect_uri: redirectUri, scope, resource: named } = interaction.params;
  if (typeof clientId !== 'string' || typeof redirectUri !== 'string') throw gone();
  // The library keeps it as a list when it was named twice.
  const resource = protectedResources(config).find(({ url }) => [named].flat().includes(url));
  if (resource === undefined) throw gone();
  const client = await provider.Client.find(clientId);
  if (client === undefined) throw gone();
  return {
    base,
    clientId,
    redirectUri,
    face: clientFace(clientId, client.clientName, redirectUri),
    resource,
    scopes: readScopes(config.prefix, typeof scope === 'string' ? scope : '', resource),
    address: callerGroup(request),
  };
}

function gone(): AppError {
  return new AppError('link_expired', 'This request has been answered, or it waited for too long.', {
    hint: 'Go back to the client and connect from there once more.',
  });
}
