import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { webhookDelivery } from '../../src/webhooks/deliver-webhook.ts';
import { startReceiver } from '../callbacks/receiver.ts';
import { createTestDatabase } from '../harness/service/database.ts';
import { passTime, until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';
import { header, receivedAt, LOOKS_OFTEN, WebhookPartner } from './webhook-partner.ts';
import { tries } from '../harness/tier.ts';

const receiver = await startReceiver();
const settings = { ...LOOKS_OFTEN, EGRESS_ALLOW: receiver.pair };
const service = await startTestService({ settings });
const { pool } = service.database;

afterEach(() => {
  receiver.answer = (response) => response.end();
});

function sequencesAt(path: string, bookingId?: string): number[] {
  return receivedAt(receiver, path)
    .map(({ body }) => JSON.parse(body) as { sequence: number; data: { booking_id: string } })
    .filter(({ data }) => bookingId === undefined || data.booking_id === bookingId)
    .map(({ sequence }) => sequence);
}

const BOOKINGS = tries({ quick: 4, long: 15 });

test('moves of one booking arrive one after the other, in their order', async () => {
  const partner = await WebhookPartner.register(service, `${receiver.url}/in-order`);
  const held: (() => void)[] = [];
  receiver.answer = (response) => held.push(() => response.end());
  const bookings = [partner.newBooking(), partner.newBooking()];
  for (let sequence = 1; sequence <= 4; sequence++)
    for (const booking of bookings) await partner.move(booking, sequence);
  for (let round = 1; round <= 4; round++) {
    await until(`round ${round} has arrived`, () => held.length === 2);
    for (const booking of bookings) assert.equal(sequencesAt('/in-order', booking).length, round);
    for (const answer of held.splice(0)) answer();
  }
  for (const booking of bookings) assert.deepEqual(sequencesAt('/in-order', booking), [1, 2, 3, 4]);
});

test('a failing move holds later ones of its booking back for three attempts, and no other booking at all', async () => {
  const partner = await WebhookPartner.register(service, `${receiver.url}/failing`);
  const [stuck, free] = [partner.newBooking(), partner.newBooking()];
  receiver.answer = (response) => {
    const { sequence, data } = JSON.parse(receiver.received.at(-1)?.body ?? '{}') as {
      sequence: number;
      data: { booking_id: string };
    };
    response.writeHead(data.booking_id === stuck && sequence === 1 ? 500 : 200).end();
  };
  await partner.move(stuck, 1);
  await partner.move(stuck, 2);
  await partner.move(free, 1);
  await partner.untilAttempted(stuck, 1, 1);
  assert.equal((await partner.untilAttempted(free, 1)).state, 'delivered');
  await passTime(service, 5_100);
  await partner.untilAttempted(stuck, 2, 1);
  assert.deepEqual(sequencesAt('/failing', stuck), [1, 1], 'the second move still waits');
  await passTime(service, 331_000);
  await partner.untilAttempted(stuck, 3, 1);
  assert.equal((await partner.untilAttempted(stuck, 1, 2)).state, 'delivered', 'after the third it goes');
  await partner.move(stuck, 3);
  assert.equal((await partner.untilAttempted(stuck, 1, 3)).state, 'delivered');
  receiver.answer = (response) => response.end();
  await passTime(service, 2_000_000);
  assert.equal((await partner.untilAttempted(stuck, 4, 1)).state, 'delivered');
  assert.deepEqual(sequencesAt('/failing', stuck), [1, 1, 1, 2, 3, 1]);
});

test('a later move that came in while the earlier one was failing is called when its turn comes', async () => {
  const partner = await WebhookPartner.register(service, `${receiver.url}/late`);
  const booking = partner.newBooking();
  receiver.answer = (response) => response.writeHead(500).end();
  await partner.move(booking, 1);
  await partner.untilAttempted(booking, 1);
  await partner.move(booking, 2);
  await until('its job has found that it must wait', async () => {
    const jobs = await pool`
      select from graphile_worker._private_jobs j join webhook_delivery d on d.id = j.payload->>'delivery_id'
      where d.booking_id = ${booking} and d.sequence = 2`;
    return jobs.length === 0;
  });
  receiver.answer = (response) => response.end();
  await passTime(service, 5_100);
  assert.equal((await partner.untilAttempted(booking, 2, 1)).state, 'delivered');
  assert.equal((await partner.untilAttempted(booking, 1, 2)).state, 'delivered');
  assert.deepEqual(sequencesAt('/late'), [1, 1, 2]);
});

test(`${BOOKINGS} bookings with four moves each, delivered by two nodes: all arrive, in order, once`, async () => {
  const second = await startTestService({ database: service.database, settings });
  second.clock.advance(service.clock.now().getTime() - second.clock.now().getTime());
  const partner = await WebhookPartner.register(service, `${receiver.url}/many`);
  const bookings = Array.from({ length: BOOKINGS }, () => partner.newBooking());
  receiver.answer = (response) => setImmediate(() => response.end());
  for (let sequence = 1; sequence <= 4; sequence++)
    await Promise.all(bookings.map((booking) => partner.move(booking, sequence)));
  await until('all have arrived', () => receivedAt(receiver, '/many').length >= 4 * BOOKINGS);
  for (const booking of bookings) assert.deepEqual(sequencesAt('/many', booking), [1, 2, 3, 4]);
  await until('all are noted', async () => {
    const [row] = await pool<{ open: number }[]>`
      select count(*)::int as open from webhook_delivery
      where partner_id = ${partner.partner.partnerId} and state <> 'delivered'`;
    return row?.open === 0;
  });
  await second.close();
});

test('a service that ends in the middle of a call gives it back, and the next one makes it again', async () => {
  const database = await createTestDatabase();
  const leaving = await startTestService({ database, settings });
  const partner = await WebhookPartner.register(leaving, `${receiver.url}/handed-over`);
  const booking = partner.newBooking();
  receiver.answer = () => undefined;
  await partner.move(booking, 1);
  await until('the call is under way', () => receivedAt(receiver, '/handed-over').length === 1);
  await leaving.close();
  receiver.answer = (response) => response.end();
  const coming = await startTestService({ database, settings });
  await until('it has arrived', async () => {
    const [row] =
      await database.pool`select from webhook_delivery where state = 'delivered' and attempts = 1`;
    return row !== undefined;
  });
  const [first, again] = receivedAt(receiver, '/handed-over');
  assert.ok(first && again);
  assert.equal(header(first, 'webhook-id'), header(again, 'webhook-id'));
  await coming.close();
  await database.drop();
});

test('a delivery whose job was lost is queued again, once', async () => {
  const partner = await WebhookPartner.register(service, `${receiver.url}/lost`);
  const booking = partner.newBooking();
  receiver.answer = (response) => response.writeHead(500).end();
  await partner.move(booking, 1);
  await partner.move(booking, 2);
  await partner.untilAttempted(booking, 1);
  await until('the second move waits', async () => {
    const [row] = await pool`select from webhook_delivery where booking_id = ${booking} and held`;
    return row !== undefined;
  });
  receiver.answer = (response) => response.end();
  const [first] = await pool<{ id: string }[]>`
    select id from webhook_delivery where booking_id = ${booking} and sequence = 1`;
  assert.ok(first);
  const jobs = () => pool`select from graphile_worker.jobs where key = ${`webhook/${first.id}`}`;
  await pool`select from graphile_worker.remove_job(${`webhook/${first.id}`})`;
  assert.equal((await jobs()).length, 0);
  await Promise.all([webhookDelivery.requeueLost(pool), webhookDelivery.requeueLost(pool)]);
  assert.ok((await jobs()).length <= 1);
  assert.equal((await partner.untilAttempted(booking, 2)).state, 'delivered');
  assert.equal((await partner.untilAttempted(booking, 1, 2)).state, 'delivered');
  assert.deepEqual(sequencesAt('/lost', booking), [1, 1, 2]);
});
