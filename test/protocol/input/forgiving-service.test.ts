import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { AskingPartner, CONCIERGE_MCP, addVenue } from '../../bookings/asking-partner.ts';
import { startReceiver } from '../../callbacks/receiver.ts';
import { rpc } from '../../harness/clients/mcp.ts';
import { PARTNER_MCP } from '../../harness/people/partner.ts';
import { startTestService } from '../../harness/service/service.ts';
import { makeBuyer } from '../../licensing/buyer.ts';

const receiver = await startReceiver();
const service = await startTestService({ demoPlaces: 300, settings: { EGRESS_ALLOW: receiver.pair } });
const agent = await makeBuyer(service);
await service.database.pool`update agent set plan = 'scale'`;
const bearer = { authorization: `Bearer ${agent.apiKey}` };
const partner = await AskingPartner.add(service);

interface Told {
  text: string;
  isError: boolean;
  content: Record<string, unknown>;
}

async function call(
  path: string,
  name: string,
  given: object,
  headers: Record<string, string>,
): Promise<Told> {
  const message = { id: 1, method: 'tools/call', params: { name, arguments: given } };
  const { status, body } = await rpc(service, path, message, headers);
  assert.equal(status, 200, JSON.stringify(body));
  const [{ text } = { text: '' }] = body.result?.['content'] as { text: string }[];
  const content = (body.result?.['structuredContent'] ?? {}) as Record<string, unknown>;
  return { text, isError: body.result?.['isError'] === true, content };
}

test('in a query, a body and tool arguments alike, null and empty text are as if they were not there', async () => {
  const { body: plain } = await agent.get('/api/agent/search?q=pizza&limit=3');
  const { body: empty } = await agent.get(
    '/api/agent/search?q=pizza&limit=3&city=&country=&near=&open_now=&radius_m=&wishes=',
  );
  assert.deepEqual(empty, plain);
  const nothing = { city: null, country: '', near: null, open_now: null, wishes: [], cursor: '' };
  const tool = await call('/mcp', 'svc_search_places', { q: 'pizza', limit: '3', ...nothing }, bearer);
  const { content } = await call('/mcp', 'svc_search_places', { q: 'pizza', limit: 3 }, bearer);
  assert.deepEqual(tool.content, content);
  assert.equal(tool.content['count'], plain['count']);
  const submitted = await agent.post('/api/agent/business', {
    ...{ relationship: 'owner', name: 'Warung Senja', country: 'ID', city: 'Bali' },
    ...{ address: '', phone: null, email: '', website: null, vertical: '', hours: null, languages: null },
    ...{ submission_id: null, external_ref: '', lat: '', lng: null, dry_run: '' },
  });
  assert.deepEqual([submitted.status, submitted.body['warnings']], [201, []]);
});

test('another name is taken, and the answer and the text of the tool say so', async () => {
  const { body } = await agent.get('/api/agent/search?query=pizza&location=tokyo&limit=3');
  const { body: plain } = await agent.get('/api/agent/search?q=pizza&city=tokyo&limit=3');
  const { warnings, ...answer } = body;
  assert.deepEqual(answer, plain);
  assert.deepEqual(
    (warnings as { pointer: string; detail: string }[]).map(({ pointer, detail }) => [pointer, detail]),
    [
      ['/query', 'Read as q.'],
      ['/location', 'Read as city.'],
    ],
  );
  const tool = await call(PARTNER_MCP, 'search_places', { q: 'pizza', location: 'tokyo', foo: 1 }, {});
  assert.deepEqual(tool.text.split('\n').slice(0, 3), [
    'Warning: /q: Read as query.',
    'Warning: /location: Read as destination.',
    'Warning: /foo: Unknown and ignored.',
  ]);
  const long = await call(PARTNER_MCP, 'list_destinations', { ['𝒳'.repeat(100)]: 1 }, {});
  assert.ok(long.text.isWellFormed(), 'a name that is cut is not cut within a character');
});

