import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startReceiver } from '../callbacks/receiver.ts';
import { passTime, until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';
import { tries } from '../harness/tier.ts';
import { receivedAt, LOOKS_OFTEN, WebhookPartner } from './webhook-partner.ts';

const receiver = await startReceiver();
const service = await startTestService({
  settings: { ...LOOKS_OFTEN, EGRESS_ALLOW: receiver.pair, JOBS_AT_ONCE: '2' },
});
const { deps } = service.app;
/** How many receivers there are of each kind: more than the node has places. */
const OF_EACH = tries({ quick: 1, long: 4 });
const allowed = { ...deps.egress };
/** How many of its deliveries each path has open, and how many it had at most. */
const open = new Map<string, { now: number; most: number }>();

/** Never answers, never ends its answer, or answers byte by byte; everything else is answered at once. */
receiver.answer = (response, path) => {
  const count = open.get(path) ?? { now: 0, most: 0 };
  open.set(path, count);
  count.most = Math.max(count.most, ++count.now);
  response.on('close', () => count.now--);
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
  const paths = ['silent', 'endless', 'drip'].flatMap((kind) =>
    Array.from({ length: OF_EACH }, (_, i) => `/${kind}/${i}`),
  );
  const slow = await Promise.all(paths.map((path) => WebhookPartner.register(service, receiver.url + path)));
  for (const partner of slow) for (let i = 0; i < 10; i++) await partner.move(partner.newBooking(), 1);
  await until('each of them has eight', () => paths.every((path) => receivedAt(receiver, path).length >= 8));
  const good = await WebhookPartner.register(service, `${receiver.url}/good`);
  const bookings = Array.from({ length: 10 }, () => good.newBooking());
  for (const booking of bookings) await good.move(booking, 1);
  for (const booking of bookings) assert.equal((await good.untilAttempted(booking, 1)).state, 'delivered');
  for (const partner of slow) {
    const { deliveries } = await partner.status();
    assert.ok(deliveries.every(({ state }) => state === 'pending'));
  }
  for (const [path, { most }] of open)
    assert.ok(path === '/good' || most <= 8, `${path} does not answer and got ${most} at once`);
  for (const booking of bookings)
    assert.equal(receivedAt(receiver, '/good').filter(({ body }) => body.includes(booking)).length, 1);
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
