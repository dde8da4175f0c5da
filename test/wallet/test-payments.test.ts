import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCheckout } from '../../src/accounts/partners/plan-checkout.ts';
import { openSession } from '../../src/accounts/sign-in/session.ts';
import { createNewId } from '../../src/core/ids.ts';
import { openTopUp } from '../../src/wallet/top-up.ts';
import { welcome } from '../../src/node/welcome.ts';
import { addTestPartner } from '../harness/people/partner.ts';
import { FormClient } from '../harness/people/staff.ts';
import { startTestService, type TestService } from '../harness/service/service.ts';
import { sharedService } from '../harness/service/shared-service.ts';
import { makeBuyer } from '../licensing/buyer.ts';
import { addMadePhoto } from '../licensing/made-photo.ts';

const silent = await sharedService();
const testing = await startTestService({ settings: { TEST_PAYMENTS: 'on' } });
const demonstration = await sharedService({ demoPlaces: 300 });

/** Gives a photo that a member uploaded and a person has checked; the others of these tests are drawn. */
async function addRealPhoto({ database: { pool }, clock }: TestService): Promise<string> {
  const photoId = await addMadePhoto(pool, clock, { state: 'to_check' });
  const staffId = createNewId(clock)('stf');
  await pool`
    insert into staff (id, email, role, password_hash, created_at)
    values (${staffId}, ${`${staffId}@staff.example`}, 'reviewer', 'x', ${clock.now()})`;
  await pool`update photo set generated = false where id = ${photoId}`;
  await pool`
    insert into photo_check (photo_id, decision, decided_by, decided_at)
    values (${photoId}, 'approved', ${staffId}, ${clock.now()})`;
  const endsAt = new Date(clock.now().getTime() + 3_600_000);
  await pool`
    update photo set state = 'live', live_at = ${clock.now()}, ends_at = ${endsAt}, drop_number = 1 where id = ${photoId}`;
  return photoId;
}

const said = ({ app }: TestService) => welcome(app.deps.config, app, 'here');
const banner = async (service: TestService, path: string) =>
  /<aside class="banner"[\s\S]*?<\/aside>/.exec(
    await (await service.request(path, { headers: { accept: 'text/html' } })).text(),
  )?.[0] ?? '';

test('without a payment provider and without a word about it, nothing that costs money can be had', async () => {
  const { pool } = silent.database;
  const ctx = { newId: createNewId(silent.clock), now: silent.clock.now() };
  const buyer = await makeBuyer(silent, 5_000, 'test');
  for (const [path, body] of [
    ['/api/agent/photos/topup', { amount_cents: 2_000 }],
    ['/api/agent/me/plan', { plan: 'growth' }],
  ] as const) {
    const refused = await buyer.post(path, body);
    assert.deepEqual([refused.status, refused.body['code']], [503, 'maintenance'], path);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.match(String(refused.body['detail']), /takes no payments yet/);
  }
  assert.equal((await buyer.post('/api/agent/me/plan', { plan: 'free' })).status, 201, 'what is free stays');
  // Test credit from before, and links that were opened before, are worth nothing either.
  const licence = await buyer.license(await addMadePhoto(pool, silent.clock), 'social', 600, 'k');
  assert.deepEqual([licence.status, licence.body['code']], [402, 'insufficient_funds']);
  const { id: topUp } = await openTopUp(pool, ctx, buyer.agentId, 2_000);
  const { id: plan } = await openCheckout(pool, ctx, buyer.agentId, 'growth');
  for (const id of [topUp, plan]) {
    const person = new FormClient(silent);
    const page = await person.get(`/pay/${id}`);
    assert.equal(page.status, 503);
    assert.match(await page.text(), /takes no payments yet/);
    const csrf = await person.token('/partner/sign-in');
    assert.equal((await person.postRaw(`/pay/${id}`, { csrf })).status, 503);
  }
  const [{ paid } = { paid: -1 }] = await pool<{ paid: number }[]>`
    select (select count(*) from topup where paid_at is not null and id = ${topUp})::int
         + (select count(*) from checkout where paid_at is not null and id = ${plan})::int as paid`;
  assert.equal(paid, 0);
});

test('a partner switches no pay-per-call on where nobody could be paid', async () => {
  for (const [service, status] of [
    [silent, 503],
    [testing, 303],
  ] as const) {
    const { partnerId } = await addTestPartner(service);
    const { deps } = service.app;
    const cookie = await openSession({ deps, db: deps.pool, now: service.clock.now() }, 'partner', partnerId);
    const person = new FormClient(service);
    const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(cookie) ?? [];
    person.cookies.set(name, value);
    const fields = { pay_per_call: 'on', spend_limit_usd: '20' };
    assert.equal((await person.post('/partner/pay-per-call', fields, '/partner/plan')).status, status);
  }
});

test('test payments are said on every page and in the start, and only where they are on', async () => {
  for (const path of ['/', '/docs', '/partner/sign-in', '/console/sign-in', '/nowhere', '/member']) {
    assert.match(await banner(testing, path), /Test payments/, path);
    assert.match(await banner(demonstration, path), /Demonstration data.*Test payments/s, path);
    assert.equal(await banner(silent, path), '', path);
  }
  assert.match(said(testing), /Payments +TESTS: .*no money moves/);
  assert.match(said(demonstration), /Payments +TESTS: /);
  assert.match(said(silent), /Payments +none: /);
});

test('test credit licenses what was drawn for the demonstration, and never the file of a photographer', async () => {
  for (const service of [testing, demonstration]) {
    const { pool } = service.database;
    const buyer = await makeBuyer(service, 5_000, 'test');
    const drawn = await buyer.license(await addMadePhoto(pool, service.clock), 'social', 600, 'drawn');
    assert.deepEqual([drawn.status, drawn.body['test']], [201, true]);
    const real = await addRealPhoto(service);
    const refused = await buyer.license(real, 'social', 600, 'real');
    assert.deepEqual([refused.status, refused.body['code']], [402, 'insufficient_funds']);
    assert.match(String(refused.body['detail']), /real photographer/);
    const { body } = await buyer.wallet();
    assert.equal(body['test_credit_cents'], 4_500, 'nothing was charged');
    await assert.rejects(
      async () =>
        pool`
          insert into photo_licence (id, agent_id, photo_id, drop_number, number, use, price_cents, max_price_cents, test,
                                     sha256, attribution_line, licensed_at, transaction_id)
          select ${createNewId(service.clock)('lic')}, agent_id, ${real}, drop_number, number, use, price_cents,
                 max_price_cents, test, sha256, attribution_line, licensed_at, transaction_id
          from photo_licence where id = ${String(drawn.body['license_id'])}`,
      /photo_licence_test_of_generated_photo|test credit does not license/,
    );
  }
});
