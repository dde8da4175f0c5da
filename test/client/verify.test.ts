import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  fetchSigningKeys,
  SignatureError,
  verifyCallback,
  verifyWebhook,
  type BookingMove,
  type SignedRequest,
} from '../../packages/client/src/webhooks.ts';
import type { BookingEventBody } from '../../src/webhooks/booking-event.ts';
import { startReceiver, type Received } from '../callbacks/receiver.ts';
import { addReviewer, approve, SubmittingAgent } from '../harness/people/submissions.ts';
import { until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';
import { WebhookPartner } from '../webhooks/webhook-partner.ts';

const receiver = await startReceiver();
const service = await startTestService({ settings: { EGRESS_ALLOW: receiver.pair } });
const keysUrl = `${service.url}/.well-known/svc-webhook-keys.json`;
const now = () => ({ now: service.clock.now() });

// The package and the service say the same of a move; the compiler holds this both ways.
const _told = (move: BookingEventBody): BookingMove => move;
const _sent = (move: BookingMove): BookingEventBody => move;

function arrived(path: string): Promise<Received> {
  return until(`something arrived at ${path}`, () =>
    Promise.resolve(receiver.received.findLast((one) => one.path === path)),
  );
}

function refusedFor(reason: SignatureError['reason']): (error: unknown) => boolean {
  return (error) => error instanceof SignatureError && error.reason === reason;
}

async function webhook(path: string): Promise<{ partner: WebhookPartner; received: Received }> {
  const partner = await WebhookPartner.register(service, receiver.url + path);
  await partner.move(partner.newBooking(), 1, 'confirmed');
  return { partner, received: await arrived(path) };
}

test('a webhook is verified with its secret, as text and as bytes, and says what happened', async () => {
  const { partner, received } = await webhook('/hook');
  const event = await verifyWebhook(received, partner.secret, now());
  assert.ok(event.type !== 'webhook.test' && event.type !== 'booking.message');
  assert.deepEqual([event.type, event.data.booked, event.sequence], ['booking.confirmed', true, 1]);
  const asBytes: SignedRequest = {
    body: Buffer.from(received.body),
    headers: new Headers(received.headers as Record<string, string>),
  };
  assert.deepEqual(await verifyWebhook(asBytes, partner.secret, now()), event);
});

test('while one secret replaces another, either verifies, and so does a list of both', async () => {
  const { partner } = await webhook('/rotated');
  const before = partner.secret;
  const after = (await partner.set({ url: `${receiver.url}/rotated`, rotate_secret: true })).secret ?? '';
  assert.notEqual(after, before);
  receiver.received.length = 0;
  await partner.move(partner.newBooking(), 1);
  const received = await arrived('/rotated');
  for (const secrets of [before, after, [after, before], ['whsec_c29tZWJvZHkgZWxzZQ==', after]])
    assert.equal((await verifyWebhook(received, secrets, now())).type, 'booking.asking');
});

test('another body, another secret, another time, no signature and no secret are refused', async () => {
  const { partner, received } = await webhook('/forged');
  const { headers, body } = received;
  const refused = (request: SignedRequest, secret: string, reason: SignatureError['reason'], at = now()) =>
    assert.rejects(verifyWebhook(request, secret, at), refusedFor(reason));
  await refused({ headers, body: `${body} ` }, partner.secret, 'no_match');
  await refused(received, 'whsec_c29tZWJvZHkgZWxzZQ==', 'no_match');
  await refused({ body, headers: { ...headers, 'webhook-id': 'msg_other' } }, partner.secret, 'no_match');
  const [first = ''] = String(headers['webhook-signature']).split(' ');
  for (const signature of ['', 'v1,', 'v1,!!', `v2,${first.slice(3)}`, first.slice(0, -4)])
    await refused(
      { body, headers: { ...headers, 'webhook-signature': signature } },
      partner.secret,
      'no_match',
    );
  for (const minutes of [-6, 6]) {
    const at = { now: new Date(service.clock.now().getTime() + minutes * 60_000) };
    await refused(received, partner.secret, 'bad_time', at);
    await verifyWebhook(received, partner.secret, { ...at, toleranceMs: 600_000 });
  }
  await refused({ body, headers: { ...headers, 'webhook-timestamp': '1e9' } }, partner.secret, 'bad_time');
  await refused({ body, headers: {} }, partner.secret, 'missing_header');
  for (const none of ['', 'whsec_', []])
    await assert.rejects(verifyWebhook(received, none, now()), TypeError);
});

test('the decision on a submission is verified with the published keys, and with no other', async () => {
  const agent = await SubmittingAgent.signUp(service);
  const submitted = await agent.business({ callback_url: `${receiver.url}/decided` });
  await approve(service, await addReviewer(service), submitted);
  const received = await arrived('/decided');
  const keys = await fetchSigningKeys(keysUrl);
  const { type, data } = await verifyCallback(received, keys, now());
  assert.equal(type, 'submission.approved');
  assert.deepEqual([data.submission_id, data.status, data.type], [submitted.id, 'approved', 'business']);
  assert.deepEqual(Object.keys(data).sort(), [
    'external_ref',
    'live',
    'live_blocked_by',
    'place_id',
    'promo_id',
    'promo_ref',
    'reason',
    'reviewed_at',
    'revision',
    'status',
    'submission_id',
    'type',
  ]);
  const other = {
    kid: 'other',
    x: 'A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg',
    not_before: '2026-01-01T00:00:00Z',
    not_after: null,
  };
  await verifyCallback(received, [other, ...keys], now());
  const refused = (request: SignedRequest, published: typeof keys) =>
    assert.rejects(verifyCallback(request, published, now()), refusedFor('no_match'));
  await refused({ ...received, body: received.body.replace('approved', 'rejected') }, keys);
  await refused(received, [other]);
  await refused(received, []);
  await refused(
    received,
    keys.map((key) => ({ ...key, not_after: '2026-11-01T00:00:00Z' })),
  );
  await assert.rejects(fetchSigningKeys(`${service.url}/.well-known/nothing.json`), /status 404/);
});
