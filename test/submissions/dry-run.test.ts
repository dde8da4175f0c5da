import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AskingPartner, addVenue } from '../bookings/asking-partner.ts';
import { rpc } from '../harness/clients/mcp.ts';
import { business, SubmittingAgent } from '../harness/people/submissions.ts';
import { startTestService } from '../harness/service/service.ts';

const service = await startTestService({ demoPlaces: 300 });
const { pool } = service.database;
// Ten in the morning where the venues are.
service.clock.advance(14 * 3_600_000);

interface Submitted {
  submission_id: string | null;
  promo_id?: string | null;
  status: string | null;
  action: string;
  revision: number | null;
  review: unknown;
  dry_run: boolean;
  warnings: { code: string }[];
}

/** How many rows everything has that a write could leave, beside the counters of limits. */
async function rowCounts(): Promise<Record<string, number>> {
  const tables = await pool<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'rate_window%'`;
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await pool<{ count: number }[]>`select count(*)::int as count from ${pool(name)}`;
    counts[name] = row?.count ?? -1;
  }
  return counts;
}

async function countersOf(name: string): Promise<Record<string, number>> {
  const rows = await pool<{ name: string; used: number }[]>`
    select kind || ' ' || name as name, used::int as used from rate_window
    where position(${name} in name) > 0 and used > 0 order by name`;
  return Object.fromEntries(
    rows.map((row) => [row.name.replace(`/${name}`, '').replace(` ${name}`, ''), row.used]),
  );
}

function callTool(agent: SubmittingAgent, name: string, input: object) {
  const params = { name, arguments: input };
  return rpc(service, '/mcp', { id: 1, method: 'tools/call', params }, agent.authorization);
}

function assertDry(answer: Submitted, action: string): void {
  const { status, revision, review, dry_run } = answer;
  assert.deepEqual(
    { status, action: answer.action, revision, review, dry_run },
    { status: null, action, revision: null, review: null, dry_run: true },
  );
}

test('a dry run of a business is 200, says that it is one, stores nothing and costs one read', async () => {
  const agent = await SubmittingAgent.signUp(service);
  const real = await agent.business({ external_ref: 'there-already' });
  const before = await rowCounts();
  const counted = await countersOf(agent.agentId);
  const checked = business({ external_ref: 'dry', dry_run: true, description: 'An award-winning kitchen' });
  const fresh = await agent.post<Submitted>('/api/agent/business', checked);
  assert.equal(fresh.status, 200);
  assertDry(fresh.body, 'would_create');
  assert.equal(fresh.body.submission_id, null);
  assert.deepEqual(
    fresh.body.warnings.map(({ code }) => code),
    ['claim_unsourced'],
  );
  assert.equal(fresh.headers.get('x-ratelimit-remaining'), '99');
  const update = { submission_id: real.id, name: 'Kedai Baru', dry_run: true };
  const again = await agent.post<Submitted>('/api/agent/business', update);
  assert.equal(again.status, 200);
  assertDry(again.body, 'would_update');
  assert.equal(again.body.submission_id, null);
  assert.deepEqual(await rowCounts(), before);
  assert.deepEqual(await countersOf(agent.agentId), { ...counted, reads: 2 }, 'no write is counted');
  const standing = await agent.standing(real.id);
  assert.deepEqual([standing['revision'], standing['name'] === 'Kedai Baru'], [1, false]);
});

test('a dry run of a promotion is 200 and stores nothing', async () => {
  const agent = await SubmittingAgent.signUp(service);
  const { id } = await agent.business();
  const before = await rowCounts();
  const promo = { submission_id: id, title: 'Two for one', promo_ref: 'p1', dry_run: true };
  const { status, body } = await agent.post<Submitted>('/api/agent/promo', promo);
  assert.equal(status, 200);
  assertDry(body, 'would_create');
  assert.deepEqual([body.promo_id, body.submission_id], [null, id]);
  assert.deepEqual(await rowCounts(), before);
  const real = await agent.post<Submitted>('/api/agent/promo', { ...promo, dry_run: false });
  assert.deepEqual([real.status, real.body.dry_run, real.body.action], [201, false, 'created']);
});

test('a dry run uses no idempotency key: the same key then does the real thing, and repeats that', async () => {
  const agent = await SubmittingAgent.signUp(service);
  const key = { 'idempotency-key': '"one-key"' };
  const body = business({ external_ref: 'keyed' });
  const send = (dry: boolean) =>
    agent.post<Submitted>('/api/agent/business', dry ? { ...body, dry_run: true } : body, key);
  assert.equal((await send(true)).status, 200);
  const real = await send(false);
  assert.deepEqual([real.status, real.body.dry_run], [201, false]);
  const dry = await send(true);
  assert.deepEqual([dry.status, dry.body.dry_run, dry.headers.get('idempotent-replayed')], [200, true, null]);
  const repeated = await send(false);
  assert.equal(repeated.headers.get('idempotent-replayed'), 'true');
  assert.equal(repeated.body.submission_id, real.body.submission_id);
});

test('faults in a dry run are refused like those of a real call, and cost no daily read', async () => {
  const agent = await SubmittingAgent.signUp(service);
  const wrong = await agent.post('/api/agent/business', { name: 'Only a name', dry_run: true });
  assert.equal(wrong.status, 422);
  assert.equal(wrong.headers.get('x-ratelimit-remaining'), '100');
  await pool`
    insert into rate_window (kind, name, starts_at, ends_at, used, ceiling)
    values ('reads', ${agent.agentId}, '2026-11-15T00:00:00Z', '2026-11-16T00:00:00Z', 100, 100)
    on conflict (kind, name, starts_at) do update set used = 100`;
  const over = await agent.post('/api/agent/business', business({ dry_run: true }));
  assert.deepEqual([over.status, over.body.code], [429, 'daily_quota_exhausted']);
  assert.equal((await agent.post('/api/agent/business', business())).status, 201, 'writing stays free');
});

test('a tool says in its text and in its content that it was a dry run', async () => {
  const agent = await SubmittingAgent.signUp(service);
  const { id } = await agent.business();
  const before = await rowCounts();
  for (const [name, input] of [
    ['svc_submit_business', business({ external_ref: 'by-tool', dry_run: true })],
    ['svc_submit_promo', { submission_id: id, title: 'Two for one', dry_run: true }],
  ] as const) {
    const { body } = await callTool(agent, name, input);
    const [content] = body.result?.['content'] as [{ text: string }];
    assert.match(
      content.text,
      /^Dry run: everything was checked, nothing was stored, and nobody reviews it\./,
    );
    assert.doesNotMatch(content.text, /pending_review|created|expected by/);
    assertDry(body.result?.['structuredContent'] as Submitted, 'would_create');
  }
  assert.deepEqual(await rowCounts(), before);
});

test('a dry run of request_table counts as a read of bookings, uses no key and leaves nothing', async () => {
  const partner = await AskingPartner.add(service);
  const placeId = await addVenue(service, { name: 'Warung Coba', phone: '+62361123458' });
  const table = {
    place_id: placeId,
    date: '2026-11-20',
    time: '19:30',
    party_size: 2,
    guest_name: 'Guest Example',
    idempotency_key: 'table-key',
  };
  const before = await rowCounts();
  const dry = await partner.call<{ booking_id: null; dry_run: boolean }>('request_table', {
    ...table,
    dry_run: true,
  });
  assert.deepEqual([dry.booking_id, dry.dry_run], [null, true]);
  assert.deepEqual(await rowCounts(), before);
  assert.deepEqual(await countersOf(partner.partner.partnerId), { 'ceiling reads-minute': 1 });
  const real = await partner.call<{ booking_id: string; dry_run: boolean }>('request_table', table);
  assert.match(real.booking_id, /^bkg_/);
  assert.equal(real.dry_run, false);
});

test('openapi.json documents the 200 of a dry run with its own example', async () => {
  const { paths } = (await (await service.request('/openapi.json')).json()) as {
    paths: Record<string, { post: { responses: Record<string, DocumentedResponse> } }>;
  };
  for (const path of ['/api/agent/business', '/api/agent/promo']) {
    const responses = paths[path]?.post.responses ?? {};
    const exampleOf = (status: string) => responses[status]?.content?.['application/json']?.example;
    assert.deepEqual([exampleOf('200')?.dry_run, exampleOf('200')?.status], [true, null], path);
    assert.deepEqual([exampleOf('201')?.dry_run, exampleOf('201')?.status], [false, 'pending_review'], path);
  }
});

interface DocumentedResponse {
  content?: Record<string, { example?: Submitted }>;
}
