import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addNamedPlace } from '../directory/named-place.ts';
import { callTool } from '../harness/clients/call-tool.ts';
import { startTestService } from '../harness/service/service.ts';
import { addReviewer, approve, business, SubmittingAgent } from '../harness/people/submissions.ts';

const service = await startTestService({ demoPlaces: 300 });
const { pool } = service.database;
const agent = await SubmittingAgent.signUp(service);
const stranger = await SubmittingAgent.signUp(service);
const staffId = await addReviewer(service);

interface Submitted {
  submission_id: string;
  status: string;
  action: string;
  revision: number;
  external_ref: string | null;
  warnings: { code: string; pointer: string }[];
  possible_duplicates: { place_id: string; name: string; distance_m: number | null }[];
  review: { expected_by: string };
  attribution: string;
}

const submit = (body: unknown, headers?: Record<string, string>) =>
  agent.post<Submitted>('/api/agent/business', body, headers);

async function contentOf(id: string): Promise<Record<string, unknown>> {
  const [row] = await pool<{ content: Record<string, unknown> }[]>`
    select content from submission_revision where submission_id = ${id} order by revision desc limit 1`;
  assert.ok(row);
  return row.content;
}

test('a business is taken in, waits for a person, and is listed at once for its agent only', async () => {
  const { status, body } = await submit(business({ external_ref: 'first' }));
  assert.equal(status, 201);
  assert.match(body.submission_id, /^sub_[0-9a-z]{26}$/);
  assert.equal(body.status, 'pending_review');
  assert.equal(body.action, 'created');
  assert.equal(body.revision, 1);
  assert.equal(body.external_ref, 'first');
  assert.deepEqual(body.warnings, []);
  // The clock stands on a Saturday, so that one working day ends on Monday.
  assert.equal(body.review.expected_by, '2026-11-16T12:00:00.000Z');
  assert.match(body.attribution, /OpenStreetMap contributors/);
  const standing = await agent.standing(body.submission_id);
  assert.equal(standing['status'], 'pending_review');
  assert.equal(standing['live'], false);
  const others = await stranger.get<{ items: unknown[]; total: number }>('/api/agent/submissions');
  assert.deepEqual([others.body.items.length, others.body.total], [0, 0]);
});

test('the same reference updates: absent fields keep their value, null clears one, and it waits again', async () => {
  const first = await submit(business({ external_ref: 'r1', phone: '+62361123456', address: 'Jalan 1' }));
  const second = await submit({ external_ref: 'r1', phone: null, website: 'https://kedai.example' });
  assert.equal(second.status, 201);
  assert.deepEqual(
    [second.body.submission_id, second.body.action, second.body.revision],
    [first.body.submission_id, 'updated', 2],
  );
  const content = await contentOf(first.body.submission_id);
  assert.equal(content['phone'], null);
  assert.equal(content['address'], 'Jalan 1');
  assert.equal(content['website'], 'https://kedai.example');
  const byId = await submit({ submission_id: first.body.submission_id, address: 'Jalan 2' });
  assert.equal(byId.body.revision, 3);
});

test('without a reference every call creates, and another agent with the same reference creates its own', async () => {
  const body = business();
  const [one, two] = [await submit(body), await submit(body)];
  assert.notEqual(one.body.submission_id, two.body.submission_id);
  const mine = await submit(business({ external_ref: 'same' }));
  const theirs = await stranger.post<Submitted>('/api/agent/business', business({ external_ref: 'same' }));
  assert.equal(theirs.body.action, 'created');
  assert.notEqual(mine.body.submission_id, theirs.body.submission_id);
});

test('a submission of another agent is not found, and two handles that disagree are refused', async () => {
  const { id } = await stranger.business();
  const foreign = await submit(business({ submission_id: id }));
  assert.deepEqual([foreign.status, foreign.body.code], [404, 'submission_not_found']);
  const mine = await agent.business({ external_ref: 'm1' });
  await agent.business({ external_ref: 'm2' });
  const mixed = await submit({ submission_id: mine.id, external_ref: 'm2' });
  assert.deepEqual([mixed.status, mixed.body.code], [422, 'business_mismatch']);
});

test('eight calls at once with one new reference make one business with eight revisions', async () => {
  const calls = await Promise.all(
    Array.from({ length: 8 }, () => submit(business({ external_ref: 'race' }))),
  );
  assert.deepEqual([...new Set(calls.map(({ status }) => status))], [201]);
  assert.equal(new Set(calls.map(({ body }) => body.submission_id)).size, 1);
  assert.deepEqual(calls.map(({ body }) => body.revision).sort(), [1, 2, 3, 4, 5, 6, 7, 8]);
});

test('a repeated idempotency key gives the same answer and stores nothing twice', async () => {
  const body = business();
  const headers = { 'idempotency-key': '"twice"' };
  const [one, two] = [await submit(body, headers), await submit(body, headers)];
  assert.equal(one.body.submission_id, two.body.submission_id);
  assert.equal(two.headers.get('idempotent-replayed'), 'true');
  const other = await submit(business(), headers);
  assert.equal(other.body.code, 'idempotency_key_reused');
});

test('the answer names values that were not understood and values that a reviewer will check', async () => {
  const { body } = await submit(
    business({
      city: 'Nowhere at all',
      phone_number: '1',
      hours: 'whenever we feel like it',
      description: 'Voted best in Bali, 4.8 out of 5',
      callback_url: 'https://agent.invalid/hook',
    }),
  );
  assert.deepEqual(
    body.warnings.map(({ code, pointer }) => [code, pointer]),
    [
      ['claim_unsourced', '/description'],
      ['hours_not_understood', '/hours'],
      ['outside_destinations', '/city'],
      ['unknown_field', '/phone_number'],
      ['callback_unresolved', '/callback_url'],
    ],
  );
  const sourced = await submit(
    business({
      description: 'Voted best in Bali',
      claims: [{ text: 'Best in Bali', source_url: 'https://awards.example' }],
    }),
  );
  assert.deepEqual(sourced.body.warnings, []);
});

