import { SCOPE_DESCRIPTIONS } from '../../../accounts/keys/scope-descriptions.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { findEarlierKey } from '../../../accounts/agents/prove-mailbox.ts';
import { protectedResources } from '../../../accounts/keys/protected-resource.ts';
import type { Deps } from '../../../core/context.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { disconnectClient, listConnections, type ClientConnection } from '../../../oauth/grant.ts';
import { CONNECTIONS_PATH } from '../../../oauth/paths.ts';
import { form, sendFrame } from '../frame/frame.ts';
import { anybody } from '../person/audience.ts';
import { addMailSignIn } from '../person/mail-sign-in.ts';
import type { Notice, PageRequest } from '../person/page-request.ts';
import { holderOf, operator } from '../person/people.ts';
import { addAction } from '../person/person-route.ts';
import { addSignOut } from '../person/sign-out.ts';
import { connectionDetail, earlierKeyNotice, signedInAs, surfaceWords } from './connect-parts.ts';
import { OPERATOR_SIGN_IN } from './operator-sign-in.ts';

const TITLE = 'Connected clients';

/** Mounts the page on which an operator lists the clients that act in their name, and disconnects them. */
export function addConnectionsPage(scope: FastifyInstance, deps: Deps): void {
  addMailSignIn(scope, deps, OPERATOR_SIGN_IN, {
    path: CONNECTIONS_PATH,
    who: anybody,
    purpose: () => 'to see and disconnect your clients',
    show,
  });
  addSignOut(scope, deps, {
    session: 'operator',
    path: `${CONNECTIONS_PATH}/sign-out`,
    who: anybody,
    to: () => CONNECTIONS_PATH,
  });
  addAction(scope, deps, {
    name: 'disconnect_client',
    path: `${CONNECTIONS_PATH}/:grantId/disconnect`,
    who: operator,
    async run(act) {
      const { email } = act.person;
      const connection = await disconnectClient(act.db, email, act.params['grantId'] ?? '');
      if (connection === undefined) act.unchanged();
      else {
        act.identify(connection.accountId);
        act.audit(connection.grantId, connectionDetail(connection));
      }
      const text =
        connection === undefined
          ? 'This client was already disconnected.'
          : `${connection.face.name} is disconnected. Its tokens no longer work.`;
      return { show: (request) => sendConnections(request, email, { kind: 'good', text }) };
    },
  });
}

async function show(request: PageRequest, step: Html): Promise<FastifyReply> {
  const { deps } = request;
  const email = await holderOf(deps, 'operator', request.request);
  if (email !== undefined) return sendConnections(request, email);
  return sendFrame(request, 'operator', {
    title: TITLE,
    lead: `Sign in to see which clients use ${deps.config.serviceName} in your name.`,
    body: step,
  });
}

async function sendConnections(request: PageRequest, email: string, notice?: Notice): Promise<FastifyReply> {
  const { deps, now } = request;
  const connections = await listConnections(deps.pool, email, now);
  const earlierKey = await findEarlierKey(deps.pool, email, now);
  return sendFrame(request, 'operator', {
    title: TITLE,
    lead: `These clients use ${deps.config.serviceName} in your name. All of them share the limits of your account.`,
    notice: notice ?? earlierKeyNotice(earlierKey, 'connections'),
    body: html`${connections.length === 0 ? emptyList(deps) : connectionList(request, connections)}
    ${signedInAs(request, CONNECTIONS_PATH, email)}`,
  });
}

function emptyList({ config }: Deps): Html {
  return html`<div class="empty">
    <h2>No client is connected</h2>
    <p>
      Give one of these addresses to an MCP client. It brings you back here to approve it, and then appears in
      this list.
    </p>
    <ul class="points">
      ${protectedResources(config).map(
        ({ surface, url }) => html`<li>${surfaceWords(surface)}: <code>${url}</code></li>`,
      )}
    </ul>
  </div>`;
}

function connectionList(request: PageRequest, connections: readonly ClientConnection[]): Html {
  return html`<ul class="connections">
    ${connections.map(
      (connection) =>
        html`<li class="card">
          <div class="flow">
            <h2><bdi>${connection.client_name}</bdi></h2>
            <p>${connection.client_host}</p>
            <p>${endpointOf(request.deps, connection)}</p>
            <ul class="points">
              ${connection.scopes.map((scope) => html`<li>${SCOPE_DESCRIPTIONS[scope]}</li>`)}
            </ul>
            <p class="hint">
              Connected ${timeElement(connection.created_at)}.
              ${
                connection.last_used_at === null
                  ? 'Not used yet.'
                  : html`Last used ${timeElement(connection.last_used_at)}.`
              }
            </p>
          </div>
          ${form(
            request,
            `${CONNECTIONS_PATH}/${connection.id}/disconnect`,
            html`<button
              class="button danger"
              type="submit"
              aria-label="Disconnect ${connection.client_name}"
            >
              Disconnect
            </button>`,
          )}
        </li>`,
    )}
  </ul>`;
}

function endpointOf({ config }: Deps, { audience }: ClientConnection): Html {
  const resource = protectedResources(config).find(({ url }) => url === audience);
  return html`${resource === undefined ? 'An earlier address' : surfaceWords(resource.surface)}:
    <code>${audience}</code>`;
}

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

function timeElement(time: Date): Html {
  return html`<time datetime="${time.toISOString()}">${DATE.format(time)} UTC</time>`;
}
