import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../harness/service/service.ts';
import { overRateLimit, refused, refusedCode } from '../surfaces/concierge/refused.ts';
import { AskingPartner, addVenue } from './asking-partner.ts';
import { DAY_MS, MINUTE_MS } from '../../src/core/time.ts';

const service = await startTestService({
  settings: {
    BOOKING_WRITES_PER_MINUTE: '4',
    BOOKING_WRITES_PER_DAY: '6',
    BOOKING_READS_PER_MINUTE: '5',
    VENUE_ASKS_PER_DAY: '3',
    VENUE_OPEN_ASKS: '2',
  },
});

async function freshVenue(): Promise<string> {
  return addVenue(service, { name: 'Warung Batas' });
}

const guest = (placeId: string, name: string) => ({
  place_id: placeId,
  date: '2026-11-20',
  time: '19:30',
  party_size: 2,
  guest_name: name,
});

test('writes are counted per minute and per day, told in headers, and a cancellation is refused for the minute only', async () => {
  const partner = await AskingPartner.add(service);
  const made: string[] = [];
  for (let at = 0; at < 4; at++) made.push(await partner.request(await freshVenue()));
  const minute = await overRateLimit(partner, 'request_table', guest(await freshVenue(), 'Fifth'));
  assert.equal(minute.code, 'write_rate_limited');
  assert.equal(minute.headers.get('ratelimit-policy'), '"writes-minute";q=4;w=60, "writes-day";q=6;w=86400');
  assert.match(minute.headers.get('ratelimit') ?? '', /^"writes-minute";r=0;t=\d+, "writes-day";r=\d;t=\d+$/);
  const cancelling = await overRateLimit(partner, 'cancel_booking', { booking_id: made[0] });
  assert.equal(cancelling.code, 'write_rate_limited');
  const changing = await overRateLimit(partner, 'modify_booking', { booking_id: made[0], party_size: 3 });
  assert.equal(changing.code, 'write_rate_limited');
  service.clock.advance(MINUTE_MS);
  for (let at = 0; at < 2; at++) await partner.request(await freshVenue());
  const day = await overRateLimit(partner, 'request_table', guest(await freshVenue(), 'Seventh'));
  assert.equal(day.code, 'daily_write_limit');
  assert.ok(Number(day.headers.get('retry-after')) > 60);
  const cancelled = await partner.call<{ status: string }>('cancel_booking', { booking_id: made[0] });
  assert.equal(cancelled.status, 'cancelled');
  service.clock.advance(DAY_MS);
  assert.match(await partner.request(await freshVenue(), { date: '2026-11-25' }), /^bkg_/);
});

test('a refused request counts for the minute, so that nobody tries without end, and for nothing else', async () => {
  const partner = await AskingPartner.add(service);
  const place = await freshVenue();
  const late = { ...guest(place, 'X'), date: '2026-01-01' };
  for (let at = 0; at < 4; at++)
    assert.equal(await refusedCode(partner, 'request_table', late), 'in_the_past');
  assert.equal((await overRateLimit(partner, 'request_table', late)).code, 'write_rate_limited');
  for (let minute = 0; minute < 2; minute++) {
    service.clock.advance(MINUTE_MS);
    for (let at = 0; at < 4; at++)
      assert.equal(await refusedCode(partner, 'request_table', late), 'in_the_past');
  }
  service.clock.advance(MINUTE_MS);
  assert.match(await partner.request(place, { date: '2026-11-26' }), /^bkg_/);
  assert.match(await partner.request(place, { date: '2026-11-27' }), /^bkg_/);
});

test('a venue is asked so often a day by all partners together, and has so many open requests of one', async () => {
  const place = await freshVenue();
  const date = '2026-11-27';
  const one = await AskingPartner.add(service);
  const two = await AskingPartner.add(service);
  await one.request(place, { date, guest_name: 'First' });
  await one.request(place, { date, guest_name: 'Second' });
  const open = await refused(one, 'request_table', { ...guest(place, 'Third'), date });
  assert.equal(open.code, 'venue_daily_cap');
  assert.match(open.text, /already has 2 of your requests open/);
  await two.request(place, { date, guest_name: 'Third' });
  const three = await AskingPartner.add(service);
  const full = await refused(three, 'request_table', { ...guest(place, 'Fourth'), date });
  assert.deepEqual([full.code, full.text.includes('no more requests today')], ['venue_daily_cap', true]);
  const look = { place_id: place, date, time: '19:30', party_size: 2 };
  const seen = await three.call<{ venue_asks_left_today: number; refusal: string }>(
    'check_availability',
    look,
  );
  assert.deepEqual([seen.venue_asks_left_today, seen.refusal], [0, 'venue_daily_cap']);
});

test('every read is counted in the same minute; over it is 429 with Retry-After', async () => {
  const look = { place_id: await freshVenue(), date: '2026-11-20', time: '19:30', party_size: 2 };
  const reads = { check_availability: look, booking_status: {}, webhook_status: {} };
  for (const [tool, input] of Object.entries(reads)) {
    const partner = await AskingPartner.add(service);
    for (let at = 0; at < 5; at++) await partner.call(tool, input);
    for (const [other, given] of Object.entries(reads)) {
      const { code, headers } = await overRateLimit(partner, other, given);
      assert.deepEqual(
        [code, headers.get('ratelimit-policy')],
        ['rate_limited', '"reads-minute";q=5;w=60'],
        `${other} after ${tool}`,
      );
    }
  }
});
