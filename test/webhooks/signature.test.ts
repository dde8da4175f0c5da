import assert from 'node:assert/strict';
import { createHmac, createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { signatureHeaders } from '../../src/delivery/signature.ts';
import { startReceiver, type Received } from '../callbacks/receiver.ts';
import { BASE_URL, startTestService } from '../harness/service/service.ts';
import { header, receivedAt, LOOKS_OFTEN, WebhookPartner } from './webhook-partner.ts';
import { DAY_MS } from '../../src/core/time.ts';

const receiver = await startReceiver();
const service = await startTestService({ settings: { ...LOOKS_OFTEN, EGRESS_ALLOW: receiver.pair } });
// The library that checks deliveries here looks at the clock of the machine.
service.clock.advance(Date.now() - service.clock.now().getTime());

function ownMacs(one: Received): string[] {
  return Array.from(header(one, 'svc-signature').matchAll(/,v1=([0-9a-f]{64})/g), ([, mac = '']) => mac);
}

function macOf(secret: string, text: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return createHmac('sha256', key).update(text).digest('hex');
}

function standardHeaders(one: Received): Record<string, string> {
  return Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, header(one, name)]),
  );
}

async function deliverOnce(partner: WebhookPartner, path: string): Promise<Received> {
  const booking = partner.newBooking();
  await partner.move(booking, 1, 'confirmed');
  assert.equal((await partner.untilAttempted(booking, 1)).state, 'delivered');
  const one = receivedAt(receiver, path).at(-1);
  assert.ok(one);
  return one;
}

test('the headers are those of the published example', () => {
  const headers = signatureHeaders({
    prefix: 'svc',
    id: 'msg_01',
    now: new Date(1_794_700_800_000),
    body: '{"id":"msg_01","type":"booking.confirmed"}',
    secrets: [Buffer.from('0123456789abcdef0123456789abcdef')],
    signers: [() => 'public'],
  });
  assert.deepEqual(headers, {
    'svc-signature': 't=1794700800,v1=ebb74cc441f47a68274654629076be83de40e4f198e27344e4ab10407e2538a7',
    'webhook-id': 'msg_01',
    'webhook-timestamp': '1794700800',
    'webhook-signature': 'v1,nxYiQqok3DPe61jhkr5OL5/MibrAl52tcQc1vM8miXw= v1a,public',
  });
});

test('a delivery is verified by the library of Standard Webhooks, unmodified, and by our own header', async () => {
  const partner = await WebhookPartner.register(service, `${receiver.url}/verified`);
  assert.match(partner.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const one = await deliverOnce(partner, '/verified');
  const told = new Webhook(partner.secret).verify(one.body, standardHeaders(one));
  assert.deepEqual(told, JSON.parse(one.body));
  assert.throws(() => new Webhook(partner.secret).verify(`${one.body} `, standardHeaders(one)));
  const [, time = ''] = /^t=(\d+),/.exec(header(one, 'svc-signature')) ?? [];
  assert.equal(time, header(one, 'webhook-timestamp'));
  assert.deepEqual(ownMacs(one), [macOf(partner.secret, `${time}.${one.body}`)]);
  assert.equal(header(one, 'user-agent'), `svc-webhooks/1.0 (+${BASE_URL})`);
  assert.equal(header(one, 'content-type'), 'application/json');
});

test('the body says what moved, with its id, its number and the attribution, and names no guest', async () => {
  const partner = await WebhookPartner.register(service, `${receiver.url}/body`);
  const one = await deliverOnce(partner, '/body');
  const { id, timestamp, attribution, data, ...rest } = JSON.parse(one.body) as Record<string, unknown>;
  assert.equal(id, header(one, 'webhook-id'));
  assert.equal(timestamp, service.clock.now().toISOString());
  assert.match(String(attribution), /OpenStreetMap/);
  delete rest['attribution_links'];
  assert.deepEqual(rest, { type: 'booking.confirmed', event: 'confirmed', sequence: 1 });
  assert.deepEqual(Object.keys(data as object), [
    'booking_id',
    'status',
    'previous_status',
    'booked',
    'place_id',
    'date',
    'time',
    'time_until',
    'party_size',
    'revision',
    'actor',
    'reason',
    'offer',
    'confirmation',
    'link',
    'choice',
    'waiting',
    'answer_by',
    'timeline_head',
  ]);
});

test('a receiver without a secret verifies with the published key', async () => {
  const partner = await WebhookPartner.register(service, `${receiver.url}/public`);
  const one = await deliverOnce(partner, '/public');
  const answer = await service.request('/.well-known/svc-webhook-keys.json');
  const { keys } = (await answer.json()) as { keys: { x: string }[] };
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: keys[0]?.x ?? '' }, format: 'jwk' });
  const signature = / v1a,(\S+)$/.exec(header(one, 'webhook-signature'))?.[1] ?? '';
  const text = `${header(one, 'webhook-id')}.${header(one, 'webhook-timestamp')}.${one.body}`;
  assert.ok(verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64')));
});

test('after a rotation both secrets verify for a day, and then only the new one', async () => {
  const url = `${receiver.url}/rotated`;
  const partner = await WebhookPartner.register(service, url);
  const old = partner.secret;
  const { secret, secret_shown_once } = await partner.set({ url, rotate_secret: true });
  assert.ok(secret !== null && secret !== old && secret_shown_once);
  const during = await deliverOnce(partner, '/rotated');
  for (const one of [secret, old]) new Webhook(one).verify(during.body, standardHeaders(during));
  const text = `${header(during, 'webhook-timestamp')}.${during.body}`;
  assert.deepEqual(ownMacs(during), [macOf(secret, text), macOf(old, text)]);

  service.clock.advance(DAY_MS);
  const after = await deliverOnce(partner, '/rotated');
  const later = `${header(after, 'webhook-timestamp')}.${after.body}`;
  assert.deepEqual(ownMacs(after), [macOf(secret, later)]);
  assert.equal(header(after, 'webhook-signature').match(/v1,/g)?.length, 1);
});

test('no secret stands in the database as it is', async () => {
  const partner = await WebhookPartner.register(service, `${receiver.url}/sealed`);
  const bytes = Buffer.from(partner.secret.slice(6), 'base64').toString('hex');
  const [row] = await service.database.pool<{ text: string }[]>`
    select e::text as text from webhook_endpoint e where partner_id = ${partner.partner.partnerId}`;
  assert.ok(row !== undefined && !row.text.includes(bytes) && !row.text.includes(partner.secret.slice(6)));
});