test('a sign-up takes the names that other services have for the same', async () => {
  const response = await service.request('/api/agent/signup', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ name: 'Night Guide', company: 'Ribeira Lda', email: 'night@operator.example', website: '' },
      use_case: 'Finds bars for visitors at night.',
    }),
  });
  assert.equal(response.status, 201);
  const { warnings } = (await response.json()) as { warnings: { detail: string }[] };
  assert.deepEqual(
    warnings.map(({ detail }) => detail),
    ['agent_name', 'operator_name', 'operator_email', 'purpose'].map((member) => `Read as ${member}.`),
  );
});

test('a model reads all faults of a call at once', async () => {
  const given = { place: 'plc_1', date: 'tomorrow', people: 99, foo: 1 };
  const { text, isError } = await call(CONCIERGE_MCP, 'request_table', given, partner.partner.headers);
  assert.ok(isError);
  assert.deepEqual(text.split('\n').slice(1), [
    '- /date must be a date such as 2026-11-14',
    '- /time is required',
    '- /people must be at most 30',
    '- /guest_name exactly one of guest_name and member_id must be sent',
  ]);
  assert.match(text, /Unknown: foo\./);
});

test('updates that name only what changes pass the published schemas, and are taken', async () => {
  const { body: made } = await agent.post('/api/agent/business', {
    ...{ relationship: 'owner', name: 'Warung Fajar', country: 'ID', city: 'Bali', external_ref: 'fajar' },
  });
  await agent.post('/api/agent/promo', { title: 'Half price', external_ref: 'fajar', promo_ref: 'half' });
  await partner.call('set_webhook', { url: `${receiver.url}/hook` });
  const venue = await addVenue(service, { phone: '+62361123456' });
  const bookingId = await partner.request(venue);
  const updates: [path: string, tool: string, given: Record<string, unknown>, refused?: RegExp][] = [
    ['/mcp', 'svc_submit_business', { submission_id: made['submission_id'], phone: '+62361999999' }],
    ['/mcp', 'svc_submit_business', { external_ref: 'fajar', address: 'Jalan Pantai 7' }],
    ['/mcp', 'svc_submit_promo', { promo_ref: 'half', external_ref: 'fajar', detail: 'From six on.' }],
    [CONCIERGE_MCP, 'set_webhook', { send_test: true }],
    [CONCIERGE_MCP, 'set_webhook', { rotate_secret: true }],
    [CONCIERGE_MCP, 'modify_booking', { booking_id: bookingId, time: '20:00' }, /^invalid_move: /],
    [CONCIERGE_MCP, 'modify_booking', { booking_id: bookingId, remove_notes: true }, /must differ/],
  ];
  const openapi = (await (await service.request('/openapi.json')).json()) as {
    components: object;
    paths: Record<string, { post?: { requestBody: { content: Record<string, { schema: object }> } } }>;
  };
  const bodies: Record<string, object | undefined> = Object.fromEntries(
    ['business', 'promo'].map((name) => [
      `svc_submit_${name}`,
      // Parts that several share stand beside the paths.
      {
        ...openapi.paths[`/api/agent/${name}`]?.post?.requestBody.content['application/json']?.schema,
        components: openapi.components,
      },
    ]),
  );
  for (const [path, name, given, refused] of updates) {
    const { body } = await rpc(service, path, { id: 1, method: 'tools/list' });
    const tools = body.result?.['tools'] as { name: string; inputSchema: object }[];
    const schema = tools.find((one) => one.name === name)?.inputSchema ?? { not: {} };
    assert.ok(!('anyOf' in schema) && !('oneOf' in schema), `${name}: some models take no alternatives here`);
    for (const published of [schema, bodies[name] ?? {}])
      assert.ok(new AjvJsonSchemaValidator().getValidator(published)(given).valid, JSON.stringify(given));
    const { text, isError } = await call(
      path,
      name,
      given,
      path === '/mcp' ? bearer : partner.partner.headers,
    );
    assert.equal(isError, refused !== undefined, text);
    if (refused !== undefined) assert.match(text, refused);
  }
  const empty = new AjvJsonSchemaValidator().getValidator(bodies['svc_submit_business'] ?? {});
  assert.ok(!empty({ phone: '+62361999999' }).valid, 'what is neither new nor an update is none');
});
