import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VenueAnswerOutcome } from '../../src/bookings/answering/answer-outcome.ts';
import type { VenueAnswer } from '../../src/bookings/answering/venue-answer.ts';
import { startTestService } from '../harness/service/service.ts';
import { venueSays, venueTakesBack } from '../harness/service/venue-answer.ts';
import { AskingPartner, addVenue } from './asking-partner.ts';

const service = await startTestService({ settings: { BOOKING_READS_PER_MINUTE: '100000' } });
const { pool } = service.database;
const partner = await AskingPartner.add(service);
let phones = 1000;

async function asked(): Promise<{ id: string; placeId: string }> {
  const placeId = await addVenue(service, { name: `Warung ${phones}`, phone: `+62361${phones++}99` });
  const id = await partner.request(placeId);
  await partner.untilStatus(id, 'asking');
  return { id, placeId };
}

function answer(id: string, given: Partial<VenueAnswer>): Promise<VenueAnswerOutcome> {
  return venueSays(service.app.deps, { bookingId: id, revision: 1, answer: 'yes', actor: 'venue', ...given });
}

test('the same answer again changes nothing, and neither does a later no to the question', async () => {
  const { id } = await asked();
  assert.equal((await answer(id, {})).outcome, 'moved');
  assert.deepEqual(await answer(id, {}), { outcome: 'already', status: 'confirmed' });
  const before = await partner.status(id);
  for (const one of ['no', 'stop'] as const)
    for (const actor of ['venue', 'desk'] as const)
      assert.deepEqual(await answer(id, { answer: one, actor }), { outcome: 'stale', status: 'confirmed' });
  assert.deepEqual(await partner.status(id), before);
});

test('an answer can be taken back for two minutes, and the venue is asked as before', async () => {
  for (const given of [
    { answer: 'yes' },
    { answer: 'no' },
    { answer: 'offer', offer: { time: '20:00' } },
  ] as const) {
    const { id } = await asked();
    await answer(id, given);
    service.clock.advance(119_000);
    assert.equal((await venueTakesBack(service.app.deps, id)).outcome, 'moved');
    const back = await partner.status(id);
    assert.deepEqual([back.status, back.booked, back.offer], ['asking', false, null]);
    assert.equal((await answer(id, {})).outcome, 'moved');
  }
});

test('after two minutes, or once anything else has happened, an answer stands', async () => {
  const { id } = await asked();
  await answer(id, { answer: 'no' });
  service.clock.advance(120_000);
  assert.deepEqual(await venueTakesBack(service.app.deps, id), { outcome: 'late', status: 'declined' });
  const other = await asked();
  await answer(other.id, {});
  await partner.call('cancel_booking', { booking_id: other.id });
  assert.equal((await venueTakesBack(service.app.deps, other.id)).outcome, 'late');
});

test('a venue that wants no more requests gets none from that moment on, and can take that back too', async () => {
  const { id, placeId } = await asked();
  await answer(id, { answer: 'stop' });
  const route = () =>
    pool<{ booking_method: string; chosen_by_venue: boolean }[]>`
      select booking_method, chosen_by_venue from place where id = ${placeId}`.then(([row]) => ({ ...row }));
  assert.deepEqual(await route(), { booking_method: 'not_through', chosen_by_venue: true });
  const { status, reason } = await partner.status(id);
  assert.deepEqual([status, reason], ['declined', 'venue_opted_out']);
  await venueTakesBack(service.app.deps, id);
  assert.deepEqual(await route(), { booking_method: 'request', chosen_by_venue: false });
  assert.equal((await partner.status(id)).status, 'asking');
});

test('offers that make no sense are refused and leave no trace', async () => {
  const { id } = await asked();
  const before = await partner.status(id);
  const offer = (given: NonNullable<VenueAnswer['offer']>) => answer(id, { answer: 'offer', offer: given });
  for (const given of [
    { time: '25:00' },
    { time: '19:30' },
    { time: '12:00', date: '2026-11-01' },
    { time: '12:00', date: 'tomorrow' },
    { time: '12:00', date: '2031-11-20' },
    { time: '20:00', partySize: 31 },
  ])
    assert.equal((await offer(given)).outcome, 'invalid', JSON.stringify(given));
  assert.equal((await answer(id, { answer: 'offer' })).outcome, 'invalid');
  assert.deepEqual(await partner.status(id), before);
});

test('an answer to an older revision is late', async () => {
  const { id } = await asked();
  await answer(id, {});
  await partner.call('modify_booking', { booking_id: id, party_size: 5 });
  assert.deepEqual(await answer(id, { answer: 'no', revision: 1 }), { outcome: 'late', status: 'asking' });
  assert.equal((await partner.status(id)).timeline.at(-1)?.event, 'late_answer');
});

test('of many answers at once exactly one moves the booking', async () => {
  const { id } = await asked();
  const answers = await Promise.all(
    (['yes', 'no', 'yes', 'offer', 'no'] as const).map((one) =>
      answer(id, { answer: one, ...(one === 'offer' ? { offer: { time: '20:00' } } : {}), actor: 'desk' }),
    ),
  );
  assert.equal(answers.filter(({ outcome }) => outcome === 'moved').length, 1);
});
