import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startReceiver } from '../callbacks/receiver.ts';
import { passTime, until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';
import { receivedAt, LOOKS_OFTEN, WebhookPartner } from './webhook-partner.ts';

const receiver = await startReceiver();
const service = await startTestService({
  settings: { ...LOOKS_OFTEN, EGRESS_ALLOW: receiver.pair, JOBS_AT_ONCE: '2' },
});
const { deps } = service.app;
const allowed = { ...deps.egress };

/** Never answers, never ends its answer, or answers byte by byte; everything else is answered at once. */
receiver.answer = (response, path) => {
  if (path.startsWith('/silent')) return;
  if (path.startsWith('/endless')) {
    response.writeHead(200).write('…');
    return;
  }
  if (path.startsWith('/drip')) {
    response.writeHead(200);
    const drops = setInterval(() => response.write('.'), 20);
    response.on('close', () => {
      clearInterval(drops);
    });
    return;
  }
  response.end();
};

test('receivers that hang and drip hold nobody up, however many there are', async () => {
  const slow = await Promise.all(
    ['silent', 'endless', 'drip'].flatMap((kind) =>
      Array.from({ length: 4 }, (_, i) => WebhookPartner.register(service, `${receiver.url}/${kind}/${i}`)),
    ),
  );
  for (const partner of slow) for (let i = 0; i < 12; i++) await partner.move(partner.newBooking(), 1);
  await until('all of them are hanging', () => receiver.received.length >= 12 * 8);
  const good = await WebhookPartner.register(service, `${receiver.url}/good`);
  const bookings = Array.from({ length: 10 }, () => good.newBooking());
  for (const booking of bookings) await good.move(booking, 1);
  for (const booking of bookings) assert.equal((await good.untilAttempted(booking, 1)).state, 'delivered');
  for (const partner of slow) {
    const { deliveries } = await partner.status();
    assert.ok(deliveries.every(({ state }) => state === 'pending'));
  }
  assert.equal(receiver.received.length, 12 * 8 + 10, 'a receiver that does not answer gets eight at once');
});

test('a receiver that hangs or drips is cut off, tried again, and gets it when it has recovered', async () => {
  deps.egress = { ...allowed, timeoutMsMax: 300 };
  const partners = await Promise.all(
    ['silent', 'endless', 'drip'].map((kind) =>
      WebhookPartner.register(service, `${receiver.url}/${kind}/later`),
    ),
  );
  const bookings = partners.map((partner) => partner.newBooking());
  for (const [i, partner] of partners.entries()) await partner.move(bookings[i] ?? '', 1);
  for (const [i, partner] of partners.entries()) {
    const first = await partner.untilAttempted(bookings[i] ?? '', 1);
    assert.deepEqual([first.state, first.error], ['pending', 'timeout']);
  }
  receiver.answer = (response) => response.end();
  deps.egress = allowed;
  await passTime(service, 5_100);
  for (const [i, partner] of partners.entries())
    assert.equal((await partner.untilAttempted(bookings[i] ?? '', 2)).state, 'delivered');
  assert.equal(receivedAt(receiver, '/drip/later').length, 2);
});
