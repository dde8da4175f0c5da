import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PARTNER_MCP } from '../harness/people/partner.ts';
import { startTestService, type TestService } from '../harness/service/service.ts';

const direct = await startTestService();
const proxied = await startTestService({
  database: direct.database,
  settings: { TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' },
});
// Each test is about a minute of its own, because all of them come from the same machine.
let minute = 0;
function nextMinute(): void {
  minute++;
  for (const node of [direct, proxied]) node.clock.advance(60_000);
}

const BODY = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'list_destinations', arguments: { country: 'MC' } },
});

/** The two ways into the service: in front of the router, and through it. */
const LANES = { 'the fast lane': 'application/json', 'the router': 'application/json;charset="utf-8"' };

async function call(
  service: TestService,
  contentType: string,
  headers: Record<string, string>,
): Promise<number> {
  const response = await service.request(PARTNER_MCP, {
    method: 'POST',
    headers: { 'content-type': contentType, accept: 'application/json', ...headers },
    body: BODY,
  });
  await response.arrayBuffer();
  return response.status;
}

async function statuses(
  service: TestService,
  contentType: string,
  headersOf: (index: number) => Record<string, string>,
): Promise<number[]> {
  const all = [];
  for (let i = 0; i < 13; i++) all.push(await call(service, contentType, headersOf(i)));
  return all;
}

const TWELVE_AND_ONE = [...Array<number>(12).fill(200), 429];

for (const [lane, contentType] of Object.entries(LANES)) {
  describe(`on ${lane}`, () => {
    test('a client that invents addresses is still one caller where no proxy is trusted', async () => {
      nextMinute();
      const seen = await statuses(direct, contentType, (i) => ({
        'x-forwarded-for': `203.0.113.${i}`,
        'x-real-ip': `203.0.113.${i}`,
        forwarded: `for=203.0.113.${i}`,
      }));
      assert.deepEqual(seen, TWELVE_AND_ONE);
    });

    test('behind trusted proxies the last address that none of them is counts, whatever stands before it', async () => {
      nextMinute();
      const seen = await statuses(proxied, contentType, (i) => ({
        'x-forwarded-for': `192.0.2.${i}, 198.51.100.${minute}, 10.1.2.3`,
      }));
      assert.deepEqual(seen, TWELVE_AND_ONE);
      assert.equal(await call(proxied, contentType, { 'x-forwarded-for': '198.51.100.200, 10.1.2.3' }), 200);
    });

    test('an address that is none is a caller like others', async () => {
      nextMinute();
      const seen = await statuses(proxied, contentType, () => ({ 'x-forwarded-for': 'not an address' }));
      assert.deepEqual(seen, TWELVE_AND_ONE);
    });
  });
}
