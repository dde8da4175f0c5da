import type { FastifyReply } from 'fastify';
import type { EarlierKey } from '../../../accounts/agents/prove-mailbox.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { definitionList } from '../frame/definition-list.ts';
import { form, sendFrame } from '../frame/frame.ts';
import type { PageRequest } from '../person/page-request.ts';
import { earlierKeyNotice, scopeWords, signedInAs } from './connect-parts.ts';
import type { Pending } from './connect-page.ts';

interface DecisionModel {
  /** The mailbox of whoever is signed in. */
  email: string | undefined;
  earlierKey: EarlierKey | undefined;
  /** What whoever is not signed in does first. */
  step: Html;
}

/** Who asks, for what, and the choice: the whole of it on one page. */
export function sendDecisionPage(
  request: PageRequest<Pending>,
  { email, earlierKey, step }: DecisionModel,
): Promise<FastifyReply> {
  const { person: pending, deps, reply } = request;
  const { serviceName } = deps.config;
  const { face, base, redirectUri } = pending;
  reply.header('content-security-policy', policyFor(redirectUri));
  return sendFrame(request, 'operator', {
    title: `Connect ${face.name}?`,
    lead: html`<bdi>${face.name}</bdi> asks to use ${serviceName} in your name.`,
    notice: earlierKeyNotice(earlierKey),
    body: html`<div class="sides">
      ${aboutClient(pending, serviceName)}
      <div>
        ${
          email === undefined
            ? html`${step} ${denial(request)}`
            : html`${decision(request)} ${signedInAs(request, base, email)}`
        }
      </div>
    </div>`,
  });
}

function aboutClient({ face, scopes }: Pending, serviceName: string): Html {
  return html`<section class="card flow" aria-labelledby="who">
    <h2 id="who">Who asks, and for what</h2>
    ${definitionList('about', [
      ['It calls itself', html`<bdi>${face.name}</bdi>`],
      ['It is published by', face.published && face.host],
      ['You are sent back to', face.returnsTo],
    ])}
    <p>If you approve, it may:</p>
    <ul class="points">
      ${scopes.map((scope) => html`<li>${scopeWords(scope)}</li>`)}
    </ul>
    <p class="hint">
      It never sees your API key and can spend no money. You can disconnect it at any time. ${serviceName}
      does not check who makes a client: approve only what you yourself have just begun.
    </p>
  </section>`;
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
