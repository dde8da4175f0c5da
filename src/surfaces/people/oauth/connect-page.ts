import type { FastifyReply, FastifyRequest } from 'fastify';
import type { errors, InteractionResults, Provider } from 'oidc-provider';
import { findEarlierKey, type EarlierKey } from '../../../accounts/agents/prove-mailbox.ts';
import { protectedResources, type ProtectedResource } from '../../../accounts/keys/protected-resource.ts';
import { SCOPE_DESCRIPTIONS } from '../../../accounts/keys/scope-descriptions.ts';
import { sessionHolder } from '../../../accounts/sign-in/session.ts';
import type { Deps, Scope, Surface } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { callerGroup, type AddressGroup } from '../../../core/text/address-group.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { describeClient, type ClientDisplay } from '../../../oauth/client-metadata.ts';
import { approveClient } from '../../../oauth/grant.ts';
import { findPartnerAccount, type PartnerAccountState } from '../../../oauth/granting-account.ts';
import { CONNECT_PATH } from '../../../oauth/paths.ts';
import { readScopes } from '../../../oauth/scopes.ts';
import { actionForm } from '../form/action-form.ts';
import { pressedInput } from '../form/fields.ts';
import { card, userText, valueButton } from '../frame/components.ts';
import { definitionList } from '../frame/definition-list.ts';
import { sendFrame } from '../frame/frame.ts';
import { defineAction, type ActionResult } from '../person/action.ts';
import type { Audience } from '../person/audience.ts';
import { mailSignIn } from '../person/mail-sign-in.ts';
import { definePage, fillPath, type Frame } from '../person/page.ts';
import type { PageRequest } from '../person/page-request.ts';
import { holderOf } from '../person/people.ts';
import {
  connectionDetail,
  earlierKeyNotice,
  OPERATOR_SIGN_IN,
  operatorSignOut,
  partnerKeyNotice,
  signedInAs,
  surfaceWords,
} from './connect-parts.ts';

/** The authorization server and its error classes, loaded on first use. */
export type OauthLibrary = () => Promise<{ provider: Provider; errors: typeof errors }>;

/** An authorization request that waits for a person's decision. */
interface Pending {
  clientId: string;
  face: ClientDisplay;
  redirectUri: string;
  /** Resource that the client wants to use. */
  resource: ProtectedResource;
  scopes: readonly Scope[];
  /** Network address of the browser that started the request. */
  address: AddressGroup;
}

/** The signed-in person's email address and accounts. */
interface SignedIn {
  email: string;
  /** Key of the agent account that an approval ends, where the request concerns that account. */
  earlierKey: EarlierKey | undefined;
  /** Partner account of the email address, where the request concerns one and it exists. */
  partner: PartnerAccountState | undefined;
}

const PATH = `${CONNECT_PATH}/:uid`;

/** Page on which a person signs in and decides about one authorization request. */
export function connectPage(library: OauthLibrary) {
  const who: Audience<Pending> = {
    find: (deps, request, reply) => findPending(deps, library, request, reply),
    actor: ({ address }) => `address:${address}`,
    turnAway: (_deps, _request, reply) => reply,
  };
  const signIn = mailSignIn(OPERATOR_SIGN_IN, {
    path: PATH,
    who,
    purpose: ({ face }) => `to connect ${face.name} (${face.host})`,
  });
  const signOut = operatorSignOut(PATH, who);
  const decide = decision(library, who);
  return definePage({
    path: PATH,
    who,
    load: async (req) => ({ attempt: await signIn.findAttempt(req), signedIn: await findSignedIn(req) }),
    view(req, { attempt, signedIn }, state) {
      const { person: pending, deps } = req;
      const { serviceName } = deps.config;
      const deny = (label: string) => valueButton('decision', 'deny', label, 'plain');
      const approve = valueButton('decision', 'approve', 'Approve');
      return {
        title: `Connect ${pending.face.name}?`,
        lead: html`<bdi>${pending.face.name}</bdi> asks to use ${serviceName} in your name.`,
        notice:
          state.notice ??
          partnerKeyNotice(signedIn?.partner) ??
          earlierKeyNotice(signedIn?.earlierKey, 'decision'),
        body: html`<div class="sides">
          ${aboutClient(pending, serviceName, signedIn)}
          <div>
            ${
              signedIn === undefined
                ? html`${signIn.form(req, attempt, state)}
                  ${actionForm(req, decide, state, { buttons: deny('Deny, and go back') })}`
                : html`${actionForm(req, decide, state, { title: 'Your decision', buttons: html`${approve} ${deny('Deny')}` })}
                  ${signedInAs(req, signOut, signedIn.email)}`
            }
          </div>
        </div>`,
      };
    },
    actions: [...signIn.actions, signOut, decide],
  });
}

