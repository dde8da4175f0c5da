import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flipSwitch } from '../../harness/service/kill-switch.ts';
import { makeLinkCode } from '../../../src/members/member-link.ts';
import { AskingPartner, addVenue } from '../../bookings/asking-partner.ts';
import { rpc } from '../../harness/clients/mcp.ts';
import { addTestPartner } from '../../harness/people/partner.ts';
import { startTestService } from '../../harness/service/service.ts';
import { addTestStaff } from '../../harness/people/staff.ts';
import { refused, refusedCode } from './refused.ts';

const service = await startTestService();
const { pool } = service.database;
const partner = await AskingPartner.add(service);
const placeId = await addVenue(service, { phone: '+62361123456' });
const TABLE = { place_id: placeId, date: '2026-11-20', time: '19:30', party_size: 4 };
const FOR_GUEST = { ...TABLE, guest_name: 'Guest Example' };

interface Requested {
  booking_id: string | null;
  state: string;
  booked: boolean;
  status: string | null;
  channel: string;
  message_to_venue: string;
  guidance: string;
  revision: number | null;
  dry_run: boolean;
}

test('a request is always answered as requested and not booked, with the words for the venue', async () => {
  const answer = await partner.call<Requested>('request_table', { ...FOR_GUEST, notes: 'No nuts.' });
  assert.deepEqual(
    [answer.state, answer.booked, answer.status, answer.channel, answer.revision],
    ['requested', false, 'sent', 'tap', 1],
  );
  assert.match(
    answer.message_to_venue,
    /^Waypost to Warung Senja: do you have a table for 4 on Friday 20 November at 19:30\? Name: Guest Example, a guest of Test Partner\. Note: No nuts\. Please answer by \S+day \d\d:\d\d, your time\.$/,
  );
  const asked = await partner.untilStatus(answer.booking_id ?? '', 'asking');
  assert.deepEqual(
    asked.timeline.map(({ event, actor, channel }) => [event, actor, channel]),
    [
      ['sent', 'partner', null],
      ['asking', 'service', 'sms'],
    ],
  );
});

