import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VenueAnswer } from '../../../src/bookings/answering/venue-answer.ts';
import { AskingPartner, addVenue, untilResting, type BookingTold } from '../../bookings/asking-partner.ts';
import { passTime, until } from '../../harness/service/jobs.ts';
import { startTestService } from '../../harness/service/service.ts';
import { venueSays } from '../../harness/service/venue-answer.ts';
import { refusedCode } from './refused.ts';
import { HOUR_MS } from '../../../src/core/time.ts';

// The clock of this file goes far, and every step of a story is a write.
const service = await startTestService({
  settings: { BOOKING_READS_PER_MINUTE: '100000', VENUE_OPEN_ASKS: '50' },
});
const { pool } = service.database;
const partner = await AskingPartner.add(service);
const phones = Array.from({ length: 30 }, (_, at) => `+6236112${3000 + at}`);

async function asked(change: Record<string, unknown> = {}): Promise<string> {
  const phone = phones.pop() ?? null;
  const id = await partner.request(await addVenue(service, { name: `Warung ${phone ?? ''}`, phone }), change);
  await partner.untilStatus(id, 'asking');
  return id;
}

async function answer(id: string, given: Partial<VenueAnswer>): Promise<string> {
  const { revision } = await partner.status(id);
  const request = { bookingId: id, revision, answer: 'yes' as const, actor: 'venue' as const, ...given };
  return (await venueSays(service.app.deps, request)).outcome;
}

const modify = (id: string, change: Record<string, unknown>) =>
  partner.call<BookingTold & { reverted: boolean }>('modify_booking', { booking_id: id, ...change });

function messagesOf(id: string): Promise<string[]> {
  return pool<
    { purpose: string }[]
  >`select purpose from message where subject_id = ${id} order by sequence`.then((rows) =>
    rows.map(({ purpose }) => purpose),
  );
}

test("the venue's offer is taken with accept_offer: confirmed as offered, and the venue is told", async () => {
  const id = await asked();
  assert.equal(await answer(id, { answer: 'offer', offer: { time: '20:15', note: 'Terrace' } }), 'moved');
  const { offer } = await partner.status(id);
  assert.deepEqual([offer?.date, offer?.time], ['2026-11-20', '20:15']);
  const taken = await modify(id, { accept_offer: offer?.offer_id });
  assert.deepEqual(
    [taken.status, taken.booked, taken.time, taken.confirmation?.by],
    ['confirmed', true, '20:15', 'venue'],
  );
  assert.equal(taken.timeline.at(-1)?.actor, 'partner');
  await until('the venue is told', async () => (await messagesOf(id)).includes('booking_accepted'));
});

test('a change to exactly what the venue offers takes the offer, and the venue is not asked once more', async () => {
  const id = await asked();
  await answer(id, { answer: 'offer', offer: { time: '20:15', partySize: 3 } });
  assert.equal(
    await refusedCode(partner, 'modify_booking', { booking_id: id, time: '19:30' }),
    'validation_failed',
  );
  const taken = await modify(id, { time: '20:15', party_size: 3 });
  assert.deepEqual([taken.status, taken.booked, taken.time], ['confirmed', true, '20:15']);
  assert.equal(taken.confirmation?.by, 'venue');
  await until('the venue is told', async () => (await messagesOf(id)).includes('booking_accepted'));
  assert.equal((await messagesOf(id)).filter((one) => one === 'booking_new').length, 1);
});

test('with other notes the venue is asked anew, also about the table that it offers', async () => {
  const id = await asked();
  await answer(id, { answer: 'offer', offer: { time: '20:15' } });
  const changed = await modify(id, { time: '20:15', notes: 'One of us uses a wheelchair.' });
  assert.deepEqual([changed.status, changed.time], ['asking', '20:15']);
});

test('an offer lapses, and then it cannot be taken', async () => {
  const id = await asked();
  await answer(id, { answer: 'offer', offer: { time: '20:15' } });
  const { offer } = await partner.status(id);
  await untilResting(service, id);
  service.clock.advance(12 * HOUR_MS);
  assert.equal(
    await refusedCode(partner, 'modify_booking', { booking_id: id, accept_offer: offer?.offer_id }),
    'offer_expired',
  );
  await passTime(service, 12 * HOUR_MS);
  const lapsed = await partner.untilStatus(id, 'cancelled');
  assert.equal(lapsed.reason, 'offer_lapsed');
});

