import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { addPartner } from '../../../../src/accounts/partners/partner.ts';
import { rpc } from '../../../harness/clients/mcp.ts';
import { structuredSchema } from '../../../harness/clients/tool-schema.ts';
import { startTestService, USER_AGENT } from '../../../harness/service/service.ts';
import { LONG } from '../../../harness/tier.ts';

type Headers = Record<string, string>;

interface ToolAnswer {
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** The part that both generations of the official client have in common. */
interface Connection {
  protocolVersion: string | undefined;
  /** How many HTTP requests the client has sent. */
  requests(): number;
  sessionId(): string | undefined;
  listTools(): Promise<{ tools: { name: string; outputSchema?: object | undefined }[] }>;
  callTool(name: string, input: Record<string, unknown>): Promise<ToolAnswer>;
  terminateSession(): Promise<void>;
}

interface OfficialClient {
  name: string;
  protocolVersion: string;
  connect(url: string, headers: Headers): Promise<Connection>;
}

const LEGACY = '2025-11-25';
const MODERN = '2026-07-28';
const IDENTITY = { name: 'waypost-tests', version: '1.0.0' };
const open: { close(): Promise<void> }[] = [];
after(() => Promise.all(open.map((client) => client.close())));

const service = await startTestService({ demoPlaces: 300 });
const { newId, clock } = service.app.deps;
const { apiKey } = await addPartner(service.database.pool, newId, clock.now(), 'svc', {
  email: 'clients@partner.example',
  name: 'Official clients',
});

const CLIENTS: OfficialClient[] = [
  secondClient('client 2.x as it comes', LEGACY, undefined),
  secondClient('client 2.x in the legacy era', LEGACY, 'legacy'),
  secondClient('client 2.x that negotiates', MODERN, 'auto'),
  secondClient('client 2.x in the modern era', MODERN, { pin: MODERN }),
  { name: 'sdk 1.x', protocolVersion: LEGACY, connect: connectFirst },
];

/** A tool's result without arguments, arguments that narrow it, and invalid arguments. */
interface Known {
  whole: () => Promise<Record<string, unknown>>;
  narrowed: { input: Record<string, unknown>; says: RegExp };
  bad: Record<string, unknown>[];
}

async function overRest(): Promise<Record<string, unknown>> {
  return (await (await service.request('/api/agent/destinations')).json()) as Record<string, unknown>;
}

const DESTINATIONS: Known = {
  whole: async () => {
    const { destinations, count, attribution } = (await overRest()) as {
      destinations: { country: string; slug: string; places: number }[];
      count: number;
      attribution: string;
    };
    const by_country: Record<string, Record<string, number>> = {};
    for (const { country, slug, places } of destinations) (by_country[country] ??= {})[slug] = places;
    return { by_country, count, attribution };
  },
  narrowed: { input: { country: 'mc' }, says: /Monaco/ },
  bad: [{ country: 'ZZ' }, { country: ['ID'] }, { query: { name: 'Bali' } }],
};
const BOOKINGS: Known = {
  whole: async () => {
    const { attribution, attribution_links } = await overRest();
    return { bookings: [], count: 0, next_cursor: null, attribution, attribution_links };
  },
  narrowed: { input: { status: 'confirmed' }, says: /No bookings/ },
  bad: [{ status: 'booked' }, { limit: 0 }, { since: 'today' }],
};

const ENDPOINTS: { path: string; tool: string; headers: Headers; known: Known }[] = [
  { path: '/mcp', tool: 'svc_list_destinations', headers: { 'user-agent': USER_AGENT }, known: DESTINATIONS },
  { path: '/api/partner/mcp', tool: 'list_destinations', headers: {}, known: DESTINATIONS },
  {
    path: '/api/concierge/mcp',
    tool: 'booking_status',
    headers: { 'x-partner-key': apiKey },
    known: BOOKINGS,
  },
];

/** In the quick tier one client of each era goes to every endpoint, and each other client to one of them. */
const EVERYWHERE = ['client 2.x as it comes', 'client 2.x that negotiates'];
function endpointsOf(client: OfficialClient): typeof ENDPOINTS {
  if (LONG || EVERYWHERE.includes(client.name)) return ENDPOINTS;
  const at = CLIENTS.indexOf(client) % ENDPOINTS.length;
  return ENDPOINTS.slice(at, at + 1);
}

for (const client of CLIENTS) {
  for (const { path, tool, headers, known } of endpointsOf(client)) {
    const connect = () => client.connect(service.url + path, headers);
    const named = `${client.name} on ${path}`;

    test(`${named}: a listed tool can be called, and its answer satisfies the schema in the reference`, async () => {
      const connection = await connect();
      assert.equal(connection.protocolVersion, client.protocolVersion);
      const { tools } = await connection.listTools();
      // Lists of tools leave the schema out; the reference has it.
      assert.equal(tools.find(({ name }) => name === tool)?.outputSchema, undefined);
      const validate = validatorOf(path, tool);
      const answer = await connection.callTool(tool, {});
      assert.notEqual(answer.isError, true);
      assert.deepEqual(answer.structuredContent, await known.whole());
      assertValid(validate, answer.structuredContent);
      assert.throws(() => {
        assertValid(validate, { ...answer.structuredContent, count: 'many' });
      });
      const narrowed = await connection.callTool(tool, known.narrowed.input);
      assertValid(validate, narrowed.structuredContent);
      assert.match(narrowed.content[0]?.text ?? '', known.narrowed.says);
    });

    test(`${named}: bad arguments are a result that a model can read, without structured content`, async () => {
      const connection = await connect();
      // Listing first makes the client hold every result to the output schema.
      await connection.listTools();
      for (const input of known.bad) {
        const answer = await connection.callTool(tool, input);
        assert.equal(answer.isError, true);
        assert.equal(answer.structuredContent, undefined);
        assert.match(answer.content[0]?.text ?? '', /^validation_failed: /);
      }
    });

    test(`${named}: a tool that does not exist is an error of the protocol`, async () => {
      const connection = await connect();
      await assert.rejects(connection.callTool('book_everything', {}), { code: -32602 });
    });

    if (client.protocolVersion === MODERN) {
      test(`${named}: there is no session, and the client keeps the list of tools as it may`, async () => {
        const connection = await connect();
        assert.equal(connection.sessionId(), undefined);
        const { tools } = await connection.listTools();
        const sent = connection.requests();
        assert.deepEqual((await connection.listTools()).tools, tools);
        assert.equal(connection.requests(), sent);
      });
      continue;
    }

    test(`${named}: a session ends when the client says so`, async () => {
      const connection = await connect();
      const session = sessionHeaders(connection, headers);
      const ask = () => rpc(service, path, { id: 1, method: 'tools/list' }, session);
      assert.equal((await ask()).status, 200);
      await connection.terminateSession();
      assert.equal(connection.sessionId(), undefined);
      assert.equal((await ask()).status, 404);
    });

    test(`${named}: a client whose session has ended elsewhere is told so, and may begin a new one`, async () => {
      const connection = await connect();
      const session = sessionHeaders(connection, headers);
      assert.equal((await service.request(path, { method: 'DELETE', headers: session })).status, 204);
      await assert.rejects(connection.listTools(), /session_not_found/);
      assert.ok((await (await connect()).listTools()).tools.length > 0);
    });
  }

  test(`${client.name}: the User-Agent that it sends by itself is refused on /mcp, with the reason`, async () => {
    await assert.rejects(client.connect(`${service.url}/mcp`, {}), (thrown) => {
      assert.match(whatServerSaid(thrown), /"code":"user_agent_required"/);
      return true;
    });
  });

  test(`${client.name}: the concierge lists its tools to anybody and calls them for nobody without a key`, async () => {
    const connection = await client.connect(`${service.url}/api/concierge/mcp`, {});
    assert.ok((await connection.listTools()).tools.length > 0);
    await assert.rejects(connection.callTool('booking_status', {}), (thrown) => {
      assert.equal(statusOf(thrown), 401);
      assert.match(whatServerSaid(thrown), /"code":40100,"message":"missing_credentials: /);
      return true;
    });
  });

  test(`${client.name}: a wrong partner key opens nothing, not even what needs none`, async () => {
    for (const path of ['/api/partner/mcp', '/api/concierge/mcp']) {
      await assert.rejects(
        client.connect(service.url + path, { 'x-partner-key': 'svc_partner_no' }),
        (thrown) => {
          assert.equal(statusOf(thrown), 401);
          assert.match(whatServerSaid(thrown), /invalid_key/);
          return true;
        },
      );
    }
  });
}

function secondClient(
  name: string,
  protocolVersion: string,
  mode: VersionNegotiationMode | undefined,
): OfficialClient {
  const options = mode === undefined ? {} : { versionNegotiation: { mode } };
  const connect = async (url: string, headers: Headers): Promise<Connection> => {
    const client = new Client(IDENTITY, options);
    open.push(client);
    const http = countingFetch();
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers },
      fetch: http.fetch,
    });
    await client.connect(transport);
    return {
      protocolVersion: client.getNegotiatedProtocolVersion(),
      requests: http.count,
      sessionId: () => transport.sessionId,
      listTools: () => client.listTools(),
      callTool: async (tool, input) =>
        (await client.callTool({ name: tool, arguments: input })) as ToolAnswer,
      terminateSession: () => transport.terminateSession(),
    };
  };
  return { name, protocolVersion, connect };
}

