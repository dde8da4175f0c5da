import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modernRpc } from '../../harness/clients/mcp.ts';
import { joinMember } from '../../harness/people/member.ts';
import { addTestPartner } from '../../harness/people/partner.ts';
import { FormClient, signInStaff } from '../../harness/people/staff.ts';
import { LONG } from '../../harness/tier.ts';
import { signUpAgent, startTestService } from '../../harness/service/service.ts';

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
}

const service = await startTestService({
  demoPlaces: 300,
  settings: { BOOKING_WRITES_PER_MINUTE: '1000', BOOKING_READS_PER_MINUTE: '1000' },
});
const { apiKey } = await signUpAgent(service);
const { headers: partner, partnerId } = await addTestPartner(service, { plan: 'platform' });
const lead = await signInStaff(service, 'lead');
await service.database.pool`
  update partner set bookings_enabled = true, bookings_reason = 'a test', bookings_at = now(), bookings_by = ${lead.staff.id}
  where id = ${partnerId}`;
const credentials = { authorization: `Bearer ${apiKey}`, ...partner };

const NUL = 'a\u0000b';
const HALF = 'a\ud800b';

/** The members of a schema that are text, each with a text that cannot be stored; in the quick tier with one of two. */
function spoiled({ properties = {} }: Schema): Record<string, string>[] {
  const texts = Object.keys(properties).filter((name) => properties[name]?.type === 'string');
  return texts.flatMap((name, at) =>
    [NUL, HALF].filter((_, kind) => LONG || kind === at % 2).map((value) => ({ [name]: value })),
  );
}

test('a text that cannot be stored is refused by every operation, also where it stands for an id', async () => {
  const { paths } = (await (await service.request('/openapi.json')).json()) as {
    paths: Record<
      string,
      Record<
        string,
        {
          parameters?: { name: string; in: string; schema: Schema }[];
          requestBody?: { content: Record<string, { schema: Schema; example: Record<string, unknown> }> };
        }
      >
    >;
  };
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { parameters = [], requestBody }] of Object.entries(methods)) {
      const body = requestBody?.content['application/json'];
      const queried = parameters.filter((one) => one.in === 'query');
      const schema = body?.schema ?? {
        properties: Object.fromEntries(queried.map((one) => [one.name, one.schema])),
      };
      for (const given of spoiled(schema)) {
        const query = new URLSearchParams({ use: 'social', ...given });
        const answer = await service.request(body === undefined ? `${path}?${query.toString()}` : path, {
          method: method.toUpperCase(),
          headers: { ...credentials, ...(body !== undefined && { 'content-type': 'application/json' }) },
          ...(body !== undefined && { body: JSON.stringify({ ...body.example, ...given }) }),
        });
        assert.ok(answer.status < 500, `${method} ${path} ${JSON.stringify(given)}: ${await answer.text()}`);
      }
    }
  const quoted = await service.request('/api/agent/photos/quote?photo_id=%00&use=social', {
    headers: credentials,
  });
  const { code, errors } = (await quoted.json()) as { code: string; errors: { pointer: string }[] };
  assert.deepEqual([quoted.status, code, errors[0]?.pointer], [422, 'validation_failed', '/photo_id']);
});

test('a text that cannot be stored is refused by every tool', async () => {
  for (const path of ['/mcp', '/api/partner/mcp', '/api/concierge/mcp']) {
    const { body } = await modernRpc(service, path, 'tools/list');
    for (const { name, inputSchema } of body.result?.['tools'] as { name: string; inputSchema: Schema }[])
      for (const given of spoiled(inputSchema)) {
        const message = { name, arguments: { use: 'social', destination: 'bali', ...given } };
        const answer = await modernRpc(service, path, 'tools/call', message, credentials);
        assert.equal(answer.status, 200, `${name} ${JSON.stringify(given)}: ${JSON.stringify(answer.body)}`);
      }
  }
});

test('an unknown member is named without what nobody can type', async () => {
  const answer = await service.request('/api/agent/photos/topup', {
    method: 'POST',
    headers: { ...credentials, 'content-type': 'application/json' },
    body: JSON.stringify({ amount_cents: 500, 'od\u0000d\u001b': 1, 'ha\udfff': 2 }),
  });
  const { warnings } = (await answer.json()) as { warnings: { pointer: string }[] };
  assert.deepEqual(
    warnings.map(({ pointer }) => pointer),
    ['/odd', '/ha\ufffd'],
  );
});

test('a protocol version that is not supported is named without what nobody sees', async () => {
  const answer = await service.request('/mcp', {
    method: 'POST',
    headers: {
      ...credentials,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': 'soft\u00adhyphen',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  const { error } = (await answer.json()) as { error: { data: { requested: string } } };
  assert.deepEqual([answer.status, error.data.requested], [400, 'softhyphen']);
});

test('names that every object has are words like any other', async () => {
  const visitor = new FormClient(service);
  for (const word of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    for (const name of ['q', 'category', 'area', 'open', 'wishes', 'lang', 'cursor'])
      for (const path of ['/', '/d/bali', '/docs/search', '/closures']) {
        const { status } = await visitor.get(`${path}?${name}=${word}`);
        assert.ok(status < 500, `${path}?${name}=${word}: ${status}`);
      }
    for (const path of ['search', 'destinations', 'closures', 'submissions', 'photos/search'])
      for (const name of ['q', 'city', 'category', 'vertical', 'wishes', 'fields', 'lang', 'country']) {
        const { status } = await service.request(`/api/agent/${path}?${name}=${word}`, {
          headers: credentials,
        });
        assert.ok(status < 500, `${path}?${name}=${word}: ${status}`);
      }
  }
});

test('pages take control characters out of what is looked for and of what a form holds', async () => {
  const visitor = new FormClient(service);
  for (const [client, path] of [
    [lead, '/console/partners?q=%00x%1b'],
    [lead, '/console/agents?q=%00x%1b'],
    [lead, '/console/places?q=%00x%1b'],
    [lead, '/console/audit?q=%00x%1b&subject=%00&actor=%00'],
    [visitor, '/?q=%00x%1b'],
    [visitor, '/d/bali?q=%00x%1b&area=%00'],
  ] as const) {
    const page = await client.get(path);
    assert.equal(page.status, 200, path);
    // eslint-disable-next-line no-control-regex
    assert.doesNotMatch(await page.text(), /[\u0000\u001b]/, path);
  }
  const member = await joinMember(service);
  for (const [client, path] of [
    [member, '/photos/mine/%00'],
    [member, '/photos/mine/a%00b/w480'],
    [lead, '/console/photos/%00'],
    [lead, '/console/review/%1b'],
    [visitor, '/p/%00'],
    [visitor, '/d/%00'],
  ] as const)
    assert.equal((await client.get(path)).status, 404, path);
  const sent = await visitor.post(
    '/member/sign-in/email',
    { email: 'no\u0000body\u001b' },
    '/member/sign-in',
  );
  assert.equal(sent.status, 422);
  const again = await sent.text();
  assert.match(again, /value="nobody"/);
});
