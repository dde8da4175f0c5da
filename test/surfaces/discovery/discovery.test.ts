import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { flipSwitch } from '../../harness/service/kill-switch.ts';
import { dereference } from '../../harness/clients/dereference.ts';
import { rpc } from '../../harness/clients/mcp.ts';
import { BASE_URL, PARTNER_URL, startTestService } from '../../harness/service/service.ts';
import { addTestStaff } from '../../harness/people/staff.ts';
import { matchSnapshot } from '../../harness/snapshot.ts';

const service = await startTestService();

async function json(path: string): Promise<Record<string, unknown>> {
  // None of these files needs a key or a User-Agent of one's own: a client must be able to find out what to send.
  const response = await fetch(service.url + path, { headers: { 'user-agent': 'node' } });
  assert.equal(response.status, 200, path);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  return (await response.json()) as Record<string, unknown>;
}

interface OpenApi {
  openapi: string;
  info: { version: string };
  paths: Record<
    string,
    Record<string, { operationId?: string; responses: Record<string, { content: Record<string, Media> }> }>
  >;
}
interface Media {
  schema: { required?: string[] };
  example?: { attribution?: string };
  examples?: object;
}

test('openapi.json is OpenAPI 3.1.0, description version 1.0.0, and is what is committed', async () => {
  const document = (await json('/openapi.json')) as unknown as OpenApi;
  assert.deepEqual([document.openapi, document.info.version], ['3.1.0', '1.0.0']);
  matchSnapshot('openapi.json', document);
});

test('every operation has an id, examples, problem documents for what it refuses, and attribution in what it gives', async () => {
  const document = dereference((await json('/openapi.json')) as unknown as OpenApi);
  const ids = new Set<string>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const where = `${method} ${path}`;
      assert.ok(operation.operationId !== undefined && !ids.has(operation.operationId), where);
      ids.add(operation.operationId);
      const answers = Object.entries(operation.responses);
      assert.ok(
        answers.some(([status]) => status.startsWith('4')),
        where,
      );
      // A repetition is answered like the first time, which has the example.
      const shown = answers.filter(([status]) => status.startsWith('2')).at(-1)?.[1];
      assert.ok(shown?.content['application/json']?.example?.attribution, where);
      for (const [status, { content }] of answers) {
        if (status.startsWith('2')) {
          const success = content['application/json'];
          assert.ok(
            success !== undefined && success.schema.required?.includes('attribution') === true,
            where,
          );
        } else if (status !== '304') {
          assert.deepEqual(Object.keys(content), ['application/problem+json'], `${where} ${status}`);
          assert.ok(content['application/problem+json']?.examples, `${where} ${status}`);
        }
      }
    }
  }
});

test('openapi.json declares every status that a route gives by itself', async () => {
  const { paths } = dereference((await json('/openapi.json')) as unknown as OpenApi);
  const statuses = (path: string, method: string) => Object.keys(paths[path]?.[method]?.responses ?? {});
  const renewed = statuses('/api/partner/signup', 'post');
  assert.ok(renewed.includes('200') && renewed.includes('201'), 'a sign-up that renews the key is 200');
  assert.ok(renewed.includes('403'), 'a key that is suspended is refused wherever it is sent');
  const bought = statuses('/api/agent/photos/license', 'post');
  assert.ok(bought.includes('200') && bought.includes('201'), 'a licence that is repeated is 200');
  assert.ok(statuses('/api/agent/business/{place_id}', 'get').includes('414'), 'an id can be too long');
  for (const [path, methods] of Object.entries(paths))
    assert.equal(statuses(path, 'get').includes('304'), methods['get'] !== undefined, `${path}: 304`);
  for (const [path, methods] of Object.entries(paths))
    if (methods['post'] !== undefined)
      assert.ok(statuses(path, 'post').includes('409'), `${path} can still be running under its key`);
});

test('openapi.json has every event that is posted, with its signed headers, its body and an example that fits', async () => {
  const { webhooks } = dereference((await json('/openapi.json')) as unknown as Described);
  assert.deepEqual(Object.keys(webhooks), [
    'booking_move',
    'booking_message',
    'webhook_test',
    'submission_decided',
  ]);
  for (const { post } of Object.values(webhooks)) {
    assert.deepEqual(
      post.parameters.map(({ name }) => name),
      ['svc-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'],
    );
    const { schema, example } = post.requestBody.content['application/json'];
    const fits = new AjvJsonSchemaValidator().getValidator(schema);
    assert.equal(fits(example).errorMessage, undefined);
    assert.ok(!fits({ ...example, type: 'booking.eaten' }).valid, 'another type does not fit');
  }
});

interface Described {
  webhooks: Record<
    string,
    {
      post: {
        parameters: { name: string }[];
        requestBody: { content: { 'application/json': { schema: object; example: object } } };
      };
    }
  >;
}

test("openapi.json passes Redocly's recommended rules without a warning, at a public and at a local address", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waypost-openapi-'));
  const local = await startTestService({ settings: { BASE_URL: 'http://localhost:3000' } });
  const files = { public: service, local };
  for (const [name, { url }] of Object.entries(files))
    await writeFile(join(folder, name), await (await fetch(`${url}/openapi.json`)).text());
  const paths = Object.keys(files).map((name) => join(folder, name));
  const { code, output } = await redocly([
    'lint',
    ...paths,
    ...['--extends', 'recommended', '--format', 'stylish'],
  ]);
  assert.equal(code, 0, output);
  for (const path of paths) assert.ok(output.includes(`${path}: validated`), output);
  assert.match(output, /Your API descriptions are valid/);
  assert.doesNotMatch(output, /warning/i);
  await rm(folder, { recursive: true });
});