test('the same table for the same name within a day is one request, named by its id', async () => {
  const first = await partner.request(placeId, { time: '12:00' });
  const again = await refused(partner, 'request_table', {
    ...FOR_GUEST,
    time: '12:00',
    guest_name: 'GUEST example',
  });
  assert.deepEqual([again.code, again.booking_id], ['duplicate_request', first]);
  const together = await Promise.allSettled(
    [1, 2, 3].map(() => partner.request(placeId, { time: '13:00', guest_name: 'At The Same Time' })),
  );
  assert.equal(together.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('a repeated idempotency_key gives the same answer, and another body under it is refused', async () => {
  const other = await addVenue(service, { name: 'Warung Lain', phone: '+62361123457' });
  const input = { ...FOR_GUEST, place_id: other, idempotency_key: 'my-key-1' };
  const first = await partner.call<Requested>('request_table', input);
  assert.deepEqual(await partner.call('request_table', input), first);
  assert.equal(
    await refusedCode(partner, 'request_table', { ...input, party_size: 5 }),
    'idempotency_key_reused',
  );
  const [row] = await pool`select count(*)::int as count from booking where place_id = ${other}`;
  assert.equal(row?.['count'], 1);
});

test('a dry run checks everything and leaves nothing', async () => {
  const other = await addVenue(service, { name: 'Warung Coba', phone: '+62361123458' });
  const answer = await partner.call<Requested>('request_table', {
    ...FOR_GUEST,
    place_id: other,
    dry_run: true,
  });
  assert.deepEqual(
    [answer.booking_id, answer.state, answer.booked, answer.status, answer.dry_run],
    [null, 'requested', false, null, true],
  );
  assert.match(answer.guidance, /^The venue was not asked/);
  const [row] = await pool`select count(*)::int as count from booking where place_id = ${other}`;
  assert.equal(row?.['count'], 0);
  assert.equal(
    await refusedCode(partner, 'request_table', { ...FOR_GUEST, date: '2026-11-01', dry_run: true }),
    'in_the_past',
  );
});

test('times that cannot be asked for are refused, by the clock of the place', async () => {
  const code = (change: object) => refusedCode(partner, 'request_table', { ...FOR_GUEST, ...change });
  // It is 20:00 in Bali.
  assert.equal(await code({ date: '2026-11-14', time: '19:59' }), 'in_the_past');
  assert.equal(await code({ date: '2027-02-13' }), 'too_far_ahead');
  assert.equal(await code({ date: '2026-02-30' }), 'validation_failed');
  assert.equal(await code({ time: '24:00' }), 'validation_failed');
  assert.equal(await code({ party_size: 31 }), 'validation_failed');
  const last = await partner.call<Requested>('request_table', {
    ...FOR_GUEST,
    date: '2027-02-12',
    dry_run: true,
  });
  assert.equal(last.state, 'requested');
});

test('venues that cannot be asked are refused with the reason', async () => {
  const code = async (id: string) => refusedCode(partner, 'request_table', { ...FOR_GUEST, place_id: id });
  const closed = await addVenue(service, { name: 'Tutup' });
  await pool`update place set closed_at = now() where id = ${closed}`;
  assert.equal(await code(closed), 'place_closed');
  assert.equal(
    await code(await addVenue(service, { name: 'Tidak', method: 'not_through' })),
    'venue_opted_out',
  );
  assert.equal(await code(await addVenue(service, { name: 'Sendiri', method: 'venue_system' })), 'use_link');
  assert.equal(await code('plc_01kdtqb00071qz6sbs7e2vkqza'), 'place_not_found');
});

test('a venue with a page of its own is refused with that page, filled in', async () => {
  const own = await addVenue(service, { name: 'Halaman', method: 'venue_system' });
  const page = 'https://www.opentable.com/r/halaman';
  await pool`update place set booking_url = ${page} where id = ${own}`;
  const { code, hint, link } = await refused(partner, 'request_table', { ...FOR_GUEST, place_id: own });
  const { url = '', prefilled } = link ?? {};
  assert.equal(code, 'use_link');
  assert.ok(url.startsWith(page) && url.includes('2026-11-20'), url);
  assert.deepEqual(prefilled, { party_size: true, date: true, time: true });
  assert.ok(hint?.endsWith(` ${url}`), hint ?? '');
});

test('verified hours refuse a closed time; hours that are not verified refuse nothing', async () => {
  const week = [[[600, 1320]], [[600, 1320]], [[600, 1320]], [[600, 1320]], [], [[600, 1320]], [[600, 1320]]];
  const stored = (source: string) => ({
    text: 'x',
    source,
    observed_at: '2026-11-01T00:00:00Z',
    compiled: { week },
  });
  const known = await addVenue(service, { name: 'Jam Tetap', phone: '+62361123459' });
  await pool`update place set hours = ${pool.json(stored('owner'))} where id = ${known}`;
  const shut = { ...FOR_GUEST, place_id: known };
  const closed = await refused(partner, 'request_table', shut);
  assert.equal(closed.code, 'closed_at_that_time');
  assert.match(closed.hint ?? '', /closed all that day and opens next at 2026-11-21 10:00\.$/);
  const late = await refused(partner, 'request_table', { ...shut, date: '2026-11-19', time: '23:00' });
  assert.match(late.hint ?? '', /On that day it is open 10:00-22:00\.$/);
  await pool`update place set hours = ${pool.json(stored('agent'))} where id = ${known}`;
  assert.match(await partner.request(known), /^bkg_/);
});

test('without a person who switched bookings on nothing can be requested', async () => {
  const { headers } = await addTestPartner(service);
  const message = { id: 1, method: 'tools/call', params: { name: 'request_table', arguments: FOR_GUEST } };
  const { body } = await rpc(service, '/api/concierge/mcp', message, headers);
  assert.match(JSON.stringify(body.result), /bookings_not_enabled/);
  const { status } = await rpc(service, '/api/concierge/mcp', message);
  assert.equal(status, 401);
});

test('exactly one of guest_name and member_id is taken', async () => {
  assert.equal(await refusedCode(partner, 'request_table', TABLE), 'validation_failed');
  const both = { ...FOR_GUEST, member_id: 'mem_01kdtqb00071qz6sbs7e2vkqza' };
  assert.equal(await refusedCode(partner, 'request_table', both), 'validation_failed');
});

test('a member is asked for only with the code that the member gave, once, and by the chosen name', async () => {
  const memberId = service.app.deps.newId('mem');
  const now = service.clock.now();
  await pool`
    insert into member (id, email, display_name, created_at) values (${memberId}, 'm@member.example', 'Ayu', ${now})`;
  const place = await addVenue(service, { name: 'Warung Anggota', phone: '+62361123460' });
  const input = { ...TABLE, place_id: place, member_id: memberId };
  assert.equal(await refusedCode(partner, 'request_table', input), 'member_not_linked');
  const { code } = await makeLinkCode(pool, { memberId, now });
  assert.equal(
    await refusedCode(partner, 'request_table', { ...input, link_code: 'WRONG' }),
    'member_not_linked',
  );
  const answer = await partner.call<Requested>('request_table', { ...input, link_code: code });
  assert.match(answer.message_to_venue, /Name: Ayu, a guest of/);
  assert.match(
    await partner.request(place, { time: '21:00', guest_name: undefined, member_id: memberId }),
    /^bkg_/,
  );
  const stranger = await AskingPartner.add(service);
  assert.equal(
    await refusedCode(stranger, 'request_table', { ...input, link_code: code }),
    'member_not_linked',
  );
});

test('while bookings are halted nothing is requested, and the model is told so', async () => {
  const { id: staffId } = await addTestStaff(service, 'lead');
  await flipSwitch(service.app.deps, { on: true, reason: 'A test.', staffId });
  const place = await addVenue(service, { name: 'Warung Henti', phone: '+62361123461' });
  assert.equal(
    await refusedCode(partner, 'request_table', { ...FOR_GUEST, place_id: place }),
    'bookings_halted',
  );
  const index = (await (await service.request('/api/concierge')).json()) as {
    bookings: Record<string, unknown>;
  };
  assert.deepEqual([index.bookings['enabled'], index.bookings['reason']], [false, 'A test.']);
  await flipSwitch(service.app.deps, { on: false, reason: 'Over.', staffId });
  assert.match(await partner.request(place), /^bkg_/);
});
