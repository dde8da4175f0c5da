import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AskingPartner, addVenue, type BookingTold } from '../../bookings/asking-partner.ts';
import { startTestService } from '../../harness/service/service.ts';
import { refusedCode } from './refused.ts';

interface Listed {
  bookings: BookingTold[];
  count: number;
  next_cursor: string | null;
}

const service = await startTestService();
const { pool } = service.database;
const partner = await AskingPartner.add(service);
const places = [await addVenue(service), await addVenue(service, { name: 'Warung Lain' })];
const made: string[] = [];
for (let at = 0; at < 5; at++) {
  service.clock.advance(1_000);
  made.unshift(await partner.request(places[at % 2] ?? '', { guest_name: `Guest ${'ABCDE'[at] ?? ''}` }));
}

const list = (input: object = {}) => partner.call<Listed>('booking_status', { ...input });
const ids = ({ bookings }: Listed) => bookings.map(({ booking_id }) => booking_id);

test('bookings are listed newest first, page by page', async () => {
  assert.deepEqual(ids(await list()), made);
  const first = await list({ limit: 3 });
  assert.deepEqual(ids(first), made.slice(0, 3));
  const second = await list({ limit: 3, cursor: first.next_cursor });
  assert.deepEqual([ids(second), second.next_cursor], [made.slice(3), null]);
});

test('they are filtered by status, place and time', async () => {
  assert.equal((await list({ place_id: places[0] })).count, 3);
  assert.equal((await list({ status: 'confirmed' })).count, 0);
  assert.equal((await list({ since: '2027-01-01T00:00:00Z' })).count, 0);
  assert.equal((await list({ since: '2026-11-14T12:00:00Z' })).count, 5);
  for (const since of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-14:00'])
    assert.equal(await refusedCode(partner, 'booking_status', { since }), 'validation_failed', since);
});

test('a cursor belongs to one list of one partner', async () => {
  const { next_cursor } = await list({ limit: 2 });
  assert.equal(
    await refusedCode(partner, 'booking_status', { cursor: next_cursor, status: 'sent' }),
    'bad_cursor',
  );
  const stranger = await AskingPartner.add(service);
  assert.equal(await refusedCode(stranger, 'booking_status', { cursor: next_cursor }), 'bad_cursor');
  assert.equal(await refusedCode(partner, 'booking_status', { cursor: 'made-up' }), 'bad_cursor');
});

test("nobody sees another partner's bookings, nor learns that they exist", async () => {
  const stranger = await AskingPartner.add(service);
  assert.equal(await refusedCode(stranger, 'booking_status', { booking_id: made[0] }), 'booking_not_found');
  assert.equal(await refusedCode(stranger, 'booking_status', { booking_id: 'bkg_x' }), 'booking_not_found');
  assert.equal((await stranger.call<Listed>('booking_status', {})).count, 0);
});

test('a key issued without proof shows only later bookings', async () => {
  await pool`
    update partner set bookings_from = ${new Date(service.clock.now().getTime() + 1)}
    where id = ${partner.partner.partnerId}`;
  await service.app.deps.lease.lapsed();
  assert.equal((await list()).count, 0);
  assert.equal(await refusedCode(partner, 'booking_status', { booking_id: made[0] }), 'booking_not_found');
  await pool`update partner set bookings_from = null where id = ${partner.partner.partnerId}`;
  await service.app.deps.lease.lapsed();
});
