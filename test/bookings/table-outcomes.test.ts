import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';
import { signInVenue } from '../harness/people/venue.ts';
import { passTime } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';
import { refused } from '../surfaces/concierge/refused.ts';
import { addVenue, AskingPartner, linkInOutbox, tap } from './asking-partner.ts';

const service = await startTestService({
  settings: { BOOKING_READS_PER_MINUTE: '100000', BOOKING_WRITES_PER_MINUTE: '1000' },
});
service.clock.advance(14 * HOUR_MS);
const { pool } = service.database;
let phones = 260_000;

const newVenue = () => addVenue(service, { phone: `+62817${++phones}`, gather: 0 });

/** Tomorrow evening where the venues are. */
const tomorrow = () => new Date(service.clock.now().getTime() + 32 * HOUR_MS).toISOString().slice(0, 10);

async function confirmed(partner: AskingPartner, placeId: string): Promise<{ id: string; link: string }> {
  const id = await partner.request(placeId, { date: tomorrow() });
  const link = await linkInOutbox(service, id);
  await tap(service, link, { answer: 'yes' });
  await partner.untilStatus(id, 'confirmed');
  return { id, link };
}

interface Usage {
  bookings: { record: { came: number; absent: number; late_cancellations: number; limits_lowered: boolean } };
}

async function recordOf({ partner }: AskingPartner): Promise<Usage['bookings']['record']> {
  const reply = await service.request('/api/partner/usage', { headers: partner.headers });
  return ((await reply.json()) as Usage).bookings.record;
}

test('after the table, one tap says what became of it, and the last word counts', async () => {
  const partner = await AskingPartner.add(service);
  const placeId = await newVenue();
  const { id, link } = await confirmed(partner, placeId);
  await tap(service, link, { outcome: 'absent' }, '/outcome');
  assert.deepEqual((await recordOf(partner)).absent, 0, 'the table is still to come');
  await assert.rejects(
    pool`insert into table_outcome values (${id}, 'came', 'venue', ${service.clock.now()})`,
    { constraint: 'table_outcome_after_table' },
  );
  await passTime(service, 2 * DAY_MS);
  assert.match(await (await service.request(link)).text(), /Did the guests come\?/);
  assert.equal((await tap(service, link, { outcome: 'absent' }, '/outcome')).status, 303);
  assert.deepEqual(await recordOf(partner), {
    came: 0,
    absent: 1,
    late_cancellations: 0,
    limits_lowered: false,
  });
  const { timeline } = await partner.status(id);
  assert.equal(timeline.at(-1)?.event, 'no_show_reported');
  await tap(service, link, { outcome: 'fewer' }, '/outcome');
  assert.deepEqual([(await recordOf(partner)).came, (await recordOf(partner)).absent], [1, 0]);
  assert.equal((await tap(service, link, { outcome: 'perhaps' }, '/outcome')).status, 422);
  await passTime(service, 15 * DAY_MS);
  await tap(service, link, { outcome: 'absent' }, '/outcome');
  assert.equal((await recordOf(partner)).absent, 0, 'two weeks have passed');
});

test('the venue tells it in its own area, and another venue cannot', async () => {
  const partner = await AskingPartner.add(service);
  const placeId = await newVenue();
  const { id } = await confirmed(partner, placeId);
  await passTime(service, 2 * DAY_MS);
  const other = await signInVenue(service, await newVenue());
  const told = { booking: id, outcome: 'came' };
  assert.equal((await other.post('/venue/tables/outcome', told, '/venue/rules')).status, 409);
  const venue = await signInVenue(service, placeId);
  assert.match(await (await venue.get('/venue/tables')).text(), /Did the guests come\?/);
  assert.equal((await venue.post('/venue/tables/outcome', told, '/venue/tables')).status, 303);
  assert.equal((await recordOf(partner)).came, 1);
  assert.doesNotMatch(await (await venue.get('/venue/tables')).text(), /Did the guests come\?/);
});

test('a late cancellation counts, an early one does not, and the next venue reads the record', async () => {
  const partner = await AskingPartner.add(service);
  const [early, late] = [
    await confirmed(partner, await newVenue()),
    await confirmed(partner, await newVenue()),
  ];
  await partner.call('cancel_booking', { booking_id: early.id });
  const [table] = await pool<{ at: Date }[]>`select table_at as at from booking where id = ${late.id}`;
  await passTime(service, (table?.at.getTime() ?? 0) - service.clock.now().getTime() - HOUR_MS);
  await partner.call('cancel_booking', { booking_id: late.id });
  assert.equal((await recordOf(partner)).late_cancellations, 1);
  const placeId = await newVenue();
  await passTime(service, 16 * HOUR_MS);
  const id = await partner.request(placeId, { date: tomorrow() });
  const link = await linkInOutbox(service, id);
  await partner.untilStatus(id, 'asking');
  assert.match(await (await service.request(link)).text(), /came 0, did not come 0, cancelled late 1\./);
});

test('a poor record leaves one open request per venue', async () => {
  const partner = await AskingPartner.add(service);
  for (let nth = 0; nth < 10; nth++) {
    const { link } = await confirmed(partner, await newVenue());
    await passTime(service, 2 * DAY_MS);
    await tap(service, link, { outcome: nth < 3 ? 'absent' : 'came' }, '/outcome');
  }
  assert.deepEqual(await recordOf(partner), {
    came: 7,
    absent: 3,
    late_cancellations: 0,
    limits_lowered: true,
  });
  const placeId = await newVenue();
  await partner.request(placeId, { date: tomorrow() });
  const second = {
    place_id: placeId,
    date: tomorrow(),
    time: '20:30',
    party_size: 2,
    guest_name: 'Guest Two',
  };
  assert.equal((await refused(partner, 'request_table', second)).code, 'venue_daily_cap');
  const [bad, good] = [partner, await AskingPartner.add(service)];
  await good.request(placeId, { date: tomorrow(), time: '18:30' });
  assert.ok(await good.request(placeId, { date: tomorrow(), time: '21:30' }));
  assert.equal((await recordOf(bad)).limits_lowered, true);
});
