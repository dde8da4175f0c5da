import { scopesByName } from '../../../../accounts/keys/scope-descriptions.ts';
import { html } from '../../../../core/text/html.ts';
import type { Site } from '../../frame/layout.ts';
import { codeBlock, jsonBlock } from '../code-block.ts';
import { BEARER, curl } from '../topics/examples.ts';
import type { Guide } from '../docs-model.ts';

/** Guides to the purpose of each surface, and how its parts work together. */
export function surfaceGuides(site: Site): Guide[] {
  return [
    credentials(site),
    hosts(site),
    submissions(),
    partnerCalls(site),
    tables(),
    photoLicences(site),
    views(),
  ];
}

function credentials(site: Site): Guide {
  return {
    page: '',
    id: 'credentials',
    title: 'Keys and connections',
    words: html`<p>
        An agent signs itself up at <code>POST /api/agent/signup</code> and gets a key, shown once. It goes
        into <code>Authorization: Bearer</code>. A lost key is replaced by mail with
        <code>POST /api/agent/recover</code>; <code>POST /api/agent/me/rotate</code> replaces one that works.
        That takes about a second, and when the answer is there the old key opens nothing anywhere.
      </p>
      <p>
        An MCP client needs no key: given the address of an endpoint, it finds the sign-in by itself (OAuth
        2.1), a person approves it with a code from the mailbox, and ends it at
        <a href="/oauth/connections">connections</a>. What spends money needs the key itself, and so does
        <code>set_webhook</code>. What a client may do is named by scopes:
      </p>
      <ul>
        ${Object.entries(scopesByName(site.prefix)).map(
          ([scope, words]) => html`<li><code>${scope}</code>: ${words}</li>`,
        )}
      </ul>
      <p>
        Partners send their key as <code>X-Partner-Key</code>, or as <code>Authorization: Bearer</code> where
        a host knows no such header. A key that is sent must be right: a wrong one is 401, never a call
        without a key.
      </p>`,
    examples: [
      codeBlock(
        'A key for an agent',
        curl({
          url: `${site.baseUrl}/api/agent/signup`,
          headers: ['Idempotency-Key: $IDEMPOTENCY_KEY'],
          body: {
            agent_name: 'Trip Planner',
            operator_name: 'Example Travel Ltd',
            operator_email: 'agent@example.com',
            purpose: 'Plans trips for our customers.',
          },
        }),
      ),
    ],
  };
}

/** Guide to configuring an endpoint in common hosts. */
function hosts(site: Site): Guide {
  const [agents, partners, concierge] = [
    `${site.baseUrl}/mcp`,
    `${site.partnerUrl}/api/partner/mcp`,
    `${site.partnerUrl}/api/concierge/mcp`,
  ];
  const name = site.serviceName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return {
    page: '',
    id: 'hosts',
    title: 'Connecting a host',
    words: html`<p>
        Give the host one of three addresses; it asks you to sign in and to approve. Agents search and submit
        at <code>${agents}</code>, with your agent account. Partners read at <code>${partners}</code>, also
        without signing in. The concierge at <code>${concierge}</code> asks for tables in the name of your
        partner account. What you approve for one address opens no other.
      </p>
      <ul>
        <li>
          <strong>ChatGPT</strong>: Settings, Apps and connectors, developer mode; a new connector with the
          address and OAuth.
        </li>
        <li><strong>Claude</strong>: Settings, Connectors, Add custom connector, with the address.</li>
        <li><strong>VS Code</strong>: the command “MCP: Add Server”, HTTP, with the address.</li>
        <li>
          <strong>Cursor</strong>: the address as <code>url</code> of a server in <code>mcp.json</code>.
        </li>
        <li><strong>Claude Code</strong> and <strong>Codex</strong>: the commands beside this.</li>
      </ul>`,
    examples: [
      codeBlock('Claude Code', `claude mcp add --transport http ${name} ${agents}`),
      codeBlock('Codex', `codex mcp add ${name} --url ${agents}\ncodex mcp login ${name}`),
      jsonBlock('Cursor: mcp.json', { mcpServers: { [name]: { url: concierge } } }),
    ],
  };
}

