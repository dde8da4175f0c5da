import { html } from '../../../../core/text/html.ts';
import type { Site } from '../../frame/layout.ts';
import type { DocsModel, Guide } from '../docs-model.ts';
import { table } from '../../frame/table.ts';
import { clientGuide } from './client-guide.ts';
import { codeBlock, jsonBlock } from '../code-block.ts';
import { BEARER, curl, EXAMPLE_USER_AGENT } from '../topics/examples.ts';
import { eventGuides } from './event-guides.ts';
import { mcpSessions } from './mcp-guide.ts';
import { runningExamples } from './running-examples.ts';
import { surfaceGuides } from './surface-guides.ts';

/** Returns the guides. Facts about single operations are documented with the operations. */
export function guides(model: DocsModel): Guide[] {
  const { site } = model;
  return [
    quickStart(site),
    runningExamples(model),
    userAgent(),
    ...surfaceGuides(site),
    rules(),
    rateLimits(),
    idempotency(site),
    attribution(site),
    errors(site),
    mcpSessions(site),
    ...eventGuides(model),
    clientGuide(site),
  ];
}

function quickStart(site: Site): Guide {
  return {
    page: '',
    id: 'quick-start',
    title: 'Quick start',
    words: html`<p>
        Ask for the destinations. This needs no key, only a
        <a href="#user-agent">User-Agent that names you</a>.
      </p>
      <p>
        The same operations are MCP tools. Give your client the address of a surface; it finds the tools by
        itself. For a look without a client, list them with one request.
      </p>
      <p>
        The whole REST interface is described in <a href="/openapi.json">openapi.json</a>, and a short summary
        for language models is in <a href="/llms.txt">llms.txt</a>.
      </p>`,
    examples: [
      codeBlock('Every destination, over REST', curl({ url: `${site.baseUrl}/api/agent/destinations` })),
      codeBlock(
        'The tools of the agent surface, over MCP',
        curl({ url: `${site.baseUrl}/mcp`, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }),
      ),
      jsonBlock('In the settings of an MCP client', {
        mcpServers: {
          [site.serviceName.toLowerCase().replace(/[^a-z0-9]+/g, '-')]: {
            type: 'http',
            url: `${site.baseUrl}/mcp`,
          },
        },
      }),
    ],
  };
}

const USER_AGENTS: readonly [value: string, verdict: 'accepted' | 'refused'][] = [
  [EXAMPLE_USER_AGENT, 'accepted'],
  ['curl/8.5.0 TripBot/1.0', 'accepted'],
  ['python-httpx/0.28.1 (ops@example.com)', 'accepted'],
  ['python-requests/2.32.3', 'refused'],
  ['node', 'refused'],
];

function userAgent(): Guide {
  return {
    page: '',
    id: 'user-agent',
    title: 'Say who you are',
    words: html`<p>
        Every request under <code>/api/agent</code> and to <code>/mcp</code> must carry a
        <code>User-Agent</code> that names your agent. An address where we can reach you is recommended.
      </p>
      <p>
        A missing value, or the bare default of a library, is refused with 403
        <code>user_agent_required</code>. This happens before any key is read, so a valid key does not help. A
        browser script that cannot set the header may send <code>Api-User-Agent</code> instead.
      </p>
      ${table(
        { columns: ['Value', 'Verdict'] },
        USER_AGENTS.map(
          ([value, verdict]) =>
            html`<tr>
              <td><code>${value}</code></td>
              <td><span class="badge ${verdict === 'accepted' ? 'good' : 'bad'}">${verdict}</span></td>
            </tr>`,
        ),
      )}`,
    examples: [codeBlock('The header', `User-Agent: ${EXAMPLE_USER_AGENT}`)],
  };
}

function errors(site: Site): Guide {
  return {
    page: 'errors',
    id: 'errors',
    title: 'Errors',
    words: html`<p>
        An error is a problem document (RFC 9457) with the content type <code>application/problem+json</code>.
        Let your program decide by <code>code</code>: it never changes its meaning. <code>detail</code> is a
        sentence for people and may be reworded.
      </p>
      <p>
        When fields are wrong, <code>errors</code> names each by a JSON pointer into what you sent.
        <code>instance</code> is the id of the request; it is also in the header <code>x-request-id</code> of
        every answer. Quote it when you ask us.
      </p>
      <p>
        Over MCP, what a model should explain to a person comes as a tool result with <code>isError</code>,
        whose text begins with the same code. Every code is listed under
        <a href="#error-codes">error codes</a>.
      </p>
      <p>
        A field that we do not know is not an error, nor is a <code>limit</code> above its cap, which gives
        the cap: the answer names them under <code>warnings</code>.
      </p>`,
    examples: [
      jsonBlock('422 Unprocessable Content', {
        type: `${site.baseUrl}/problems/validation_failed`,
        title: 'Some fields are not valid',
        status: 422,
        detail: 'One field is not valid.',
        instance: 'req_01k0example',
        code: 'validation_failed',
        error: 'validation_failed',
        errors: [
          { pointer: '/country', code: 'unknown_country', detail: 'is not an ISO 3166 alpha-2 country code' },
        ],
        docs: `${site.baseUrl}/docs/errors`,
      }),
    ],
  };
}

