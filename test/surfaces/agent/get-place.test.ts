import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callTool } from '../../harness/clients/call-tool.ts';
import { dereference } from '../../harness/clients/dereference.ts';
import { assertPublished } from '../../harness/clients/published-schema.ts';
import { BASE_URL, signUpAgent } from '../../harness/service/service.ts';
import { sharedService } from '../../harness/service/shared-service.ts';

const service = await sharedService({ demoPlaces: 3000 });
const { apiKey } = await signUpAgent(service);
const authorization = `Bearer ${apiKey}`;
const { pool } = service.database;
await pool`update agent set plan = 'scale'`;

interface Answer {
  place_id: string;
  name: string;
  destination: { slug: string; timezone: string };
  rating: { value: number | null; count: number; source: string };
  open_now: boolean | null;
  open_status: { state: string; evidence: string | null; text: string; checked_at: string | null };
  closure_belief: { believed_closed: boolean; confidence: string; evidence: { observed_at: string }[] };
  menu: { available: boolean; sections: { name: string; items: { name: string; price: string | null }[] }[] };
  booking: {
    method: string;
    url: string | null;
    phone: string | null;
    guidance: string;
    prefilled: Record<string, boolean>;
  };
  guidance: string;
  attribution: string;
}

function get(id: string, query: Record<string, string> = {}): Promise<Response> {
  return service.request(`/api/agent/business/${id}?${new URLSearchParams(query).toString()}`, {
    headers: { authorization },
  });
}

async function getPlace(id: string, query: Record<string, string> = {}): Promise<Answer> {
  const response = await get(id, query);
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as Answer;
}

async function anyId(where: string): Promise<string> {
  const [row] = await pool.unsafe<{ id: string }[]>(
    `select id from place where ${where} order by id limit 1`,
  );
  assert.ok(row, where);
  return row.id;
}

async function publishedSchema(): Promise<unknown> {
  const document = dereference((await (await service.request('/openapi.json')).json()) as object) as {
    paths: Record<
      string,
      { get: { responses: Record<string, { content: Record<string, { schema: unknown }> }> } }
    >;
  };
  const { responses } = document.paths['/api/agent/business/{place_id}']?.get ?? {};
  return responses?.['200']?.content['application/json']?.schema;
}

