import type { FastifyInstance, FastifyReply } from 'fastify';
import { findEarlierKey } from '../../../accounts/agents/prove-mailbox.ts';
import type { Deps } from '../../../core/context.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { disconnectClient, listConnections, type Connection } from '../../../oauth/grant.ts';
import { signedInOperator } from '../../../oauth/operator-session.ts';
import { CONNECTIONS_PATH } from '../../../oauth/paths.ts';
import { form, type Around } from '../frame/around.ts';
import { checkCsrf } from '../form/csrf.ts';
import { readState, signInStep, takeCode, takeEmail, type SignInState } from '../form/sign-in-step.ts';
import { earlierKeyNotice, scopeWords, sendConnectPage, signedInAs, type Notice } from './connect-frame.ts';
import { OPERATOR_SIGN_IN, signOut } from './operator-sign-in.ts';

const TITLE = 'Connected clients';
const AT = { path: CONNECTIONS_PATH, purpose: 'to see and disconnect your clients' };

/** The page on which an operator sees which clients act in their name, and disconnects them. */
export function addConnectionsRoutes(scope: FastifyInstance, deps: Deps): void {
  scope.get(CONNECTIONS_PATH, async (request, reply) => {
    const around = { deps, request, reply };
    return show(around, await readState(around, OPERATOR_SIGN_IN));
  });
  scope.post(`${CONNECTIONS_PATH}/email`, (request, reply) => {
    const around = { deps, request, reply };
    return takeEmail(around, OPERATOR_SIGN_IN, AT, (state, status) => show(around, state, status));
  });
  scope.post(`${CONNECTIONS_PATH}/code`, (request, reply) => {
    const around = { deps, request, reply };
    return takeCode(around, OPERATOR_SIGN_IN, AT, (state, status) => show(around, state, status));
  });
  scope.post(`${CONNECTIONS_PATH}/sign-out`, (request, reply) =>
    signOut({ deps, request, reply }, CONNECTIONS_PATH),
  );
  scope.post<{ Params: { grantId: string } }>(
    `${CONNECTIONS_PATH}/:grantId/disconnect`,
    async (request, reply) => {
      checkCsrf(deps, request);
      const email = await signedInOperator(deps, request);
      if (email === undefined) return reply.redirect(CONNECTIONS_PATH, 303);
      const { grantId } = request.params;
      const name = await disconnectClient(deps, { email, grantId, requestId: request.id });
      const text =
        name === undefined
          ? 'This client was not connected any more.'
          : `${name} is disconnected. Its tokens have stopped working.`;
      return show({ deps, request, reply }, {}, 200, { kind: 'good', text });
    },
  );
}

async function show(
  around: Around,
  signIn: SignInState,
  status = 200,
  notice?: Notice,
): Promise<FastifyReply> {
  const { deps, request } = around;
  const email = await signedInOperator(deps, request);
  if (email === undefined)
    return sendConnectPage(around, {
      title: TITLE,
      lead: `Sign in to see which clients use ${deps.config.serviceName} in your name.`,
      status,
      body: signInStep(around, OPERATOR_SIGN_IN, AT, signIn),
    });
  const now = deps.clock.now();
  const connections = await listConnections(deps.pool, email, now);
  const earlierKey = await findEarlierKey(deps.pool, email, now);
  return sendConnectPage(around, {
    title: TITLE,
    lead: `These clients use ${deps.config.serviceName} in your name. All of them share the daily reads of your account.`,
    status,
    notice: notice ?? earlierKeyNotice(earlierKey),
    body: html`${connections.length === 0 ? nothingYet(deps) : list(around, connections)}
    ${signedInAs(around, CONNECTIONS_PATH, email)}`,
  });
}

function nothingYet({ config }: Deps): Html {
  return html`<div class="empty">
    <h2>No client is connected</h2>
    <p>
      Give the address <code>${config.baseUrl}/mcp</code> to an MCP client. It brings you back here to approve
      it, and then stands in this list.
    </p>
  </div>`;
}

function list(around: Around, connections: readonly Connection[]): Html {
  return html`<ul class="connections">
    ${connections.map(
      (connection) =>
        html`<li class="card">
          <div class="flow">
            <h2><bdi>${connection.client_name}</bdi></h2>
            <p>${connection.client_host}</p>
            <ul class="allows">
              ${connection.scopes.map((scope) => html`<li>${scopeWords(scope)}</li>`)}
            </ul>
            <p class="hint">
              Connected ${moment(connection.created_at)}.
              ${
                connection.last_used_at === null
                  ? 'Not used yet.'
                  : html`Last used ${moment(connection.last_used_at)}.`
              }
            </p>
          </div>
          ${form(
            around,
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

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

function moment(time: Date): Html {
  return html`<time datetime="${time.toISOString()}">${DATE.format(time)} UTC</time>`;
}