test('instead of an offer another table can be asked for, as a new revision', async () => {
  const id = await asked();
  await answer(id, { answer: 'offer', offer: { time: '21:00' } });
  const changed = await modify(id, { time: '18:00' });
  assert.deepEqual(
    [changed.status, changed.revision, changed.time, changed.offer],
    ['asking', 2, '18:00', null],
  );
  await until(
    'the venue was asked again',
    async () => (await messagesOf(id)).filter((one) => one === 'booking_new').length === 2,
  );
  assert.equal(await answer(id, {}), 'moved');
});

test('a change of a confirmed table holds it until the venue answers: yes takes the new one', async () => {
  const id = await asked();
  await answer(id, {});
  const changing = await modify(id, { party_size: 6 });
  assert.deepEqual([changing.status, changing.booked, changing.revision], ['asking', false, 2]);
  assert.deepEqual(changing.held, { date: '2026-11-20', time: '19:30', party_size: 4 });
  await answer(id, {});
  const { status, party_size, held } = await partner.status(id);
  assert.deepEqual([status, party_size, held], ['confirmed', 6, null]);
});

test('a change that the venue refuses, or never answers, leaves the table of before', async () => {
  const no = await asked();
  await answer(no, {});
  await modify(no, { time: '20:30' });
  await answer(no, { answer: 'no' });
  const refusedOne = (await partner.status(no)) as BookingTold & { reverted: boolean };
  assert.deepEqual(
    [refusedOne.status, refusedOne.booked, refusedOne.time, refusedOne.reverted, refusedOne.reason],
    ['confirmed', true, '19:30', true, 'change_declined'],
  );
  const silent = await asked();
  await answer(silent, {});
  await modify(silent, { time: '20:30' });
  await until('the change was asked', async () => (await messagesOf(silent)).includes('booking_change'));
  await untilResting(service, silent);
  await passTime(service, 24 * HOUR_MS);
  const stands = (await partner.untilStatus(silent, 'confirmed')) as BookingTold & { reverted: boolean };
  assert.deepEqual([stands.time, stands.reverted, stands.reason], ['19:30', true, 'change_unanswered']);
});

test('new notes for a confirmed table change nothing about it and reach the venue', async () => {
  const id = await asked();
  await answer(id, {});
  const noted = await modify(id, { notes: 'A quiet corner.' });
  assert.deepEqual([noted.status, noted.booked, noted.revision], ['confirmed', true, 2]);
  await until('the venue is told', async () => (await messagesOf(id)).includes('booking_kept'));
  const kept = (await modify(id, { notes: 'By the door.', remove_notes: true })) as { notes?: string | null };
  assert.equal(kept.notes, 'By the door.');
  const removed = (await modify(id, { notes: '', remove_notes: true })) as { notes?: string | null };
  assert.equal(removed.notes, null);
});

test('a change that is not possible is refused and leaves no trace', async () => {
  const id = await asked();
  const before = await partner.status(id);
  const code = (change: object, booking = id) =>
    refusedCode(partner, 'modify_booking', { booking_id: booking, ...change });
  assert.equal(await code({ time: '20:00' }), 'invalid_move');
  assert.equal(await code({ accept_offer: 'off_01kdtqb00071qz6sbs7e2vkqza' }), 'invalid_move');
  assert.equal(
    await code({ time: '20:00', accept_offer: 'off_01kdtqb00071qz6sbs7e2vkqza' }),
    'validation_failed',
  );
  assert.equal(await code({}), 'validation_failed');
  assert.equal(await code({ time: '20:00', if_revision: 7 }), 'revision_conflict');
  assert.equal(await code({ time: '20:00' }, 'bkg_01kdtqb00071qz6sbs7e2vkqza'), 'booking_not_found');
  assert.deepEqual(await partner.status(id), before);
  const stranger = await AskingPartner.add(service);
  assert.equal(
    await refusedCode(stranger, 'modify_booking', { booking_id: id, time: '20:00' }),
    'booking_not_found',
  );
  await answer(id, { answer: 'no', reason: 'slot_unavailable' });
  assert.equal(await code({ time: '20:00' }), 'booking_final');
  assert.equal((await partner.status(id)).reason, 'slot_unavailable');
});

test('a repeated accept_offer with its key confirms once', async () => {
  const id = await asked();
  await answer(id, { answer: 'offer', offer: { time: '20:15' } });
  const { offer } = await partner.status(id);
  const input = { accept_offer: offer?.offer_id, idempotency_key: `take-${id}` };
  const [first, second] = [await modify(id, input), await modify(id, input)];
  assert.deepEqual(second, first);
  assert.equal(first.timeline.filter(({ event }) => event === 'confirmed').length, 1);
});