test('a place of every kind is told in the published shape, over REST and as a tool alike', async () => {
  const schema = await publishedSchema();
  const ids = await pool<{ id: string }[]>`
    (select id from place order by id limit 40)
    union (select place_id from menu order by place_id limit 5)
    union (select place_id from accolade order by place_id limit 5)
    union (select place_id from closure_evidence order by place_id limit 5)`;
  for (const { id } of ids) {
    const answer = await getPlace(id);
    assertPublished(schema, answer);
    assert.equal(answer.guidance, answer.booking.guidance);
    assert.match(answer.attribution, /OpenStreetMap/);
    assert.doesNotMatch(JSON.stringify(answer), /\+00:00"/);
    const tool = await callTool(service, '/mcp', 'svc_get_place', { place_id: id }, { authorization });
    assert.deepEqual(tool, answer);
  }
});

test('a place that closed is given with the evidence, and with no way to book it', async () => {
  const id = await anyId('closed_at is not null and id in (select place_id from closure_evidence)');
  const answer = await getPlace(id, { party_size: '2' });
  assert.equal(answer.booking.method, 'closed');
  assert.equal(answer.booking.url, null);
  assert.equal(answer.booking.phone, null);
  assert.equal(answer.guidance, 'This place appears to have closed. Do not send anyone.');
  assert.equal(answer.open_now, false);
  assert.equal(answer.open_status.state, 'closed');
  assert.match(answer.open_status.evidence ?? '', /^(website_dead|published_report|venue_said)$/);
  assert.match(answer.open_status.text, /appears to have closed: /);
  assert.ok(answer.closure_belief.believed_closed && answer.closure_belief.evidence.length > 0);
  assert.equal(answer.closure_belief.confidence, 'believed');
});

test('a suspicion of closure is told without closing the place', async () => {
  const id = await anyId(`closed_at is null and id not in (select place_id from closure_evidence)`);
  await pool`
    insert into closure_evidence (place_id, kind, note, observed_at)
    values (${id}, 'website_dead', 'No answer three times', '2026-11-01T00:00:00Z')`;
  const { closure_belief, open_status } = await getPlace(id);
  assert.deepEqual([closure_belief.believed_closed, closure_belief.confidence], [false, 'suspected']);
  assert.equal(closure_belief.evidence[0]?.observed_at, '2026-11-01T00:00:00.000Z');
  assert.notEqual(open_status.state, 'closed');
});

test('the booking page of the venue is filled in, and other ways to book ignore the wish', async () => {
  const id = await anyId(`closed_at is null`);
  await pool`
    update place set booking_method = 'venue_system', chosen_by_venue = true,
      booking_url = 'https://www.sevenrooms.com/reservations/senja' where id = ${id}`;
  const ask = { party_size: '4', date: '2026-11-20', time: '19:30' };
  const { booking } = await getPlace(id, ask);
  assert.deepEqual(booking.prefilled, { party_size: true, date: true, time: true });
  const { searchParams } = new URL(booking.url ?? '');
  assert.deepEqual(
    ['default_date', 'default_party_size', 'default_time'].map((name) => searchParams.get(name)),
    ['2026-11-20', '4', '19:30'],
  );
  for (const method of ['request', 'phone', 'not_through']) {
    await pool`update place set booking_method = ${method} where id = ${id}`;
    const other = await getPlace(id, ask);
    assert.equal(other.booking.method, method === 'not_through' ? 'not_through_svc' : method);
    assert.equal(other.booking.url, null);
    assert.deepEqual(other.booking.prefilled, { party_size: false, date: false, time: false });
  }
});

test("dates are judged on the place's own calendar", async () => {
  // At noon of 14 November in UTC it is the 15th in Auckland already, and still the 14th in Honolulu.
  const [east] = await pool<{ id: string }[]>`
    select p.id from place p join destination d on d.id = p.destination_id where d.timezone = 'Pacific/Auckland' limit 1`;
  const [west] = await pool<{ id: string }[]>`
    select p.id from place p join destination d on d.id = p.destination_id where d.timezone = 'Pacific/Honolulu' limit 1`;
  assert.ok(east && west);
  assert.equal((await get(east.id, { date: '2026-11-14' })).status, 422);
  assert.equal((await get(east.id, { date: '2026-11-15' })).status, 200);
  assert.equal((await get(west.id, { date: '2026-11-13' })).status, 422);
  assert.equal((await get(west.id, { date: '2026-11-14' })).status, 200);
  assert.equal((await get(west.id, { date: '2027-11-14' })).status, 200);
  assert.equal((await get(west.id, { date: '2027-11-15' })).status, 422);
});

test('a wish that cannot be is refused by field and costs nothing', async () => {
  const id = await anyId('closed_at is null');
  const before = (await get(id)).headers.get('x-ratelimit-remaining');
  for (const [field, value] of [
    ['party_size', '0'],
    ['party_size', '51'],
    ['party_size', 'two'],
    ['date', '2026-02-30'],
    ['date', '14.11.2026'],
    ['date', '2020-01-01'],
    ['time', '24:00'],
    ['time', '7pm'],
  ] as const) {
    const response = await get(id, { [field]: value });
    assert.equal(response.status, 422, `${field}=${value}`);
    const problem = (await response.json()) as { code: string; errors: { pointer: string }[] };
    assert.deepEqual([problem.code, problem.errors[0]?.pointer], ['validation_failed', `/${field}`]);
    assert.equal(response.headers.get('x-ratelimit-remaining'), before);
  }
});

test('an unknown or malformed id is 404 and costs a read', async () => {
  const before = Number((await get(await anyId('true'))).headers.get('x-ratelimit-remaining'));
  const ids = ['plc_01kdtqb00071qz6sbs7e2vkqza', 'nonsense', "'; drop table place; --"];
  for (const [i, id] of ids.entries()) {
    const response = await get(encodeURIComponent(id));
    assert.equal(response.status, 404, id);
    assert.equal(((await response.json()) as { code: string }).code, 'place_not_found');
    assert.equal(Number(response.headers.get('x-ratelimit-remaining')), before - i - 1);
  }
  const odd = await get('%00');
  assert.equal(odd.status, 422, 'what nobody can type is no id at all');
  assert.equal(Number(odd.headers.get('x-ratelimit-remaining')), before - ids.length);
});

test('without a key nothing is told', async () => {
  const response = await service.request(`/api/agent/business/${await anyId('true')}`);
  assert.equal(response.status, 401);
  assert.equal(response.headers.get('x-ratelimit-remaining'), '0');
  assert.match(response.headers.get('www-authenticate') ?? '', new RegExp(`resource_metadata="${BASE_URL}`));
});
