import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { Resolve } from '../../src/core/egress/egress-target.ts';
import { webhookDelivery } from '../../src/webhooks/deliver-webhook.ts';
import { startReceiver } from '../callbacks/receiver.ts';
import { passTime, until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';
import { header, receivedAt, LOOKS_OFTEN, WebhookPartner } from './webhook-partner.ts';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';

const receiver = await startReceiver();
const inside = await startReceiver();
const service = await startTestService({ settings: { ...LOOKS_OFTEN, EGRESS_ALLOW: receiver.pair } });
const { deps } = service.app;
const { pool } = service.database;
const allowed = { ...deps.egress };

afterEach(() => {
  receiver.answer = (response) => response.end();
  deps.egress = allowed;
});

test('500 for 23 hours, then 200: delivered with the last of eight attempts, always under the same id', async () => {
  const partner = await WebhookPartner.register(service, `${receiver.url}/long`);
  const booking = partner.newBooking();
  const started = service.clock.now().getTime();
  receiver.answer = (response) => {
    const hours = (service.clock.now().getTime() - started) / HOUR_MS;
    response.writeHead(hours < 23 ? 500 : 200).end();
  };
  await partner.move(booking, 1, 'confirmed');
  const waits: number[] = [];
  for (let attempts = 1; attempts < 8; attempts++) {
    const { state, http_status, next_attempt_at } = await partner.untilAttempted(booking, attempts);
    assert.deepEqual([state, http_status], ['pending', 500]);
    const ms = Date.parse(next_attempt_at ?? '') - service.clock.now().getTime();
    waits.push(ms);
    await passTime(service, ms);
  }
  const last = await partner.untilAttempted(booking, 8);
  assert.deepEqual([last.state, last.http_status, last.next_attempt_at], ['delivered', 200, null]);
  assert.equal(Date.parse(last.first_attempt_at ?? ''), started);
  const planned = [5, 300, 1800, 7200, 18_000, 36_000];
  for (const [i, seconds] of planned.entries()) {
    const share = (waits[i] ?? 0) / seconds / 1000;
    assert.ok(share >= 0.9 && share <= 1.1, `wait ${i} is ${share} of its plan`);
  }
  const got = receivedAt(receiver, '/long');
  assert.equal(got.length, 8);
  assert.equal(new Set(got.map((one) => header(one, 'webhook-id'))).size, 1);
  assert.equal(new Set(got.map(({ body }) => body)).size, 1);
  assert.equal(new Set(got.map((one) => header(one, 'svc-signature'))).size, 8);
});

test('a delivery that fails for a whole day is given up', async () => {
  receiver.answer = (response) => response.writeHead(503).end();
  const partner = await WebhookPartner.register(service, `${receiver.url}/never`);
  const booking = partner.newBooking();
  await partner.move(booking, 1);
  for (let attempts = 1; attempts < 8; attempts++) {
    const { state, next_attempt_at } = await partner.untilAttempted(booking, attempts);
    assert.equal(state, 'pending');
    await passTime(service, Date.parse(next_attempt_at ?? '') - service.clock.now().getTime());
  }
  const last = await partner.untilAttempted(booking, 8);
  assert.deepEqual([last.state, last.http_status, last.error], ['given_up', 503, null]);
});

test('a receiver that asks to be left alone for a while is left alone', async () => {
  receiver.answer = (response) => response.writeHead(429, { 'retry-after': '900' }).end();
  const partner = await WebhookPartner.register(service, `${receiver.url}/busy`);
  const booking = partner.newBooking();
  await partner.move(booking, 1);
  const { http_status, next_attempt_at } = await partner.untilAttempted(booking, 1);
  assert.equal(http_status, 429);
  assert.equal(Date.parse(next_attempt_at ?? '') - service.clock.now().getTime(), 900_000);
});

test('a redirect is a failure like any other, and where it points to is never asked', async () => {
  receiver.answer = (response, path) => {
    if (path === '/moved') response.writeHead(308, { location: `${receiver.url}/elsewhere` });
    response.end();
  };
  const partner = await WebhookPartner.register(service, `${receiver.url}/moved`);
  const booking = partner.newBooking();
  await partner.move(booking, 1);
  const first = await partner.untilAttempted(booking, 1);
  assert.deepEqual([first.state, first.http_status, first.error], ['pending', 308, 'redirect']);
  assert.equal(receivedAt(receiver, '/elsewhere').length, 0);
  receiver.answer = (response) => response.end();
  await passTime(service, 5_100);
  assert.equal((await partner.untilAttempted(booking, 2)).state, 'delivered');
});

test('410 gives the delivery up and closes the endpoint until its partner opens it again', async () => {
  const url = `${receiver.url}/gone`;
  const partner = await WebhookPartner.register(service, url);
  const [waiting, refused, unheard] = [partner.newBooking(), partner.newBooking(), partner.newBooking()];
  receiver.answer = (response) => response.writeHead(500).end();
  await partner.move(waiting, 1);
  await partner.untilAttempted(waiting, 1);
  receiver.answer = (response) => response.writeHead(410).end();
  await partner.move(refused, 1);
  assert.equal((await partner.untilAttempted(refused, 1)).state, 'given_up');
  await partner.move(unheard, 1);
  const status = await partner.status();
  assert.deepEqual([status.active, status.disabled_reason], [false, 'disabled_by_receiver']);
  assert.deepEqual(
    status.deliveries.map(({ booking_id, state, http_status, error }) => [
      booking_id,
      state,
      http_status,
      error,
    ]),
    [
      [refused, 'given_up', 410, null],
      [waiting, 'given_up', 500, 'endpoint_disabled'],
    ],
  );
  receiver.answer = (response) => response.end();
  assert.equal((await partner.set({ url })).secret, null, 'the secret stays');
  assert.equal((await partner.status()).active, true);
  await partner.move(unheard, 2);
  assert.equal((await partner.untilAttempted(unheard, 1, 2)).state, 'delivered');
});

test('a name that leads inside by the time of the call is refused, and nothing connects', async () => {
  const answers = ['93.184.216.34', '127.0.0.1'];
  const resolve: Resolve = () => Promise.resolve([{ address: answers.shift() ?? '127.0.0.1', family: 4 }]);
  const port = Number(inside.pair.split(':')[1]);
  deps.egress = { allow: [], ports: [port], resolve };
  const partner = await WebhookPartner.register(service, `https://rebinding.example.org:${port}/hook`);
  const booking = partner.newBooking();
  await partner.move(booking, 1);
  const first = await partner.untilAttempted(booking, 1);
  assert.deepEqual([first.state, first.http_status, first.error], ['pending', null, 'blocked_address']);
  assert.equal(inside.received.length, 0);
});

test('a delivery whose process died between the call and its note is made again, with the same id', async () => {
  const partner = await WebhookPartner.register(service, `${receiver.url}/died`);
  const booking = partner.newBooking();
  await partner.move(booking, 1);
  await partner.untilAttempted(booking, 1);
  // The state after such a death: the lease, and the job that was queued together with it.
  const leasedUntil = new Date(service.clock.now().getTime() + 60_000);
  await pool`
    update webhook_delivery set state = 'pending', finished_at = null, last_http_status = null,
      next_attempt_at = created_at, leased_until = ${leasedUntil} where booking_id = ${booking}`;
  await pool`
    select graphile_worker.add_job('deliver_webhook', json_build_object('delivery_id', id),
      job_key => 'webhook/' || id) from webhook_delivery where booking_id = ${booking}`;
  await until('the job waits for the end of the lease', async () => {
    const [job] = await pool`
      select 1 from graphile_worker._private_jobs j join webhook_delivery d on d.id = j.payload->>'delivery_id'
      where d.booking_id = ${booking} and j.locked_at is null and run_at > now() + interval '30 seconds'`;
    return job !== undefined;
  });
  assert.equal(receivedAt(receiver, '/died').length, 1);
  await passTime(service, 60_100);
  assert.equal((await partner.untilAttempted(booking, 2)).state, 'delivered');
  const [first, second] = receivedAt(receiver, '/died');
  assert.ok(first && second);
  assert.equal(header(first, 'webhook-id'), header(second, 'webhook-id'));
  assert.equal(first.body, second.body);
});

test('the content of a delivery is erased thirty days after its end; its result stays for 395 days', async () => {
  const partner = await WebhookPartner.register(service, `${receiver.url}/old`);
  const booking = partner.newBooking();
  await partner.move(booking, 1);
  await until('it has ended', async () => (await partner.status()).deliveries[0]?.state === 'delivered');
  service.clock.advance(29 * DAY_MS);
  await webhookDelivery.forgetOld(pool, service.clock.now());
  const data = () => pool`select data from webhook_delivery where booking_id = ${booking}`;
  assert.notEqual((await data())[0]?.['data'], null);
  service.clock.advance(2 * DAY_MS);
  await webhookDelivery.forgetOld(pool, service.clock.now());
  assert.equal((await data())[0]?.['data'], null);
  assert.equal((await partner.status()).deliveries[0]?.state, 'delivered');
  const inDays = (days: number) => new Date(service.clock.now().getTime() + days * DAY_MS);
  await webhookDelivery.forgetOld(pool, inDays(363));
  assert.equal((await data()).length, 1);
  await webhookDelivery.forgetOld(pool, inDays(365));
  assert.equal((await data()).length, 0);
});
