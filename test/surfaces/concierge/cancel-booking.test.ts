import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flipSwitch } from '../../harness/service/kill-switch.ts';
import { AskingPartner, addVenue, type BookingTold } from '../../bookings/asking-partner.ts';
import { until } from '../../harness/service/jobs.ts';
import { startTestService } from '../../harness/service/service.ts';
import { addTestStaff } from '../../harness/people/staff.ts';
import { venueSays } from '../../harness/service/venue-answer.ts';
import { refusedCode } from './refused.ts';
import { HOUR_MS } from '../../../src/core/time.ts';

const service = await startTestService({
  settings: { BOOKING_READS_PER_MINUTE: '100000', VENUE_OPEN_ASKS: '50' },
});
const { pool } = service.database;
const partner = await AskingPartner.add(service);
const placeId = await addVenue(service, { phone: '+62361123456', gather: 0 });

async function asked(name: string): Promise<string> {
  const id = await partner.request(placeId, { guest_name: name });
  await partner.untilStatus(id, 'asking');
  return id;
}

const cancel = (id: string, input: object = {}) =>
  partner.call<BookingTold>('cancel_booking', { booking_id: id, ...input });

const switchBookings = async (on: boolean) => {
  await pool`update partner set bookings_enabled = ${on} where id = ${partner.partner.partnerId}`;
  await service.app.deps.lease.lapsed();
};

const purposes = async (id: string) =>
  (
    await pool<{ purpose: string }[]>`select purpose from message where subject_id = ${id} order by sequence`
  ).map(({ purpose }) => purpose);

test('a cancelled request ends with its reason, the venue that was asked is told, and twice is no error', async () => {
  const id = await asked('Cancelled One');
  const cancelled = await cancel(id, { reason: 'The guest is ill.' });
  assert.deepEqual(
    [cancelled.status, cancelled.booked, cancelled.reason],
    ['cancelled', false, 'The guest is ill.'],
  );
  await until('the venue is told', async () => (await purposes(id)).includes('booking_cancelled'));
  const told = await until('it is noted', async () => {
    const booking = await partner.status(id);
    return booking.timeline.some(({ event }) => event === 'venue_told') && booking;
  });
  assert.deepEqual((await cancel(id)).timeline, told.timeline);
});

test('a confirmed table is cancelled; a refused one has ended', async () => {
  const id = await asked('Confirmed One');
  const answer = { bookingId: id, revision: 1, actor: 'venue' as const };
  await venueSays(service.app.deps, { ...answer, answer: 'yes' });
  assert.equal((await cancel(id)).status, 'cancelled');
  const declined = await asked('Declined One');
  await venueSays(service.app.deps, { ...answer, bookingId: declined, answer: 'no' });
  assert.equal(await refusedCode(partner, 'cancel_booking', { booking_id: declined }), 'booking_final');
});

test('only whoever made a booking can cancel it, and only at the revision that they saw', async () => {
  const id = await asked('Own One');
  const stranger = await AskingPartner.add(service);
  assert.equal(await refusedCode(stranger, 'cancel_booking', { booking_id: id }), 'booking_not_found');
  assert.equal(
    await refusedCode(partner, 'cancel_booking', { booking_id: id, if_revision: 2 }),
    'revision_conflict',
  );
  assert.equal(
    await refusedCode(partner, 'cancel_booking', { booking_id: id, reason: 'x'.repeat(201) }),
    'validation_failed',
  );
  assert.equal((await cancel(id, { if_revision: 1 })).status, 'cancelled');
});

test('bookings can be cancelled and read while everything is halted, and without the permission to book', async () => {
  const id = await asked('Halted One');
  const { id: staffId } = await addTestStaff(service, 'lead');
  await flipSwitch(service.app.deps, { on: true, reason: 'A test.', staffId });
  await switchBookings(false);
  assert.equal((await cancel(id)).status, 'cancelled');
  assert.equal((await partner.status(id)).status, 'cancelled');
  assert.ok(!(await purposes(id)).includes('booking_cancelled'), 'nothing leaves while bookings are halted');
  await flipSwitch(service.app.deps, { on: false, reason: 'Over.', staffId });
  await until('the venue is told after the halt', async () =>
    (await purposes(id)).includes('booking_cancelled'),
  );
  await switchBookings(true);
});

test('a request that has not left yet is cancelled and never reaches the venue', async () => {
  const quiet = await addVenue(service, { name: 'Warung Malam', phone: '+62361123457' });
  service.clock.advance(3 * HOUR_MS);
  const id = await partner.request(quiet);
  assert.equal((await partner.status(id)).status, 'sent');
  await cancel(id);
  const [row] = await pool`select count(*)::int as count from venue_ask where booking_id = ${id}`;
  assert.deepEqual([row?.['count'], await purposes(id)], [0, []]);
});