test('a place that the directory has already is named as a possible duplicate, with its distance', async () => {
  const [place] = await pool<{ id: string; name: string; lat: number; lng: number; city: string }[]>`
    select p.id, p.name, p.lat, p.lng, d.name as city from place p join destination d on d.id = p.destination_id
    where d.slug = 'bali' and p.closed_at is null order by p.id limit 1`;
  assert.ok(place);
  const { name, city, lat, lng } = place;
  const { body } = await submit(business({ name, city, lat: lat + 0.0003, lng }));
  const [first] = body.possible_duplicates;
  assert.deepEqual([first?.place_id, first?.name, first?.distance_m], [place.id, name, 33]);
  const { body: apart } = await submit(business({ name: 'Zzyzx Qwrtp Vbnm' }));
  assert.deepEqual(apart.possible_duplicates, []);
});

test('the most alike of several possible duplicates stands first', async () => {
  const [lat, lng] = [-8.5, 115.3];
  for (const north of [0.008, 0.004, 0.002, 0.001, 0])
    await addNamedPlace(service, { name: 'Kelapa Tua', slug: 'bali', lat: lat + north, lng });
  const { body } = await submit(business({ name: 'Kelapa Tua', city: 'Bali', lat, lng }));
  assert.deepEqual(
    body.possible_duplicates.map(({ distance_m: metres }) => metres),
    [0, 111, 222, 445, 890],
  );
});

test('the approved revision stays live while the next one waits', async () => {
  const sent = await agent.business({ external_ref: 'stays', description: 'One' });
  await approve(service, staffId, sent);
  const before = await agent.standing(sent.id);
  assert.deepEqual([before['status'], before['live'], before['badge']], ['approved', true, 'mapped']);
  await submit({ external_ref: 'stays', description: 'Two' });
  const waiting = await agent.standing(sent.id);
  assert.deepEqual([waiting['status'], waiting['live'], waiting['revision']], ['pending_review', true, 2]);
  const place = await agent.get(`/api/agent/business/${String(waiting['place_id'])}`);
  assert.equal(place.body['about'], 'One');
});

test('the list is filtered, paged by offset and by cursor, and refuses what it does not know', async () => {
  const lister = await SubmittingAgent.signUp(service);
  const sent: string[] = [];
  for (let i = 0; i < 5; i++) {
    service.clock.advance(1_000);
    sent.unshift((await lister.business({ external_ref: `l${i}` })).id);
  }
  interface Page {
    items: { submission_id: string }[];
    total: number;
    next_cursor: string | null;
  }
  const ids = ({ body }: { body: Page }) => body.items.map(({ submission_id }) => submission_id);
  const skipped = await lister.get<Page>('/api/agent/submissions?limit=2&offset=1');
  assert.deepEqual([ids(skipped), skipped.body.total], [sent.slice(1, 3), 5]);
  const next = await lister.get<Page>(
    `/api/agent/submissions?limit=2&cursor=${skipped.body.next_cursor ?? ''}`,
  );
  assert.deepEqual(ids(next), sent.slice(3, 5));
  assert.equal(next.body.next_cursor, null);
  const one = await lister.get<Page>(
    '/api/agent/submissions?external_ref=l3&status=pending_review&type=business',
  );
  assert.deepEqual(ids(one), [sent[1]]);
  assert.deepEqual((await lister.get<Page>('/api/agent/submissions?status=approved')).body.total, 0);
  for (const query of ['status=live', 'limit=0', 'offset=10001', 'type=x'])
    assert.equal((await lister.get(`/api/agent/submissions?${query}`)).status, 422, query);
  assert.equal((await lister.get('/api/agent/submissions?cursor=abc')).body.code, 'bad_cursor');
});

test('writing and listing need a key', async () => {
  const headers = { 'content-type': 'application/json' };
  for (const path of ['/api/agent/business', '/api/agent/promo']) {
    const answer = await service.request(path, { method: 'POST', headers, body: JSON.stringify(business()) });
    assert.equal(answer.status, 401);
  }
  assert.equal((await service.request('/api/agent/submissions')).status, 401);
});

test('the three tools do the same over MCP', async () => {
  const { authorization } = agent;
  const sent = await callTool<Submitted>(
    service,
    '/mcp',
    'svc_submit_business',
    business({ external_ref: 'mcp' }),
    authorization,
  );
  assert.equal(sent.status, 'pending_review');
  const promo = await callTool<{ promo_id: string; submission_id: string }>(
    service,
    '/mcp',
    'svc_submit_promo',
    { title: 'Two for one', external_ref: 'mcp' },
    authorization,
  );
  assert.equal(promo.submission_id, sent.submission_id);
  const list = await callTool<{ total: number; items: { type: string }[] }>(
    service,
    '/mcp',
    'svc_list_submissions',
    { external_ref: 'mcp' },
    authorization,
  );
  assert.deepEqual(list.items.map(({ type }) => type).sort(), ['business', 'promo']);
});

test('a new place is found by the Latin form of its name', async () => {
  const sent = await agent.business({ name: 'Кафе Пушкинъ Новое', city: 'Bali' });
  await approve(service, staffId, sent, { placeId: 'new' });
  const [place] = await pool<{ latin_name: string | null }[]>`
    select latin_name from place where source_ref = ${sent.id}`;
  assert.match(place?.latin_name ?? '', /kafe pushkin/i);
});
