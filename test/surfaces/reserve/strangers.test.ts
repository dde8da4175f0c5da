import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AskingPartner, addVenue } from '../../bookings/asking-partner.ts';
import { rpc, type RpcAnswer } from '../../harness/clients/mcp.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts';

const RESERVE_MCP = '/api/reserve/mcp';
const CONCIERGE_MCP = '/api/concierge/mcp';
const CANCEL = { name: 'cancel_booking', arguments: { booking_id: 'bkg_01kdtqb00071qz6sbs7e2vkqza' } };

const first = await startTestService();
const partner = await AskingPartner.add(first);
const { headers: own } = partner.partner;
const LIMITS = {
  RESERVE: 'on',
  RESERVE_PARTNER_KEY: partner.partner.apiKey,
  BOOKING_WRITES_PER_MINUTE: '8',
  BOOKING_WRITES_PER_DAY: '8',
  BOOKING_READS_PER_MINUTE: '8',
};

/** A service of which strangers may ask in the partner's name. */
const service = await startTestService({
  database: first.database,
  settings: { ...LIMITS, TRUSTED_PROXIES: '127.0.0.1' },
});
service.clock.advance(14 * HOUR_MS);

function from(address: string): Record<string, string> {
  return { 'x-forwarded-for': address };
}

function call(
  service: TestService,
  headers: Record<string, string>,
  params: object = CANCEL,
  path = RESERVE_MCP,
): Promise<RpcAnswer> {
  return rpc(service, path, { id: 1, method: 'tools/call', params }, headers);
}

async function statuses(count: number, ask: () => Promise<RpcAnswer>): Promise<number[]> {
  const all: number[] = [];
  for (let i = 0; i < count; i++) all.push((await ask()).status);
  return all;
}

test('one stranger gets a quarter of the writes of a minute; others and the partner go on', async () => {
  service.clock.advance(HOUR_MS);
  const greedy = from('203.0.113.1');
  assert.deepEqual(await statuses(12, () => call(service, greedy)), [
    200,
    200,
    ...Array<number>(10).fill(429),
  ]);
  const refused = await call(service, greedy);
  assert.equal(refused.body.error?.data?.['code'], 'write_rate_limited');
  assert.match(refused.headers.get('ratelimit') ?? '', /"writes-minute-address";r=0/);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  for (const address of ['203.0.113.2', '203.0.113.3', '203.0.113.4'])
    assert.deepEqual(await statuses(2, () => call(service, from(address))), [200, 200], address);
  const last = await call(service, from('203.0.113.5'));
  assert.equal(last.status, 429, 'all strangers together have the limit of one partner');
  for (const path of [CONCIERGE_MCP, RESERVE_MCP])
    assert.deepEqual(await statuses(4, () => call(service, own, CANCEL, path)), [200, 200, 200, 200], path);
  assert.equal((await call(service, own)).status, 429, 'the partner has its own eight');
});

test('reads, dry runs and the feed of businesses have a part for each address too', async () => {
  service.clock.advance(HOUR_MS);
  const placeId = await addVenue(service, { phone: '+6281234567101' });
  const table = {
    place_id: placeId,
    date: '2026-11-20',
    time: '19:30',
    party_size: 2,
    guest_name: 'A Guest',
  };
  const open = { name: 'restaurant_reservation', arguments: { restaurant_id: placeId } };
  const dry = { name: 'request_table', arguments: { ...table, dry_run: true } };
  for (const params of [open, dry]) {
    const greedy = from(params === open ? '203.0.113.11' : '203.0.113.12');
    assert.deepEqual(await statuses(3, () => call(service, greedy, params)), [200, 200, 429]);
  }
  assert.equal((await call(service, own, open)).status, 200);
  const feed = await service.request('/api/reserve/businesses', { headers: from('203.0.113.13') });
  assert.match(feed.headers.get('ratelimit-policy') ?? '', /"businesses-minute-address";q=150/);
});

test('one stranger gets a quarter of the requests of a day, and the partner keeps all of its own', async () => {
  service.clock.advance(HOUR_MS);
  const ask = async (headers: Record<string, string>, path = RESERVE_MCP) => {
    service.clock.advance(MINUTE_MS);
    const placeId = await addVenue(service, { phone: `+62812345${Math.floor(10_000 + asked++)}` });
    const table = {
      place_id: placeId,
      date: '2026-11-20',
      time: '19:30',
      party_size: 2,
      guest_name: 'A Guest',
    };
    return call(service, headers, { name: 'request_table', arguments: table }, path);
  };
  let asked = 0;
  const greedy = from('203.0.113.21');
  assert.deepEqual(await statuses(4, () => ask(greedy)), [200, 200, 429, 429]);
  const refused = await ask(greedy);
  assert.equal(refused.body.error?.data?.['code'], 'daily_write_limit');
  assert.equal((await ask(from('203.0.113.22'))).status, 200);
  assert.deepEqual(await statuses(8, () => ask(own, CONCIERGE_MCP)), Array<number>(8).fill(200));
  assert.equal((await ask(own, CONCIERGE_MCP)).status, 429);
  assert.equal(
    (await ask(from('203.0.113.23'))).status,
    200,
    'nor does the partner use up what strangers share',
  );
});

test('an address is what a trusted proxy says, by networks of 64 bits, and never what the caller says', async () => {
  service.clock.advance(HOUR_MS);
  assert.deepEqual(
    [
      (await call(service, from('2001:db8:7:1::1'))).status,
      (await call(service, from('2001:db8:7:1:ffff::2'))).status,
      (await call(service, from('2001:db8:7:1::3'))).status,
      (await call(service, from('2001:db8:7:2::1'))).status,
    ],
    [200, 200, 429, 200],
  );
  const direct = await startTestService({ database: first.database, settings: LIMITS });
  direct.clock.advance(24 * HOUR_MS);
  let spoofed = 0;
  assert.deepEqual(
    await statuses(3, () => call(direct, from(`203.0.113.${100 + spoofed++}`))),
    [200, 200, 429],
  );
});
