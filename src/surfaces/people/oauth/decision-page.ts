import type { ProtectedResource } from '../../../accounts/keys/protected-resource.ts';
import { SCOPE_DESCRIPTIONS } from '../../../accounts/keys/scope-descriptions.ts';
import type { FastifyReply } from 'fastify';
import type { EarlierKey } from '../../../accounts/agents/prove-mailbox.ts';
import type { Surface, Scope } from '../../../core/context.ts';
import type { AddressGroup } from '../../../core/text/address-group.ts';
import { html, type Html } from '../../../core/text/html.ts';
import type { ClientDisplay } from '../../../oauth/client-metadata.ts';
import type { PartnerAccountState } from '../../../oauth/granting-account.ts';
import { definitionList } from '../frame/definition-list.ts';
import { form, sendFrame } from '../frame/frame.ts';
import type { PageRequest } from '../person/page-request.ts';
import { earlierKeyNotice, partnerKeyNotice, signedInAs, surfaceWords } from './connect-parts.ts';

/** An authorization request that waits for a person's decision. */
export interface Pending {
  base: string;
  clientId: string;
  face: ClientDisplay;
  redirectUri: string;
  /** Resource that the client wants to use. */
  resource: ProtectedResource;
  scopes: readonly Scope[];
  /** Network address of the browser that started the request. */
  address: AddressGroup;
}

interface DecisionModel {
  /** The signed-in person's email address and accounts. */
  signedIn?: {
    email: string;
    /** Key of the agent account that an approval ends, where the request concerns that account. */
    earlierKey: EarlierKey | undefined;
    /** Partner account of the email address, where the request concerns one and it exists. */
    partner: PartnerAccountState | undefined;
  };
  /** Sign-in form for people who are not signed in. */
  step: Html;
}

/** Sends the page that shows the client, the requested scopes and the choice. */
export function sendDecisionPage(
  request: PageRequest<Pending>,
  { signedIn, step }: DecisionModel,
): Promise<FastifyReply> {
  const { person: pending, deps, reply } = request;
  const { serviceName } = deps.config;
  const { face, base, redirectUri } = pending;
  reply.header('content-security-policy', policyFor(redirectUri));
  return sendFrame(request, 'operator', {
    title: `Connect ${face.name}?`,
    lead: html`<bdi>${face.name}</bdi> asks to use ${serviceName} in your name.`,
    notice: partnerKeyNotice(signedIn?.partner) ?? earlierKeyNotice(signedIn?.earlierKey, 'decision'),
    body: html`<div class="sides">
      ${aboutClient(pending, serviceName, signedIn)}
      <div>
        ${
          signedIn === undefined
            ? html`${step} ${denial(request)}`
            : html`${decision(request)} ${signedInAs(request, base, signedIn.email)}`
        }
      </div>
    </div>`,
  });
}

/** Describes the account the client would act for, and whether it exists yet. */
function accountWords(
  { resource }: Pending,
  { email, partner }: NonNullable<DecisionModel['signedIn']>,
): Html {
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

function aboutClient(pending: Pending, serviceName: string, signedIn: DecisionModel['signedIn']): Html {
  const { face, scopes, resource } = pending;
  return html`<section class="card flow" aria-labelledby="who">
    <h2 id="who">Who asks for access</h2>
    ${definitionList('about', [
      ['It calls itself', html`<bdi>${face.name}</bdi>`],
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
    </p>
  </section>`;
}

function accountKind(surface: Surface): string {
  return surface === 'agent'
    ? 'your agent account: sign in first'
    : 'your partner account: sign in first with its mailbox';
}

function decision(request: PageRequest<Pending>): Html {
  return html`<section class="card flow" aria-labelledby="your-decision">
    <h2 id="your-decision">Your decision</h2>
    ${form(
      request,
      `${request.person.base}/decision`,
      html`<p class="choices-row">
        <button class="button" type="submit" name="decision" value="approve">Approve</button>
        <button class="button plain" type="submit" name="decision" value="deny">Deny</button>
      </p>`,
    )}
  </section>`;
}

function denial(request: PageRequest<Pending>): Html {
  return form(
    request,
    `${request.person.base}/decision`,
    html`<p>
      <button class="button plain" type="submit" name="decision" value="deny">Deny, and go back</button>
    </p>`,
  );
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
