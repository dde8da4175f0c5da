import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StaffRole } from '../../../../src/accounts/staff/staff.ts';
import { startTestService } from '../../../harness/service/service.ts';
import { FormClient, signInStaff } from '../../../harness/people/staff.ts';

const routes: { method: string; path: string }[] = [];
const service = await startTestService({
  mount: (http) => {
    http.addHook('onReady', (done) => {
      routes.push(...listRoutes(http.printRoutes({ commonPrefix: false })));
      done();
    });
  },
});

/** Pages for people without a session. */
const DOOR = new Set(['GET /console/sign-in', 'POST /console/sign-in']);

/** Pages closed to each role. All others are open to everybody who is signed in. */
const CLOSED: Record<StaffRole, RegExp> = {
  lead: /^$/,
  reviewer:
    /^(GET|POST) \/console\/(staff|kill-switch|destinations|outbox\/[^/]+|photos\/payouts|licences\/[^/]+\/refund|places\/[^/]+\/(connector|removal|restoration)|agents\/[^/]+\/revoke|desk\/)|^POST \/console\/(set-up(\/.*)?|bookings\/.*|partners\/[^/]+(\/(pay-per-call|plan|revoke|bookings-refusal|plan-refusal))?)$/,
  desk: /^(GET|POST) \/console\/(staff|kill-switch|destinations|outbox\/[^/]+|photos\/payouts|licences\/[^/]+\/refund|places\/[^/]+\/connector|audit|agents\/[^/]+\/(suspend|unsuspend|revoke)|partners\/[^/]+\/(plan|plan-refusal|suspend|unsuspend|revoke)|places\/[^/]+\/(accolades|merge|correction|position|removal|restoration))|^POST \/console\/(review|photos\/|positions\/|set-up)/,
};

/** Reads the tree of routes that the framework prints: each line adds to the path of the line above it. */
function listRoutes(tree: string): { method: string; path: string }[] {
  const stack: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] = /^([│├└─\s]*)(\S+)(?: \(([^)]*)\))?/.exec(line) ?? [];
    if (part === '') return [];
    stack.length = Math.floor(indent.length / 4);
    stack.push(part);
    const path = stack.slice(1).join('').replace(/\/$/, '');
    const own = methods.split(', ').filter((method) => method === 'GET' || method === 'POST');
    return path.startsWith('/console') ? own.map((method) => ({ method, path })) : [];
  });
}

function address(path: string): string {
  return path.replace(':id', path.includes('/staff/') ? `stf_${'0'.repeat(26)}` : `plc_${'0'.repeat(26)}`);
}

function ask(client: FormClient, { method, path }: { method: string; path: string }): Promise<Response> {
  return method === 'GET' ? client.get(address(path)) : client.postRaw(address(path), { csrf: 'none' });
}

/** Routes whose method is not ours answer 405 for everybody, so only what answers otherwise is a route of the console. */
const own: { method: string; path: string }[] = [];
for (const route of routes) if ((await ask(new FormClient(service), route)).status !== 405) own.push(route);

test('the console has the routes that this file is about', () => {
  const names = own.map(({ method, path }) => `${method} ${path}`);
  for (const known of [
    'GET /console',
    'POST /console/sign-in',
    'GET /console/review/:id',
    'POST /console/review/:id',
    'POST /console/agents/:id/revoke',
    'POST /console/places/:id/merge',
    'POST /console/desk/:id/answer',
    'GET /console/outbox',
    'POST /console/outbox/:id',
    'GET /console/audit',
    'POST /console/staff/:id/reset',
  ])
    assert.ok(names.includes(known), `${known} in ${names.join(', ')}`);
});

test('without a session every page leads to the sign-in, every form and every program is refused', async () => {
  const stranger = new FormClient(service);
  for (const route of own) {
    if (DOOR.has(`${route.method} ${route.path}`)) continue;
    const response = await ask(stranger, route);
    if (route.method === 'GET') {
      assert.equal(response.status, 303, route.path);
      assert.match(response.headers.get('location') ?? '', /^\/console\/sign-in(\?next=|$)/);
      const program = await stranger.get(address(route.path), { accept: 'application/json' });
      assert.equal(program.status, 401, route.path);
    } else assert.equal(response.status, 401, route.path);
  }
});

for (const role of ['reviewer', 'desk', 'lead'] as const) {
  test(`a ${role} may do what the role allows and nothing else`, async () => {
    const client = await signInStaff(service, role);
    for (const route of own) {
      const name = `${route.method} ${route.path}`;
      if (DOOR.has(name)) continue;
      const response = await ask(client, route);
      const text = await response.text();
      const closed = CLOSED[role].test(name);
      assert.equal(text.includes('This needs the role'), closed, name);
      if (closed) assert.equal(response.status, 403, name);
      // A form that is open to the role is stopped by its missing token, and a page of nothing is not found.
      else if (route.method === 'POST') assert.match(text, /This form was not opened in this browser/, name);
      else assert.ok([200, 303, 404].includes(response.status), `${name} ${response.status}`);
    }
  });
}

test('a session of a person whose access ended opens nothing', async () => {
  const client = await signInStaff(service, 'reviewer');
  assert.equal((await client.get('/console')).status, 200);
  await service.app.deps.pool`update staff set disabled_at = now() where id = ${client.staff.id}`;
  assert.equal((await client.get('/console')).status, 303);
});

test('pages of the console are kept nowhere and shown in no frame', async () => {
  const client = await signInStaff(service, 'lead');
  const { headers } = await client.get('/console/outbox');
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'self'.*frame-ancestors 'none'/);
});
