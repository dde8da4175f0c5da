import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { FormClient } from '../harness/people/staff.ts';
import { startTestService } from '../harness/service/service.ts';
import { makeBuyer, type Buyer } from '../licensing/buyer.ts';
import { addMadePhoto } from '../licensing/made-photo.ts';
import { StripeServer, type MadeSession } from './stripe-server.ts';
import { DAY_MS } from '../../src/core/time.ts';

const stripe = await StripeServer.open();
const service = await startTestService({ settings: stripe.settings });
const { pool } = service.database;
const { clock } = service;

async function checkoutOf(buyer: Buyer, cents: number): Promise<{ topUpId: string; session: MadeSession }> {
  const { status, body } = await buyer.post('/api/agent/photos/topup', { amount_cents: cents });
  assert.equal(status, 201, JSON.stringify(body));
  assert.equal(body['test'], false);
  const topUpId = String(body['topup_id']);
  const response = await new FormClient(service).post(`/pay/${topUpId}`, {});
  assert.equal(response.status, 303, await response.text());
  const session = stripe.sessions.find(({ form }) => form.get('client_reference_id') === topUpId);
  assert.ok(session);
  assert.equal(response.headers.get('location'), `${stripe.url}/c/pay/${session.id}`);
  return { topUpId, session };
}

async function tell(event: { payload: string; signature: string }): Promise<[number, unknown]> {
  const response = await service.request('/webhooks/stripe', {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': event.signature },
    body: event.payload,
  });
  const body = (await response.json()) as { heard?: string; code?: string };
  return [response.status, body.heard ?? body.code];
}

function completed(session: MadeSession, status = 'paid', type = 'checkout.session.completed') {
  return stripe.event(type, stripe.sessionObject(session, status), clock.now());
}

async function balance(buyer: Buyer): Promise<unknown> {
  return (await buyer.wallet()).body['balance_cents'];
}

test('a person who pays at the provider fills the wallet with money, once the provider says so', async () => {
  const buyer = await makeBuyer(service);
  const { topUpId, session } = await checkoutOf(buyer, 2_000);
  assert.deepEqual(
    [
      session.form.get('mode'),
      session.form.get('line_items[0][price_data][unit_amount]'),
      session.form.get('line_items[0][price_data][currency]'),
      session.form.get('payment_intent_data[metadata][waypost_id]'),
      session.form.get('success_url'),
    ],
    ['payment', '2000', 'usd', topUpId, `https://waypost.example/pay/${topUpId}`],
  );
  assert.equal(await balance(buyer), 0, 'the return to our page proves nothing');
  assert.deepEqual(await tell(completed(session)), [200, 'credited']);
  assert.equal(await balance(buyer), 2_000);
  const page = await (await new FormClient(service).get(`/pay/${topUpId}`)).text();
  assert.match(page, /The wallet is topped up/);
  assert.doesNotMatch(page, /[Tt]est checkout/);
});

test('pressing the button again leads to the same payment page, and a paid one leads nowhere', async () => {
  const buyer = await makeBuyer(service);
  const { topUpId, session } = await checkoutOf(buyer, 500);
  const again = await new FormClient(service).post(`/pay/${topUpId}`, {});
  assert.equal(again.headers.get('location'), `${stripe.url}/c/pay/${session.id}`);
  const late = new FormClient(service);
  const csrf = await late.token(`/pay/${topUpId}`);
  await tell(completed(session));
  const paid = await late.postRaw(`/pay/${topUpId}`, { csrf });
  assert.equal(paid.headers.get('location'), `/pay/${topUpId}`);
});

test('an event that comes again, or twenty times at once, by either name, credits once', async () => {
  const buyer = await makeBuyer(service);
  const { session } = await checkoutOf(buyer, 1_500);
  const types = ['checkout.session.completed', 'checkout.session.async_payment_succeeded'];
  const heard = await Promise.all(
    Array.from({ length: 20 }, (_, n) => tell(completed(session, 'paid', types[n % 2]))),
  );
  assert.deepEqual(
    heard.map(([status]) => status),
    Array(20).fill(200),
  );
  assert.equal(heard.filter(([, what]) => what === 'credited').length, 1);
  assert.equal(await balance(buyer), 1_500);
});

test('a checkout that is complete but not paid credits nothing until the payment succeeds, in whichever order', async () => {
  const buyer = await makeBuyer(service);
  const { session } = await checkoutOf(buyer, 1_000);
  assert.deepEqual(await tell(completed(session, 'unpaid')), [200, 'not_paid']);
  assert.equal(await balance(buyer), 0);
  const paid = completed(session, 'paid', 'checkout.session.async_payment_succeeded');
  assert.deepEqual(await tell(paid), [200, 'credited']);
  assert.deepEqual(await tell(completed(session, 'unpaid')), [200, 'not_paid'], 'the first event, late');
  assert.equal(await balance(buyer), 1_000);
  const failed = completed(session, 'unpaid', 'checkout.session.async_payment_failed');
  assert.deepEqual(await tell(failed), [200, 'not_ours']);
});

