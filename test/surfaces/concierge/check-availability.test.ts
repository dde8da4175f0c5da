import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AskingPartner, addVenue } from '../../bookings/asking-partner.ts';
import { addTestPartner } from '../../harness/people/partner.ts';
import { callTool } from '../../harness/clients/call-tool.ts';
import { sharedService } from '../../harness/service/shared-service.ts';
import { refusedCode } from './refused.ts';

interface Checked {
  open: boolean | null;
  channel: string;
  how: string;
  can_request: boolean;
  refusal: string | null;
  available: boolean | null;
  answer_by: string | null;
  link: { url: string } | null;
  booked: boolean;
}

const service = await sharedService();
const partner = await AskingPartner.add(service);
const WHEN = { date: '2026-11-20', time: '19:30', party_size: 4 };

const check = (placeId: string, change: object = {}) =>
  partner.call<Checked>('check_availability', { place_id: placeId, ...WHEN, ...change });

test('the way to a venue follows from what it wants and what we hold of it', async () => {
  const phone = '+62361123456';
  const email = 'v@venue.example';
  const cases = [
    [{ phone, email }, 'tap', true, null],
    [{ email }, 'tap', true, null],
    [{}, 'desk', true, null],
    [{ method: 'phone', phone }, 'phone', true, null],
    [{ method: 'phone' }, 'desk', true, null],
    [{ method: 'venue_system' }, 'link', false, 'use_link'],
    [{ method: 'not_through' }, 'desk', false, 'venue_opted_out'],
  ] as const;
  for (const [made, channel, can, refusal] of cases) {
    const seen = await check(await addVenue(service, { ...made }));
    assert.deepEqual(
      [seen.channel, seen.can_request, seen.refusal, seen.booked],
      [channel, can, refusal, false],
      JSON.stringify(made),
    );
  }
});

test("the venue's own page is given where it is the only way", async () => {
  const seen = await check(await addVenue(service, { method: 'venue_system' }));
  assert.match(seen.link?.url ?? '', /^https:\/\/book\.venue\.example\//);
  assert.equal(seen.answer_by, null);
});

test('a table within the hour is asked for by phone or by the desk', async () => {
  const place = await addVenue(service, { phone: '+62361123456', email: 'v@venue.example' });
  const seen = await check(place, { date: '2026-11-14', time: '20:45' });
  assert.equal(seen.channel, 'phone');
});

test('a partner without bookings may check availability, and learns why it cannot request', async () => {
  const { headers } = await addTestPartner(service);
  const input = { place_id: await addVenue(service), ...WHEN };
  const seen = await callTool<Checked>(service, '/api/concierge/mcp', 'check_availability', input, headers);
  assert.deepEqual([seen.can_request, seen.refusal], [false, 'bookings_not_enabled']);
});

test('times and places that make no sense are refused', async () => {
  const place_id = await addVenue(service);
  const code = (change: object) =>
    refusedCode(partner, 'check_availability', { place_id, ...WHEN, ...change });
  assert.equal(await code({ date: '2026-11-13' }), 'in_the_past');
  assert.equal(await code({ date: '2027-06-01' }), 'too_far_ahead');
  assert.equal(await code({ place_id: 'plc_01kdtqb00071qz6sbs7e2vkqza' }), 'place_not_found');
  assert.equal(await code({ party_size: 0 }), 'validation_failed');
});
