import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startReceiver } from '../../callbacks/receiver.ts';
import { until } from '../../harness/service/jobs.ts';
import { rpc } from '../../harness/clients/mcp.ts';
import { addTestPartner } from '../../harness/people/partner.ts';
import { PARTNER_URL, startTestService } from '../../harness/service/service.ts';
import { CONCIERGE_MCP, receivedAt, LOOKS_OFTEN, WebhookPartner } from '../../webhooks/webhook-partner.ts';
import { HOUR_MS } from '../../../src/core/time.ts';

const receiver = await startReceiver();
const service = await startTestService({ settings: { ...LOOKS_OFTEN, EGRESS_ALLOW: receiver.pair } });
const { pool } = service.database;

function call(name: string, input: unknown, headers: Record<string, string> = {}) {
  return rpc(
    service,
    CONCIERGE_MCP,
    { id: 1, method: 'tools/call', params: { name, arguments: input } },
    headers,
  );
}

test('an address is registered with a secret that is shown once', async () => {
  const partner = await WebhookPartner.register(service, null);
  const url = `${receiver.url}/registered`;
  const first = await partner.set({ url });
  assert.match(first.secret ?? '', /^whsec_/);
  assert.deepEqual(first.events, [
    'sent',
    'asking',
    'offered',
    'confirmed',
    'declined',
    'no_answer',
    'cancelled',
  ]);
  assert.equal(first.public_keys_url, `${PARTNER_URL}/.well-known/svc-webhook-keys.json`);
  assert.equal(first.secret_shown_once, true);
  const again = await partner.set({ url });
  assert.deepEqual(
    [again.secret, again.secret_shown_once, again.created_at],
    [null, false, first.created_at],
  );
  const other = await partner.set({ url: `${receiver.url}/other` });
  assert.ok(other.secret !== null && other.secret !== first.secret, 'another receiver gets another secret');
  const status = await partner.status();
  assert.deepEqual([status.url, status.active], [`${receiver.url}/other`, true]);
  assert.equal(status.secret_prefix, `${other.secret.slice(0, 10)}…`);
});

test('both tools need a partner key', async () => {
  for (const name of ['set_webhook', 'webhook_status']) {
    const { status, body } = await call(name, { url: null });
    assert.deepEqual([status, body.error?.code], [401, 40100], name);
  }
});

test('an address that we would never call is refused with its reason, and nothing changes', async () => {
  const partner = await WebhookPartner.register(service, `${receiver.url}/kept`);
  await pool`delete from rate_window`;
  for (const url of [
    'http://example.com/hook',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://2130706433/',
    'https://localhost/',
    'https://example.com:25/',
    'https://user:pass@example.com/',
    'ftp://example.com/',
    'nonsense',
  ]) {
    const { body } = await call('set_webhook', { url }, partner.partner.headers);
    const meta = body.result?.['_meta'] as Record<string, { code: string; errors: { code: string }[] }>;
    assert.equal(meta['svc/error']?.code, 'validation_failed', url);
    assert.equal(meta['svc/error'].errors[0]?.code, 'url_refused', url);
  }
  await pool`delete from rate_window`;
  for (const input of [
    {},
    { url: 7 },
    { url: '' },
    { url: null, send_test: true },
    { url: null, rotate_secret: true },
  ]) {
    const { body } = await call('set_webhook', input, partner.partner.headers);
    assert.equal(body.result?.['isError'], true, JSON.stringify(input));
  }
  const { url, active } = await partner.status();
  assert.deepEqual([url, active], [`${receiver.url}/kept`, true]);
});

test('a partner changes its webhook ten times within an hour and no more', async () => {
  const partner = await WebhookPartner.register(service, null);
  for (let i = 0; i < 10; i++) {
    await partner.set({ url: `${receiver.url}/${i}` });
    // A refused address does not count.
    await call('set_webhook', { url: 'https://10.0.0.1/' }, partner.partner.headers);
  }
  const { status, headers, body } = await call('set_webhook', { url: null }, partner.partner.headers);
  assert.deepEqual([status, body.error?.code], [429, 42900]);
  assert.ok(Number(headers.get('retry-after')) > 0);
  assert.equal((await partner.status()).url, `${receiver.url}/9`);
  service.clock.advance(HOUR_MS);
  assert.equal((await partner.set({ url: null })).url, null);
});

test('a test event is sent to the address and listed', async () => {
  const partner = await WebhookPartner.register(service, null);
  const { test_delivery_id } = await partner.set({ url: `${receiver.url}/tested`, send_test: true });
  const [one] = await until('the test event is delivered', async () => {
    const { deliveries } = await partner.status();
    return deliveries[0]?.state === 'delivered' && deliveries;
  });
  assert.deepEqual(
    [one?.delivery_id, one?.event, one?.booking_id, one?.http_status],
    [test_delivery_id, 'test', null, 200],
  );
  const body = JSON.parse(receivedAt(receiver, '/tested')[0]?.body ?? '') as Record<string, unknown>;
  assert.deepEqual([body['type'], body['id'], body['data']], ['webhook.test', test_delivery_id, {}]);
});