function submissions(): Guide {
  return {
    page: 'rest-submissions',
    id: 'submissions',
    title: 'How a submission goes',
    words: html`<p>
        What an agent submits, a person reviews; nothing is live before. Say honestly how you stand to the
        business: what happens after approval depends on it.
      </p>
      <p>
        With a <code>callback_url</code> the decision is posted to you, signed: see
        <a href="#callbacks">callbacks</a>. Without one, ask for the list of your submissions.
      </p>`,
    examples: [],
  };
}

function partnerCalls(site: Site): Guide {
  return {
    page: 'mcp-partners',
    id: 'partner-calls',
    title: 'Asking as a partner',
    words: html`<p>
        The partner surface only reads. Try it without a key, 12 calls a minute; with one, calls count by
        minute and by month, and <code>GET /api/partner/usage</code> says how many. Past what the month
        includes calls are refused, or paid for where a person switched that on, up to a limit.
      </p>
      <p>
        To keep a copy, walk through <code>directory_feed</code> with <code>limit</code> 200. Keep the
        <code>snapshot</code> of the sync and send it as <code>updated_since</code> the next time: you get
        what changed, and in <code>removed</code> what left.
      </p>`,
    examples: [
      codeBlock(
        'What is open now',
        curl({
          url: `${site.partnerUrl}/api/partner/mcp`,
          body: {
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'open_places', arguments: { destination: 'bali' } },
          },
        }),
      ),
    ],
  };
}

function tables(): Guide {
  return {
    page: 'mcp-concierge',
    id: 'tables',
    title: 'Asking for a table',
    words: html`<p>
        <code>request_table</code> asks; the venue decides. A booking is <code>sent</code>,
        <code>asking</code>, <code>offered</code>, and ends as <code>confirmed</code>, <code>declined</code>,
        <code>no_answer</code> or <code>cancelled</code>. <code>booked</code> is true in
        <code>confirmed</code> and nowhere else, so tell nobody that a table is theirs before. A person must
        have switched requests on for your key.
      </p>
      <p><code>set_webhook</code> has every move posted to you: see <a href="#webhooks">webhooks</a>.</p>`,
    examples: [],
  };
}

function photoLicences(site: Site): Guide {
  return {
    page: 'rest-photos',
    id: 'photo-licences',
    title: 'Licensing photos',
    words: html`<p>
        Travellers' photos are licensed one use at a time, from a wallet that a person fills. Search, ask for
        a quote, and license with <code>max_price_cents</code>: above it nothing is charged. An
        <code>idempotency_key</code> makes sure that a repetition buys nothing twice.
      </p>
      <p>The answer has a link to the file, good for 15 minutes; ask for a new one whenever you need it.</p>`,
    examples: [
      codeBlock(
        'One use of one photo',
        curl({
          url: `${site.baseUrl}/api/agent/photos/license`,
          headers: [BEARER],
          body: {
            photo_id: '$PHOTO_ID',
            use: 'web',
            max_price_cents: 2000,
            idempotency_key: '$IDEMPOTENCY_KEY',
          },
        }),
      ),
    ],
  };
}

function views(): Guide {
  return {
    page: 'mcp',
    id: 'views',
    title: 'Views in the conversation',
    words: html`<p>
        A host that knows MCP Apps (<code>io.modelcontextprotocol/ui</code>) shows search results, one place,
        a table and photos to license in a frame of the conversation. The tool names its view in
        <code>_meta.ui.resourceUri</code>; <code>resources/read</code> gives it as
        <code>text/html;profile=mcp-app</code>. Clients without the extension lose nothing: text and
        structured content say the same.
      </p>
      <p>
        A view calls our tools through the host and loads nothing but pictures from this address, which it
        declares in <code>_meta.ui.csp</code>. Nothing is booked or bought without a tap, and a table is
        called booked only when the venue has confirmed it. An answer for a view is the same as for a model:
        where its cards lack coordinates, the view searches once more, which costs another read.
      </p>`,
    examples: [
      jsonBlock('How a tool names its view', {
        name: 'search_places',
        _meta: { ui: { resourceUri: 'ui://widget/places.html' } },
      }),
    ],
  };
}