/** Draws the decision with a policy that lets its form redirect to the client. */
export const connectFrame: Frame<Pending> = (req, _page, view) => {
  req.reply.header('content-security-policy', policyFor(req.person.redirectUri));
  return sendFrame(req, 'operator', view);
};

function decision(library: OauthLibrary, who: Audience<Pending>) {
  return defineAction({
    name: 'connect_client',
    path: `${PATH}/decision`,
    who,
    fields: { decision: pressedInput(['approve', 'deny']) },
    async run(act, { decision: answer }) {
      if (answer === 'deny') {
        act.unchanged();
        return reportDecision(library, { error: 'access_denied', error_description: 'The person refused.' });
      }
      const email = await sessionHolder(act, 'operator', act.request);
      if (email === undefined) {
        act.unchanged();
        return { to: fillPath(PATH, act.params) };
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

async function findSignedIn({
  deps,
  request,
  person,
  now,
}: PageRequest<Pending>): Promise<SignedIn | undefined> {
  const email = await holderOf(deps, 'operator', request);
  if (email === undefined) return undefined;
  const forAgent = person.resource.surface === 'agent';
  return {
    email,
    earlierKey: forAgent ? await findEarlierKey(deps.pool, email, now) : undefined,
    partner: forAgent ? undefined : await findPartnerAccount(deps.pool, email),
  };
}

/** Describes the account the client would act for, and whether it exists yet. */
function accountWords({ resource }: Pending, { email, partner }: SignedIn): Html {
  if (resource.surface === 'agent') return html`your agent account, <bdi>${email}</bdi>`;
  if (partner === undefined)
    return html`a new partner account, <bdi>${email}</bdi>, which is created when you approve`;
  return html`the partner account <bdi>${partner.name}</bdi>, <bdi>${email}</bdi>`;
}

/** Explains what has to be switched on before the client can request tables. */
function bookingsNote({ resource }: Pending, partner: PartnerAccountState | undefined): Html | undefined {
  if (resource.surface !== 'concierge') return undefined;
  const status =
    partner?.bookings_enabled === true
      ? 'Table requests are switched on for this account.'
      : 'Our staff switch table requests on for each partner account. Until then the client gets an error, and no venue is asked.';
  return html`<p class="hint">${status} A request is not a booking: the venue decides.</p>`;
}

function aboutClient(pending: Pending, serviceName: string, signedIn: SignedIn | undefined): Html {
  const { face, scopes, resource } = pending;
  return card(
    'Who asks for access',
    html`${definitionList('about', [
        ['It calls itself', userText(face.name)],
        ['It is published by', face.published && face.host],
        ['You are sent back to', face.returnsTo],
        ['It would use', html`${surfaceWords(resource.surface)}: <code>${resource.url}</code>`],
        ['In the name of', signedIn ? accountWords(pending, signedIn) : accountKind(resource.surface)],
      ])}
      <p>If you approve, it may:</p>
      <ul class="points">
        ${scopes.map((scope) => html`<li>${SCOPE_DESCRIPTIONS[scope]}</li>`)}
      </ul>
      ${bookingsNote(pending, signedIn?.partner)}
      <p class="hint">
        It never sees your key${resource.surface === 'agent' ? ' and can spend no money' : ''}. You can
        disconnect it at any time. ${serviceName} does not check who makes a client: approve only a connection
        that you have just started yourself.
      </p>`,
    'who',
  );
}

function accountKind(surface: Surface): string {
  return surface === 'agent'
    ? 'your agent account: sign in first'
    : 'your partner account: sign in first with its mailbox';
}

/**
 * Browsers apply the page's form-action policy to every redirect after a form, the client's included, and a client may
 * redirect to any host.
 */
function policyFor(redirectUri: string): string {
  const { protocol } = new URL(redirectUri);
  const targets = ["'self'", 'https:', 'http:', ...(/^https?:$/.test(protocol) ? [] : [protocol])];
  return `default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action ${targets.join(' ')}`;
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
  if (interaction?.uid !== (request.params as { uid: string }).uid) throw requestGone();
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
