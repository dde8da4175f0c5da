import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { findEarlierKey } from '../../../accounts/agents/prove-mailbox.ts';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { clientFace, type ClientFace } from '../../../oauth/client-metadata.ts';
import { approveClient } from '../../../oauth/grant.ts';
import { errors } from '../../../oauth/library.ts';
import { signedInOperator } from '../../../oauth/operator-session.ts';
import { CONNECT_PATH } from '../../../oauth/paths.ts';
import { readScopes, type Scope } from '../../../oauth/scopes.ts';
import type { Around } from '../frame/around.ts';
import { checkCsrf } from '../form/csrf.ts';
import { readForm } from '../form/form-body.ts';
import { readState, takeCode, takeEmail, type SignInState } from '../form/sign-in-step.ts';
import { sendDecisionPage } from './decision-page.ts';
import { OPERATOR_SIGN_IN, signOut } from './operator-sign-in.ts';

type ConnectRequest = FastifyRequest<{ Params: { uid: string } }>;

/** A request of a client that waits for a person. */
export interface Pending {
  base: string;
  clientId: string;
  face: ClientFace;
  redirectUri: string;
  scopes: readonly Scope[];
}

/** The pages on which a person signs in and decides about one request of one client. */
export function addConnectRoutes(scope: FastifyInstance, deps: Deps, provider: Provider): void {
  const at = `${CONNECT_PATH}/:uid`;
  const show = async (around: Around, pending: Pending, state: SignInState, status = 200) => {
    const email = await signedInOperator(deps, around.request);
    const earlierKey =
      email === undefined ? undefined : await findEarlierKey(deps.pool, email, deps.clock.now());
    return sendDecisionPage(around, pending, { email, earlierKey, signIn: state, status });
  };
  scope.get(at, async (request: ConnectRequest, reply) => {
    const around = { deps, request, reply };
    return show(around, await findPending(provider, around), await readState(around, OPERATOR_SIGN_IN));
  });
  scope.post(`${at}/email`, async (request: ConnectRequest, reply) => {
    const around = { deps, request, reply };
    const pending = await findPending(provider, around);
    const purpose = `to connect ${pending.face.name} (${pending.face.host})`;
    return takeEmail(around, OPERATOR_SIGN_IN, { path: pending.base, purpose }, (state, status) =>
      show(around, pending, state, status),
    );
  });
  scope.post(`${at}/code`, async (request: ConnectRequest, reply) => {
    const around = { deps, request, reply };
    const pending = await findPending(provider, around);
    return takeCode(around, OPERATOR_SIGN_IN, { path: pending.base }, (state, status) =>
      show(around, pending, state, status),
    );
  });
  scope.post(`${at}/sign-out`, async (request: ConnectRequest, reply) => {
    const around = { deps, request, reply };
    const { base } = await findPending(provider, around);
    return signOut(around, base);
  });
  scope.post(`${at}/decision`, async (request: ConnectRequest, reply) =>
    takeDecision(provider, { deps, request, reply }),
  );
}

/** The request behind this address, which only the browser that began it can open. */
async function findPending(
  provider: Provider,
  { deps, request, reply }: Around & { request: ConnectRequest },
): Promise<Pending> {
  const interaction = await provider.interactionDetails(request.raw, reply.raw).catch((thrown: unknown) => {
    if (thrown instanceof errors.SessionNotFound) return undefined;
    throw thrown;
  });
  if (interaction?.uid !== request.params.uid) throw gone();
  const { client_id: clientId, redirect_uri: redirectUri, scope } = interaction.params;
  if (typeof clientId !== 'string' || typeof redirectUri !== 'string') throw gone();
  const client = await provider.Client.find(clientId);
  if (client === undefined) throw gone();
  const { prefix } = deps.config;
  return {
    base: `${CONNECT_PATH}/${interaction.uid}`,
    clientId,
    redirectUri,
    face: clientFace(clientId, client.clientName, redirectUri),
    scopes: readScopes(prefix, typeof scope === 'string' ? scope : ''),
  };
}

function gone(): AppError {
  return new AppError('link_expired', 'This request has been answered, or it waited for too long.', {
    hint: 'Go back to the client and connect from there once more.',
  });
}

async function takeDecision(
  provider: Provider,
  around: Around & { request: ConnectRequest },
): Promise<FastifyReply> {
  const { deps, request, reply } = around;
  checkCsrf(deps, request);
  const pending = await findPending(provider, around);
  const decision = readForm(request).get('decision');
  if (decision === 'deny') {
    const refusal = { error: 'access_denied', error_description: 'The person refused.' };
    return reply.redirect(await provider.interactionResult(request.raw, reply.raw, refusal), 303);
  }
  const email = await signedInOperator(deps, request);
  if (decision !== 'approve' || email === undefined) return reply.redirect(pending.base, 303);
  const { agentId, grantId } = await approveClient(deps, { ...pending, email, requestId: request.id });
  const result = { login: { accountId: agentId, remember: false }, consent: { grantId } };
  return reply.redirect(await provider.interactionResult(request.raw, reply.raw, result), 303);
}