async function connectFirst(url: string, headers: Headers): Promise<Connection> {
  const client = new FirstClient(IDENTITY);
  open.push(client);
  const http = countingFetch();
  const transport = new FirstTransport(new URL(url), { requestInit: { headers }, fetch: http.fetch });
  await client.connect(transport);
  return {
    protocolVersion: transport.protocolVersion,
    requests: http.count,
    sessionId: () => transport.sessionId,
    listTools: () => client.listTools(),
    callTool: async (tool, input) => (await client.callTool({ name: tool, arguments: input })) as ToolAnswer,
    terminateSession: () => transport.terminateSession(),
  };
}

function countingFetch(): { fetch: typeof fetch; count: () => number } {
  let sent = 0;
  const counting: typeof fetch = (input, init) => {
    sent += 1;
    return fetch(input, init);
  };
  return { fetch: counting, count: () => sent };
}

function sessionHeaders(connection: Connection, headers: Headers): Headers {
  const sessionId = connection.sessionId();
  assert.ok(sessionId !== undefined, 'The server began no session.');
  return { ...headers, 'mcp-session-id': sessionId };
}

type Validate = ReturnType<AjvJsonSchemaValidator['getValidator']>;
const validators = new Map<string, Validate>();

/** The validator of the official client, made once for each tool: it takes much longer to make than to use. */
function validatorOf(path: string, tool: string): Validate {
  const made = validators.get(`${path} ${tool}`);
  if (made !== undefined) return made;
  const schema = structuredSchema(path, tool);
  assert.ok(schema !== undefined, 'The tool has no output schema.');
  const validate = new AjvJsonSchemaValidator().getValidator(schema);
  validators.set(`${path} ${tool}`, validate);
  return validate;
}

function assertValid(validate: Validate, value: unknown): void {
  const { valid, errorMessage } = validate(value);
  assert.deepEqual([valid, errorMessage], [true, undefined]);
}

function statusOf(thrown: unknown): unknown {
  const { status, code } = thrown as { status?: unknown; code?: unknown };
  return status ?? code;
}

/** The text of a refusal: the clients put it into the message or beside it. */
function whatServerSaid(thrown: unknown): string {
  const { message, data } = thrown as { message: string; data?: { text?: string } };
  return data?.text ?? message;
}