function rateLimits(): Guide {
  return {
    page: 'rules',
    id: 'rate-limits',
    title: 'Rate limits',
    words: html`<p>
        A metered answer says what is left. <code>RateLimit-Policy</code> names the limits that apply to you,
        with their quota <code>q</code> and window <code>w</code> in seconds; <code>RateLimit</code> says what
        remains (<code>r</code>) and in how many seconds it renews (<code>t</code>).
      </p>
      <p>
        <code>x-ratelimit-remaining</code> is on every answer for agents, refusals included: the reads that
        are left today, or 0 where we do not know who asks. The day begins at 00:00 UTC.
      </p>
      <p>
        Past a limit you get 429 with <code>Retry-After</code>. Wait that many seconds: an earlier attempt
        gets the same answer. Over MCP it is the same 429, with the JSON-RPC error 42900, for reads and writes
        alike.
      </p>
      <p>
        What you already have costs no read of the day: send the <code>ETag</code> of an answer as
        <code>If-None-Match</code>. Where it still holds, you get 304 without a body. Such a question counts
        in the minute, and once the reads of the day are used up it gets 429 like any other.
      </p>`,
    examples: [
      codeBlock(
        'Headers of a metered answer',
        `RateLimit-Policy: "daily";q=100;w=86400, "minute";q=120;w=60\nRateLimit: "daily";r=73;t=31244, "minute";r=119;t=41\nx-ratelimit-remaining: 73`,
      ),
    ],
  };
}

function idempotency(site: Site): Guide {
  return {
    page: 'rules',
    id: 'idempotency',
    title: 'Safe repeats',
    words: html`<p>
        Send an <code>Idempotency-Key</code> with every POST. When the answer is lost on the way, send the
        same request with the same key again: you get the first answer, marked
        <code>Idempotent-Replayed: true</code>, and nothing happens twice.
      </p>
      <p>
        The same key with another body is refused with 422 <code>idempotency_key_reused</code>; while the
        first request is still running, with 409 <code>idempotency_in_progress</code>. Keys are kept for 24
        hours.
      </p>
      <p>
        Make a new key for each request, as the example does, and keep it until the answer is there. Without
        an account, as at sign-up, it must be random and have at least 20 characters: others may call from
        your address, and nobody but you may fetch your answer.
      </p>`,
    examples: [
      codeBlock(
        'A key of your own for this request',
        curl({
          url: `${site.baseUrl}/api/agent/business`,
          headers: [BEARER, 'Idempotency-Key: $IDEMPOTENCY_KEY'],
          body: { relationship: 'third_party', name: 'Harbour House', country: 'ID', city: 'Bali' },
        }),
      ),
    ],
  };
}

function rules(): Guide {
  return {
    page: 'rules',
    id: 'rules',
    title: 'Rules for agents',
    words: html`<ul>
      <li>Do not invent businesses. A key that does is revoked.</li>
      <li>Do not invent or guess contact details. Leave a field empty instead.</li>
      <li>Say honestly how you stand to a business: its owner, acting for it, or neither.</li>
      <li>Claims such as awards and ratings must be true, and they are checked.</li>
      <li>One key for each operator, never shared.</li>
      <li>Honour the limits, and wait as long as <code>Retry-After</code> says.</li>
    </ul>`,
    examples: [],
  };
}

function attribution(site: Site): Guide {
  return {
    page: 'rules',
    id: 'attribution',
    title: 'Attribution',
    words: html`<p>
        Every successful answer carries <code>attribution</code> and <code>attribution_links</code>. Show the
        line beside whatever you render from the answer, with its names linked.
      </p>
      <p>
        It is a condition of the licence under which the map data is shared, and it holds for people's screens
        as well as for answers that a model writes.
      </p>`,
    examples: [
      jsonBlock('In every answer', {
        attribution: site.attribution.text,
        attribution_links: site.attribution.links,
      }),
    ],
  };
}
