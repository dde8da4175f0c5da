import { SCOPE_WORDS } from '../../../accounts/keys/scope-words.ts';
import type { FastifyReply } from 'fastify';
import type { EarlierKey } from '../../../accounts/agents/prove-mailbox.ts';
import type { Surface } from '../../../core/context.ts';
import { html, type Html } from '../../../core/text/html.ts';
import type { PartnerStanding } from '../../../oauth/granting-account.ts';
import { definitionList } from '../frame/definition-list.ts';
import { form, sendFrame } from '../frame/frame.ts';
import type { PageRequest } from '../person/page-request.ts';
import { earlierKeyNotice, partnerKeyNotice, signedInAs, surfaceWords } from './connect-parts.ts';
import type { Pending } from './connect-page.ts';

interface DecisionModel {
  /** Who is signed in, by the mailbox, and what is known of their accounts. */
  signedIn?: {
    email: string;
    /** The key of the agent's account that an approval ends, where it is about that account. */
    earlierKey: EarlierKey | undefined;
    /** The partner's account of the mailbox, where it is about one and there is one. */
    partner: PartnerStanding | undefined;
  };
  /** What whoever is not signed in does first. */
  step: Html;
}

/** Who asks, for what, and the choice: the whole of it on one page. */
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

/** In whose name the client would act: of which kind the account is, and whether it exists. */
function accountWords(
  { resource }: Pending,
  { email, partner }: NonNullable<DecisionModel['signedIn']>,
): Html {
  if (resource.surface === 'agent') return html`your agent account, <bdi>${email}</bdi>`;
  if (partner === undefined)
    return html`a new partner account, <bdi>${email}</bdi>, which is made when you approve`;
  return html`the partner account <bdi>${partner.name}</bdi>, <bdi>${email}</bdi>`;
}

/** What a person must do before the client can ask for a table. */
function bookingsNote({ resource }: Pending, partner: PartnerStanding | undefined): Html | undefined {
  if (resource.surface !== 'concierge') return undefined;
  const standing =
    partner?.bookings_enabled === true
      ? 'Table requests are switched on for this account.'
      : 'A person switches table requests on for each partner account. Until then the client is told so, and no venue is asked.';
  return html`<p class="hint">${standing} A request is not a booking: the venue decides.</p>`;
}

function aboutClient(pending: Pending, serviceName: string, signedIn: DecisionModel['signedIn']): Html {
  const { face, scopes, resource } = pending;
  return html`<section class="card flow" aria-labelledby="who">
    <h2 id="who">Who asks, and for what</h2>
    ${definitionList('about', [
      ['It calls itself', html`<bdi>${face.name}</bdi>`],
      ['It is published by', face.published && face.host],
      ['You are sent back to', face.returnsTo],
      ['It would use', html`${surfaceWords(resource.surface)}: <code>${resource.url}</code>`],
      ['In the name of', signedIn ? accountWords(pending, signedIn) : accountKind(resource.surface)],
    ])}
    <p>If you approve, it may:</p>
    <ul class="points">
      ${scopes.map((scope) => html`<li>${SCOPE_WORDS[scope]}</li>`)}
    </ul>
    ${bookingsNote(pending, signedIn?.partner)}
    <p class="hint">
      It never sees your key${resource.surface === 'agent' ? ' and can spend no money' : ''}. You can
      disconnect it at any time. ${serviceName} does not check who makes a client: approve only what you
      yourself have just begun.
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
 * A browser holds every redirect that follows a form to the policy of its page, those of the client included, and a
 * client may send the person on to wherever it lives.
 */
function policyFor(redirectUri: string): string {
  const { protocol } = new URL(redirectUri);
  const targets = ["'self'", 'https:', 'http:', ...(/^https?:$/.test(protocol) ? [] : [protocol])];
  return `default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action ${targets.join(' ')}`;
}