test('a forged, altered, unsigned or late event is refused and credits nothing', async () => {
  const buyer = await makeBuyer(service);
  const { session } = await checkoutOf(buyer, 1_000);
  const object = stripe.sessionObject(session);
  const type = 'checkout.session.completed';
  const good = completed(session);
  const old = new Date(clock.now().getTime() - 301_000);
  const bad = [
    stripe.event(type, object, clock.now(), 'whsec_of_somebody_else'),
    { ...good, payload: good.payload.replace('"amount_total":1000', '"amount_total":9000') },
    { ...good, signature: '' },
    { ...good, signature: 't=1,v1=00' },
    stripe.event(type, object, old),
    { payload: '', signature: good.signature },
  ];
  for (const event of bad) assert.deepEqual(await tell(event), [400, 'signature_refused']);
  assert.equal(await balance(buyer), 0);
  const inTime = new Date(clock.now().getTime() - 299_000);
  assert.deepEqual(await tell(stripe.event(type, object, inTime)), [200, 'credited']);
});

test('an event about somebody else, or about another amount, credits nothing', async () => {
  const buyer = await makeBuyer(service);
  const { session } = await checkoutOf(buyer, 1_000);
  const object = stripe.sessionObject(session);
  const about = (other: Record<string, unknown>) =>
    tell(stripe.event('checkout.session.completed', { ...object, ...other }, clock.now()));
  assert.deepEqual(await about({ client_reference_id: 'order-17', metadata: {} }), [200, 'not_ours']);
  assert.deepEqual(await about({ client_reference_id: 'top_00000000000000000000000000' }), [200, 'not_ours']);
  assert.deepEqual((await about({ amount_total: 10 }))[0], 422);
  assert.deepEqual((await about({ currency: 'jpy' }))[0], 422);
  assert.deepEqual(await tell(stripe.event('invoice.paid', { id: 'in_1' }, clock.now())), [200, 'not_ours']);
  assert.equal(await balance(buyer), 0);
});

test('a payment that arrives after our page has closed is credited: the money was taken', async () => {
  const buyer = await makeBuyer(service);
  const { topUpId, session } = await checkoutOf(buyer, 700);
  clock.advance(DAY_MS);
  assert.equal((await new FormClient(service).get(`/pay/${topUpId}`)).status, 410);
  assert.deepEqual(await tell(completed(session)), [200, 'credited']);
  assert.equal(await balance(buyer), 700);
  clock.advance(-DAY_MS);
});

test('a refund takes from the wallet what is there, once, however it is heard; the rest is our loss', async () => {
  const buyer = await makeBuyer(service);
  const { session } = await checkoutOf(buyer, 1_000);
  const refunded = (cents: number) =>
    tell(stripe.event('charge.refunded', stripe.chargeObject(session, cents), clock.now()));
  assert.deepEqual(await refunded(200), [200, 'already'], 'heard before the payment itself');
  assert.deepEqual(await tell(completed(session)), [200, 'credited']);
  assert.equal(await balance(buyer), 800);
  const photoId = await addMadePhoto(pool, clock, { prices: { web: 500 } });
  assert.equal((await buyer.license(photoId, 'web', 500, 'k')).status, 201);
  const heard = await Promise.all(Array.from({ length: 8 }, () => refunded(1_000)));
  assert.equal(heard.filter(([, what]) => what === 'refunded').length, 1);
  assert.deepEqual(await refunded(200), [200, 'already'], 'an older event, late');
  assert.equal(await balance(buyer), 0);
  const trail = await pool<{ actor: string; cents: number }[]>`
    select actor, (detail->>'refunded_cents')::int as cents from audit_log
    where operation = 'hear_stripe' and subject = ${session.paymentIntent} order by sequence`;
  const told = trail.map(({ actor, cents }) => [actor, cents]);
  assert.deepEqual(told, [
    ['stripe', 0],
    ['stripe', 800],
  ]);
  const [lost] = await pool<{ cents: string }[]>`
    select sum(amount_cents) as cents from ledger_entry where account_id = 'refunds'`;
  assert.equal(Number(lost?.cents), -500);
});

test('a plan is paid at the provider as well', async () => {
  const buyer = await makeBuyer(service);
  const asked = await buyer.post('/api/agent/me/plan', { plan: 'growth' });
  const id = String(asked.body['checkout_id']);
  const response = await new FormClient(service).post(`/pay/${id}`, {});
  assert.equal(response.status, 303);
  const session = stripe.sessions.find(({ form }) => form.get('client_reference_id') === id);
  assert.ok(session);
  assert.deepEqual(await tell(completed(session)), [200, 'credited']);
  assert.deepEqual(await tell(completed(session)), [200, 'already']);
  const { body } = await buyer.get('/api/agent/me');
  assert.equal((body['plan'] as { name: string }).name, 'growth');
});

test('while the provider does not answer, a person is told so and nothing is paid', async () => {
  const buyer = await makeBuyer(service);
  const { body } = await buyer.post('/api/agent/photos/topup', { amount_cents: 500 });
  stripe.failing = 400;
  const response = await new FormClient(service).post(`/pay/${String(body['topup_id'])}`, {});
  stripe.failing = undefined;
  assert.equal(response.status, 503);
  assert.match(await response.text(), /payment provider does not answer/);
});

test('test credit from before is not accepted once money is', async () => {
  const buyer = await makeBuyer(service, 5_000, 'test');
  const photoId = await addMadePhoto(pool, clock);
  const { status, body } = await buyer.license(photoId, 'web', 900, 'k');
  assert.deepEqual([status, body['code']], [402, 'insufficient_funds']);
});

test('after all of it the ledger fits', async () => {
  assert.deepEqual((await verifyLedger(pool)).faults, []);
});