test('the tool lists of the three endpoints are what is committed', async () => {
  for (const [name, path] of [
    ['agent', '/mcp'],
    ['partner', '/api/partner/mcp'],
    ['concierge', '/api/concierge/mcp'],
  ] as const) {
    const { body } = await rpc(service, path, { id: 1, method: 'tools/list' });
    matchSnapshot(`tools-${name}.json`, body.result);
  }
});

test('the concierge has the seven tools of the booking surface, and nothing else', async () => {
  const { body } = await rpc(service, '/api/concierge/mcp', { id: 1, method: 'tools/list' });
  assert.deepEqual(
    (body.result?.['tools'] as { name: string }[]).map(({ name }) => name),
    [
      'check_availability',
      'request_table',
      'booking_status',
      'modify_booking',
      'cancel_booking',
      'set_webhook',
      'webhook_status',
    ],
  );
});

test('llms.txt has a title, a summary and its sections, and stays under 10 kB', async () => {
  const text = await (await fetch(`${service.url}/llms.txt`)).text();
  assert.match(text, /^# Waypost\n\n> /);
  for (const section of ['Docs', 'API', 'MCP', 'Rules', 'Optional'])
    assert.ok(text.includes(`\n## ${section}\n`), section);
  assert.ok(Buffer.byteLength(text) < 10_240);
});

test('every address of ours that llms.txt names is really there', async () => {
  const text = await (await fetch(`${service.url}/llms.txt`)).text();
  const links = [...text.matchAll(/\]\((https:\/\/[^)]+)\)/g)].map((match) => match[1] ?? '');
  assert.ok(links.length >= 8);
  for (const link of links) {
    const path = link.replace(BASE_URL, '').replace(PARTNER_URL, '');
    const response = await service.request(path);
    // An MCP endpoint answers a GET with 405: it is there, but it is asked by POST.
    assert.ok(response.status === 200 || response.status === 405, `${link}: ${response.status}`);
  }
});

test('ai-plugin.json has the members of version 1, and its addresses are there', async () => {
  const manifest = await json('/.well-known/ai-plugin.json');
  assert.equal(manifest['schema_version'], 'v1');
  for (const name of [
    'name_for_human',
    'name_for_model',
    'description_for_human',
    'description_for_model',
    'contact_email',
    'legal_info_url',
  ]) {
    assert.ok(typeof manifest[name] === 'string' && manifest[name] !== '', name);
  }
  const logo = await service.request(String(manifest['logo_url']).replace(BASE_URL, ''));
  assert.equal(logo.status, 200);
  assert.match(logo.headers.get('content-type') ?? '', /^image\/svg/);
});

test('the protected resource metadata is the same at the bare and at the path form', async () => {
  const bare = await json('/.well-known/oauth-protected-resource');
  assert.deepEqual(bare, await json('/.well-known/oauth-protected-resource/mcp'));
  assert.equal(bare['resource'], `${BASE_URL}/mcp`);
  assert.deepEqual(bare['scopes_supported'], ['svc.read', 'svc.write']);
});

test('the partner index tells tools, plans, limits and computed coverage', async () => {
  const index = await json('/api/partner');
  assert.deepEqual((index['mcp'] as { url: string }).url, `${PARTNER_URL}/api/partner/mcp`);
  assert.deepEqual(
    (index['plans'] as { name: string }[]).map(({ name }) => name),
    ['free', 'partner', 'directory', 'concierge', 'platform'],
  );
  const signup = index['signup'] as { open: boolean; path: string };
  assert.deepEqual([signup.open, signup.path], [true, '/api/partner/signup']);
  const [free] = index['plans'] as { calls_per_month: number; calls_per_minute: number; price: string }[];
  assert.deepEqual([free?.calls_per_month, free?.calls_per_minute, free?.price], [10_000, 30, 'no fee']);
  assert.equal(
    (index['covers'] as { destinations: number }).destinations,
    service.app.deps.destinations.current.destinations.filter(({ places }) => places > 0).length,
  );
  assert.match(String(index['attribution']), /OpenStreetMap contributors \(ODbL\)/);
});

test('the concierge index says openly whether bookings are taken', async () => {
  const bookings = async () => (await json('/api/concierge'))['bookings'];
  const isTaken = (await bookings()) as { enabled: boolean; reason: string | null };
  assert.deepEqual([isTaken.enabled, isTaken.reason], [true, null]);
  const { id: staffId } = await addTestStaff(service, 'lead');
  await flipSwitch(service.app.deps, { on: true, reason: 'The phones are down.', staffId });
  const halted = (await bookings()) as { enabled: boolean; reason: string | null };
  assert.deepEqual([halted.enabled, halted.reason], [false, 'The phones are down.']);
  assert.ok((await json('/api/concierge'))['attribution']);
});

function redocly(args: string[]): Promise<{ code: number; output: string }> {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve('@redocly/cli/package.json');
  const { bin } = require(manifest) as { bin: Record<string, string> };
  const program = join(dirname(manifest), bin['redocly'] ?? '');
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...args], {
      env: {
        ...process.env,
        REDOCLY_TELEMETRY: 'off',
        REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
        NO_COLOR: '1',
      },
    });
    let output = '';
    child.stdout.on('data', (data: Buffer) => (output += data.toString()));
    child.stderr.on('data', (data: Buffer) => (output += data.toString()));
    child.on('exit', (code) => {
      resolve({ code: code ?? 1, output });
    });
  });
}