test('a test event is sent and a delivery repeated by REST and by the tools of the full profile', async () => {
  const partner = await WebhookPartner.register(service, null);
  const { headers } = partner.partner;
  const post = async (path: string, input: object = {}, of = headers) => {
    const response = await service.request(`/api/partner/webhook/${path}`, {
      method: 'POST',
      headers: { ...of, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    return { status: response.status, body: (await response.json()) as { delivery_id: string } };
  };
  assert.equal((await post('test')).status, 422, 'there is no address yet');
  await partner.set({ url: `${receiver.url}/again` });
  const test = await post('test');
  assert.equal(test.status, 200);
  const booking = partner.newBooking();
  await partner.move(booking, 1, 'asking');
  const delivered = (count: number) =>
    until(
      `${count} deliveries`,
      () => receivedAt(receiver, '/again').length === count && receivedAt(receiver, '/again'),
    );
  await delivered(2);
  const [move] = await until('both are recorded', async () => {
    const { deliveries } = await partner.status();
    return deliveries.every(({ state }) => state === 'delivered') && deliveries;
  });
  const id = move?.delivery_id ?? '';
  const stranger = await WebhookPartner.register(service, null);
  for (const [of, wrong] of [
    [stranger.partner.headers, id],
    [headers, 'msg_01kdtqb00071qz6sbs7e2vkqzz'],
    [headers, 'x'],
  ] as const)
    assert.equal((await post('redeliver', { delivery_id: wrong }, of)).status, 422);
  assert.equal((await post('redeliver', { delivery_id: id })).status, 200);
  const repeats = (await delivered(3)).filter(({ body }) => body.includes(id));
  assert.equal(repeats.length, 2);
  assert.equal(repeats[0]?.body, repeats[1]?.body, 'the receiver recognises the repeat');
  await until('the repeat is recorded', async () =>
    (await partner.status()).deliveries.every(({ state }) => state === 'delivered'),
  );
  const full = (name: string, input: unknown) =>
    rpc(
      service,
      `${CONCIERGE_MCP}?profile=full`,
      { id: 1, method: 'tools/call', params: { name, arguments: input } },
      headers,
    );
  assert.equal((await full('test_webhook', {})).body.result?.['isError'], undefined);
  assert.equal((await full('redeliver_webhook', { delivery_id: id })).body.result?.['isError'], undefined);
  await delivered(5);
});

test('the last ten deliveries are listed, the newest first, and only to whom they belong', async () => {
  const partner = await WebhookPartner.register(service, `${receiver.url}/ten`);
  const booking = partner.newBooking();
  for (let sequence = 1; sequence <= 12; sequence++) await partner.move(booking, sequence);
  const { deliveries } = await until('all are delivered', async () => {
    const status = await partner.status();
    return status.deliveries.every(({ state }) => state === 'delivered') && status;
  });
  assert.deepEqual(
    deliveries.map(({ sequence }) => sequence),
    [12, 11, 10, 9, 8, 7, 6, 5, 4, 3],
  );
  const stranger = await WebhookPartner.register(service, null);
  assert.deepEqual((await stranger.status()).deliveries, []);
});

test('without a webhook a move is told to nobody, and one that is removed gives up what waits', async () => {
  const silent = await WebhookPartner.register(service, null);
  await silent.move(silent.newBooking(), 1);
  assert.deepEqual(await silent.status().then(({ url, active, deliveries }) => [url, active, deliveries]), [
    null,
    false,
    [],
  ]);
  receiver.answer = (response) => response.writeHead(500).end();
  const partner = await WebhookPartner.register(service, `${receiver.url}/removed`);
  const booking = partner.newBooking();
  await partner.move(booking, 1);
  await partner.untilAttempted(booking, 1);
  await partner.set({ url: null });
  const [one] = (await partner.status()).deliveries;
  assert.deepEqual([one?.state, one?.error, one?.next_attempt_at], ['given_up', 'endpoint_removed', null]);
  receiver.answer = (response) => response.end();
});

test('one move is delivered once, however often it is told', async () => {
  const partner = await WebhookPartner.register(service, `${receiver.url}/once`);
  const booking = partner.newBooking();
  await partner.move(booking, 1);
  await assert.rejects(partner.move(booking, 1), { constraint: 'webhook_delivery_once_per_move' });
});

test('a change is on record, without the secret', async () => {
  const { partnerId, headers } = await addTestPartner(service);
  const { body } = await call('set_webhook', { url: `${receiver.url}/audited` }, headers);
  const { secret } = body.result?.['structuredContent'] as { secret: string };
  const [row] = await pool<{ text: string; subject: string }[]>`
    select a::text as text, subject from audit_log a where operation = 'set_webhook' order by sequence desc limit 1`;
  assert.equal(row?.subject, partnerId);
  assert.ok(!row.text.includes(secret.slice(6)));
});
