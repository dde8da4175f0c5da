import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { startTestService } from '../harness/service/service.ts';
import { makeBuyer } from './buyer.ts';
import { addMadeMember, addMadePhoto, DROP_MS } from './made-photo.ts';

const service = await startTestService({ settings: { TEST_PAYMENTS: 'on' } });
const { pool } = service.database;
const { clock } = service;

async function balanceOf(account: string): Promise<number> {
  const [row] = await pool<{ cents: string | null }[]>`
    select sum(amount_cents) as cents from ledger_entry where account_id = ${account}`;
  return Number(row?.cents ?? 0);
}

test('a licence is charged to the wallet, paid to the photographer and the platform, and answered in full', async () => {
  const memberId = await addMadeMember(pool, clock);
  const photoId = await addMadePhoto(pool, clock, { memberId });
  const buyer = await makeBuyer(service, 5_000);
  const platform = await balanceOf('platform_revenue');
  const { status, body, headers } = await buyer.license(photoId, 'web', 900, 'first');
  assert.equal(status, 201, JSON.stringify(body));
  assert.equal(headers.get('idempotent-replayed'), null);
  const { license_id, download, terms, attribution, attribution_links, ...rest } = body;
  const id = String(license_id);
  assert.match(id, /^lic_[0-9a-z]{26}$/);
  assert.ok(String(attribution).startsWith('Place data ©') && Array.isArray(attribution_links));
  assert.deepEqual((terms as { duration: string }).duration, 'while it runs');
  assert.match((download as { url: string }).url, /^https:\/\/waypost\.example\/photos\/files\/[\w.-]+$/);
  assert.deepEqual(rest, {
    photo_id: photoId,
    use: 'web',
    price_cents: 900,
    currency: 'USD',
    test: false,
    licensed_at: '2026-11-14T12:00:00.000Z',
    expires_at: null,
    licensee: { agent_id: buyer.agentId, operator_name: 'Test Operator' },
    attribution_line: 'Photo: Ayu via Waypost',
    certificate_url: `https://waypost.example/licenses/${id}`,
    drop: { left: 9, ends_at: '2026-11-17T12:00:00.000Z', price_next: 1_089 },
    wallet: { balance_cents: 4_100, test_credit_cents: 0, spent_today_cents: 900, cap_cents: 5_000 },
    warnings: [],
  });
  assert.equal(await balanceOf(`photographer_payable:${memberId}`), 720);
  assert.equal((await balanceOf('platform_revenue')) - platform, 180);
  const wallet = await buyer.wallet();
  assert.equal(wallet.body['balance_cents'], 4_100);
  assert.equal(wallet.body['licences_total'], 1);
  assert.equal(wallet.body['cap_remaining_cents'], 4_100);
  assert.equal(wallet.body['cap_resets_at'], '2026-11-15T00:00:00.000Z');
});

test('the price rises by 10 % after every licence, for every use, up to the cent', async () => {
  const photoId = await addMadePhoto(pool, clock, { prices: { social: 500, web: 900 } });
  const buyer = await makeBuyer(service, 20_000);
  const paid: unknown[] = [];
  for (let n = 0; n < 7; n++) {
    const { body } = await buyer.license(photoId, 'social', 5_000, `step-${n}`);
    paid.push(body['price_cents']);
  }
  assert.deepEqual(paid, [500, 550, 605, 666, 733, 807, 888]);
  const { body } = await buyer.quote(photoId, 'web');
  assert.equal(body['price_cents'], 1_755);
});

test('a campaign ends after 12 months, and a licence without a key carries a warning', async () => {
  const photoId = await addMadePhoto(pool, clock);
  const buyer = await makeBuyer(service, 5_000);
  const { status, body } = await buyer.license(photoId, 'ad', 2_500);
  assert.equal(status, 201);
  assert.equal(body['expires_at'], '2027-11-14T12:00:00.000Z');
  assert.deepEqual(
    (body['warnings'] as { code: string; pointer: string }[]).map(({ code, pointer }) => [code, pointer]),
    [['idempotency_key_missing', '/idempotency_key']],
  );
});

test('a repeated key gives the same licence for ever, by body or by header, and another body is refused', async () => {
  const photoId = await addMadePhoto(pool, clock);
  const buyer = await makeBuyer(service, 5_000);
  const first = await buyer.license(photoId, 'social', 600, 'again');
  clock.advance(DROP_MS + 1_000);
  const second = await buyer.license(photoId, 'social', 600, 'again');
  assert.deepEqual([first.status, second.status], [201, 200]);
  assert.equal(second.headers.get('idempotent-replayed'), 'true');
  assert.equal(second.body['license_id'], first.body['license_id']);
  assert.equal(second.body['price_cents'], 500);
  assert.notDeepEqual(second.body['download'], first.body['download']);
  const header = await buyer.post(
    '/api/agent/photos/license',
    { photo_id: photoId, use: 'social', max_price_cents: 600 },
    { 'idempotency-key': '"again"' },
  );
  assert.equal(header.body['license_id'], first.body['license_id']);
  for (const [use, max] of [
    ['social', 700],
    ['web', 600],
  ] as const) {
    const other = await buyer.license(photoId, use, max, 'again');
    assert.deepEqual([other.status, other.body['code']], [422, 'idempotency_key_reused']);
  }
  assert.equal((await buyer.wallet()).body['balance_cents'], 4_500);
  clock.advance(-DROP_MS - 1_000);
});

test('a key of one agent means nothing for another', async () => {
  const photoId = await addMadePhoto(pool, clock);
  const [one, two] = [await makeBuyer(service, 5_000), await makeBuyer(service, 5_000)];
  const a = await one.license(photoId, 'social', 600, 'same');
  const b = await two.license(photoId, 'social', 600, 'same');
  assert.notEqual(a.body['license_id'], b.body['license_id']);
  assert.deepEqual([a.body['price_cents'], b.body['price_cents']], [500, 550]);
});

test('test credit buys licences that are marked so, pays nobody in money, and is never mixed with money', async () => {
  const memberId = await addMadeMember(pool, clock);
  const photoId = await addMadePhoto(pool, clock, { memberId });
  const buyer = await makeBuyer(service, 900, 'test');
  const { status, body } = await buyer.license(photoId, 'social', 600, 't');
  assert.equal(status, 201);
  assert.equal(body['test'], true);
  assert.deepEqual(body['wallet'], {
    balance_cents: 0,
    test_credit_cents: 400,
    spent_today_cents: 500,
    cap_cents: 5_000,
  });
  assert.equal(await balanceOf(`photographer_payable:${memberId}`), 0);
  assert.equal(await balanceOf(`photographer_test:${memberId}`), 400);
  // 400 of test credit and 200 of money are 600 together, but neither alone pays 550.
  const { fillWallet } = await import('./made-photo.ts');
  await fillWallet(pool, clock, buyer.agentId, 200);
  const refused = await buyer.license(photoId, 'social', 600, 'u');
  assert.deepEqual([refused.status, refused.body['code']], [402, 'insufficient_funds']);
  assert.deepEqual(refused.body['balance'], { balance_cents: 200, test_credit_cents: 400, currency: 'USD' });
});

test('after all of it the ledger fits', async () => {
  assert.deepEqual((await verifyLedger(pool)).faults, []);
});
