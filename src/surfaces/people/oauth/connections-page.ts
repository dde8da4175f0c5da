import { findEarlierKey } from '../../../accounts/agents/prove-mailbox.ts';
import { protectedResources } from '../../../accounts/keys/protected-resource.ts';
import { SCOPE_DESCRIPTIONS } from '../../../accounts/keys/scope-descriptions.ts';
import type { Deps } from '../../../core/context.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { disconnectClient, listConnections, type ClientConnection } from '../../../oauth/grant.ts';
import { CONNECTIONS_PATH } from '../../../oauth/paths.ts';
import { actionForm } from '../form/action-form.ts';
import { defineAction } from '../person/action.ts';
import { anybody, type Audience } from '../person/audience.ts';
import { mailSignIn } from '../person/mail-sign-in.ts';
import { definePage } from '../person/page.ts';
import type { PageRequest } from '../person/page-request.ts';
import { holderOf, operator } from '../person/people.ts';
import {
  connectionDetail,
  earlierKeyNotice,
  OPERATOR_SIGN_IN,
  operatorSignOut,
  signedInAs,
  surfaceWords,
} from './connect-parts.ts';

/** The page serves visitors, and operators who are signed in. */
const EVERYBODY: Audience<unknown> = anybody;

const signIn = mailSignIn(OPERATOR_SIGN_IN, {
  path: CONNECTIONS_PATH,
  who: EVERYBODY,
  purpose: () => 'to see and disconnect your clients',
});

const signOut = operatorSignOut(CONNECTIONS_PATH, EVERYBODY);

const disconnect = defineAction({
  name: 'disconnect_client',
  path: `${CONNECTIONS_PATH}/:grantId/disconnect`,
  who: operator,
  button: 'Disconnect',
  danger: true,
  async run(act) {
    const connection = await disconnectClient(act.db, act.person.email, act.params['grantId'] ?? '');
    if (connection === undefined)
      return { again: { notice: { kind: 'good', text: 'This client was already disconnected.' } } };
    act.identify(connection.accountId);
    act.audit(connection.grantId, connectionDetail(connection));
    const text = `${connection.face.name} is disconnected. Its tokens no longer work.`;
    return { again: { notice: { kind: 'good', text } } };
  },
});

/** An operator sees here the clients that act in their name, and disconnects them. */
export const connectionsPage = definePage({
  path: CONNECTIONS_PATH,
  who: EVERYBODY,
  async load(req) {
    const { deps, now } = req;
    const email = await holderOf(deps, 'operator', req.request);
    if (email === undefined) return { attempt: await signIn.findAttempt(req) };
    const connections = await listConnections(deps.pool, email, now);
    return { email, connections, earlierKey: await findEarlierKey(deps.pool, email, now) };
  },
  view(req, data, state) {
    const title = 'Connected clients';
    const { serviceName } = req.deps.config;
    if (data.email === undefined)
      return {
        title,
        lead: `Sign in to see which clients use ${serviceName} in your name.`,
        body: signIn.form(req, data.attempt, state),
      };
    const { email, connections, earlierKey } = data;
    return {
      title,
      lead: `These clients use ${serviceName} in your name. All of them share the limits of your account.`,
      notice: state.notice ?? earlierKeyNotice(earlierKey, 'connections'),
      body: html`${connections.length === 0 ? emptyList(req.deps) : connectionList(req, connections)}
      ${signedInAs(req, signOut, email)}`,
    };
  },
  actions: [...signIn.actions, signOut, disconnect],
});

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

function connectionList(req: PageRequest, connections: readonly ClientConnection[]): Html {
  return html`<ul class="connections">
    ${connections.map(
      (connection) =>
        html`<li class="card">
          <div class="flow">
            <h2><bdi>${connection.client_name}</bdi></h2>
            <p>${connection.client_host}</p>
            <p>${endpointOf(req.deps, connection)}</p>
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
          ${actionForm(
            req,
            disconnect,
            {},
            { params: { grantId: connection.id }, buttonLabel: `Disconnect ${connection.client_name}` },
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
