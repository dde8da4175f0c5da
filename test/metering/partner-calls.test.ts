import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CALL_LOG_MAX,
  forgetPartnerCalls,
  KEPT_PER_FLUSH,
  listPartnerCalls,
  usageByDay,
  usageByTool,
} from '../../src/metering/partner-calls.ts';
import { callTool } from '../harness/clients/call-tool.ts';
import { rpc } from '../harness/clients/mcp.ts';
import { addTestPartner, PARTNER_MCP } from '../harness/people/partner.ts';
import { startTestService } from '../harness/service/service.ts';
import { CONCIERGE_MCP } from '../bookings/asking-partner.ts';
import { deleteExpired } from '../../src/retention/delete-expired.ts';

const service = await startTestService({ demoPlaces: 300 });
const { pool, partnerCalls } = service.app.deps;
const DAY_MS = 86_400_000;

async function logOf(partnerId: string, filter: { onlyFailed?: boolean; requestId?: string } = {}) {
  await partnerCalls.flush();
  return listPartnerCalls(pool, { partnerId, limit: 2_000, ...filter });
}

test('directory and concierge calls are counted by day and listed with result, duration and request id', async () => {
  const { partnerId, headers } = await addTestPartner(service);
  const other = await addTestPartner(service);
  await callTool(service, PARTNER_MCP, 'list_destinations', {}, headers);
  const params = { name: 'booking_status', arguments: { booking_id: 'bkg_none' } };
  await rpc(service, CONCIERGE_MCP, { id: 1, method: 'tools/call', params }, headers);
  const usage = await service.request('/api/partner/usage', { headers });
  await callTool(service, PARTNER_MCP, 'list_destinations', {}, other.headers);
  const log = await logOf(partnerId);
  assert.deepEqual(
    log.map(({ surface, tool, failure }) => [surface, tool, failure !== null]),
    [
      ['partner', 'get_usage', false],
      ['concierge', 'booking_status', true],
      ['partner', 'list_destinations', false],
    ],
  );
  assert.equal(log[0]?.request_id, usage.headers.get('x-request-id'));
  assert.ok(log.every(({ duration_ms: ms }) => ms > 0));
  assert.equal((await logOf(partnerId, { onlyFailed: true })).length, 1);
  const id = log[0].request_id;
  assert.equal((await logOf(partnerId, { requestId: id })).length, 1);
  assert.equal((await logOf(other.partnerId, { requestId: id })).length, 0, 'it is of another partner');

  service.clock.advance(DAY_MS);
  await callTool(service, PARTNER_MCP, 'list_destinations', {}, headers);
  await partnerCalls.flush();
  const now = service.clock.now();
  assert.deepEqual(await usageByDay(pool, partnerId, now, 3), [
    { day: '2026-11-13', directory: 0, concierge: 0 },
    { day: '2026-11-14', directory: 2, concierge: 1 },
    { day: '2026-11-15', directory: 1, concierge: 0 },
  ]);
  const [first] = await usageByTool(pool, partnerId, now, 3);
  assert.deepEqual({ ...first }, { surface: 'partner', tool: 'list_destinations', calls: 2, failed: 0 });
});

test('a call that a limit refuses is an error of the log', async () => {
  const { partnerId, headers } = await addTestPartner(service);
  const params = { name: 'list_destinations', arguments: {} };
  const message = { id: 1, method: 'tools/call', params };
  const calls = Array.from({ length: 31 }, () => rpc(service, PARTNER_MCP, message, headers));
  await Promise.all(calls);
  const [refused, ...more] = await logOf(partnerId, { onlyFailed: true });
  assert.equal(refused?.failure, 'rate_limited');
  assert.deepEqual(more, []);
});

test('of a busy second every call is counted, and the first ones are listed', async () => {
  const { partnerId } = await addTestPartner(service);
  await partnerCalls.flush();
  const actor = { kind: 'partner', id: partnerId } as Parameters<typeof partnerCalls.note>[0]['actor'];
  for (let i = 0; i < 1_000; i++)
    partnerCalls.note({
      actor,
      surface: 'partner',
      tool: 'search_places',
      requestId: `req_${i}`,
      failure: i % 2 === 0 ? undefined : 'not_found',
      ms: 1,
    });
  assert.equal((await logOf(partnerId)).length, 2 * KEPT_PER_FLUSH);
  const [total] = await usageByTool(pool, partnerId, service.clock.now(), 1);
  assert.deepEqual([total?.calls, total?.failed], [1_000, 500]);
});

test('the log keeps a week and the newest calls, the counts a hundred days', async () => {
  const { partnerId } = await addTestPartner(service);
  const now = service.clock.now();
  await pool`
    insert into partner_call (partner_id, at, surface, tool, duration_ms, request_id)
    select ${partnerId}, ${now}::timestamptz - n * interval '1 minute', 'partner', 'search_places', 1, 'req_' || n
    from generate_series(${CALL_LOG_MAX + 50}::int, 1, -1) n`;
  await forgetPartnerCalls(pool, now);
  const log = await logOf(partnerId);
  assert.deepEqual(
    [log.length, log[0]?.request_id, log.at(-1)?.request_id],
    [CALL_LOG_MAX, 'req_1', 'req_1000'],
  );
  await forgetPartnerCalls(pool, new Date(now.getTime() + 8 * DAY_MS));
  assert.equal((await logOf(partnerId)).length, 0);
  await pool`
    insert into partner_day_usage (partner_id, day, surface, tool, calls, failed)
    values (${partnerId}, ${now.toISOString()}::date - 101, 'partner', 'search_places', 1, 0),
           (${partnerId}, ${now.toISOString()}::date - 99, 'partner', 'search_places', 1, 0)`;
  await deleteExpired(pool, now);
  const kept = await pool`select from partner_day_usage where partner_id = ${partnerId}`;
  assert.equal(kept.count, 1);
});

test('calls that cannot be stored are dropped, and later ones are stored again', async () => {
  const { partnerId, headers } = await addTestPartner(service);
  const actor = { kind: 'partner', id: 'ptn_unknown' } as Parameters<typeof partnerCalls.note>[0]['actor'];
  partnerCalls.note({ actor, surface: 'partner', tool: 'x', requestId: 'req_x', failure: undefined, ms: 1 });
  await partnerCalls.flush();
  await callTool(service, PARTNER_MCP, 'list_destinations', {}, headers);
  assert.equal((await logOf(partnerId)).length, 1);
});
