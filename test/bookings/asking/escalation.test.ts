import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeBookingTask } from '../../../src/bookings/answering/desk-tasks.ts';
import { wakeBooking } from '../../../src/bookings/move-booking.ts';
import { passTime as moveClock, runTask, until } from '../../harness/service/jobs.ts';
import { startTestService } from '../../harness/service/service.ts';
import { venueSays } from '../../harness/service/venue-answer.ts';
import { addTestStaff } from '../../harness/people/staff.ts';
import { addVenue, AskingPartner } from '../asking-partner.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts';

// One service for one day: it begins at ten in the morning in Bali, and each test goes on where the one before has ended.
const service = await startTestService({ settings: { BOOKING_READS_PER_MINUTE: '100000' } });
service.clock.advance(14 * HOUR_MS);
const { pool } = service.database;
const partner = await AskingPartner.add(service);

interface Ask {
  step: string;
  channel: string;
  state: string;
}

function asksOf(id: string): Promise<Ask[]> {
  return pool<Ask[]>`
    select step, channel, state from venue_ask where booking_id = ${id} order by id`;
}

function untilAsk(id: string, step: string, channel: string, state: string): Promise<Ask> {
  return until(`${step} by ${channel} is ${state}`, async () =>
    (await asksOf(id)).find((ask) => ask.step === step && ask.channel === channel && ask.state === state),
  );
}

async function untilIdle(): Promise<void> {
  let jobs: object[] = [];
  await until('no job is under way', async () => {
    jobs = await pool`
      select task_identifier, run_at, attempts, max_attempts, last_error, locked_at, now() from graphile_worker.jobs
      where locked_at is not null or (run_at <= now() and attempts < max_attempts)`;
    return jobs.length === 0;
  }).catch((error: unknown) => {
    throw new Error(JSON.stringify(jobs), { cause: error });
  });
}

/** Lets time pass when nothing is under way: a job that looked at the clock before would be late by what passed. */
async function passTime(ms: number): Promise<void> {
  await untilIdle();
  await moveClock(service, ms);
}

/** Leaves the ask of a booking as a process does that died with it in hand, and has the booking looked at again. */
async function loseAsk(id: string): Promise<void> {
  // A job that has read the ask before would put off the look that comes now.
  await untilIdle();
  await pool`
    update venue_ask set state = 'sending', leased_until = now() - interval '1 second' where booking_id = ${id}`;
  await wakeBooking(pool, id);
}

test('an address that does not exist is noted, and the next way follows at once', async () => {
  const place = await addVenue(service, { phone: '+62361123451' });
  const id = await partner.request(place);
  await untilAsk(id, 'ask', 'sms', 'asked');
  await untilIdle();
  const [message] = await pool<{ id: string }[]>`
    update message set state = 'failed', body = null, finished_at = now() where subject_id = ${id} returning id`;
  const { venueMessageFinished } = await import('../../../src/bookings/asking/venue-message-finished.ts');
  await runTask(service, venueMessageFinished, { message_id: message?.id });
  await untilAsk(id, 'ask', 'desk', 'waiting');
  assert.equal((await partner.status(id)).timeline.at(-1)?.event, 'channel_failed');
});

test('a step of a dead process is not repeated: it is recorded, and the next channel follows', async () => {
  const place = await addVenue(service, { phone: '+62361123452', email: 'v@venue.example' });
  const id = await partner.request(place);
  await untilAsk(id, 'ask', 'sms', 'asked');
  await loseAsk(id);
  await untilAsk(id, 'ask', 'mail', 'asked');
  assert.deepEqual(
    (await asksOf(id)).map(({ channel, state }) => [channel, state]),
    [
      ['sms', 'failed'],
      ['mail', 'asked'],
    ],
  );
  const messages = await pool`select from message where subject_id = ${id} and channel = 'sms'`;
  assert.equal(messages.length, 1);
});

test('a call for the desk that a dead process was adding is added again, because nobody has heard of it', async () => {
  const id = await partner.request(await addVenue(service, {}));
  await untilAsk(id, 'ask', 'desk', 'waiting');
  await loseAsk(id);
  await untilAsk(id, 'ask', 'desk', 'waiting');
  const asks = [...(await asksOf(id))];
  assert.deepEqual(asks, [{ step: 'ask', channel: 'desk', state: 'waiting' }]);
  assert.deepEqual(
    (await partner.status(id)).timeline.map(({ event }) => event),
    ['sent'],
  );
});

test('a table within the hour is asked for by the desk only, and what nobody took in time was never asked', async () => {
  const place = await addVenue(service, { phone: '+62361123453', email: 'v@venue.example' });
  const id = await partner.request(place, { date: '2026-11-15', time: '10:45' });
  await untilAsk(id, 'ask', 'desk', 'waiting');
  const { status, channel } = await partner.status(id);
  assert.deepEqual([status, channel], ['sent', 'desk']);
  await passTime(15 * MINUTE_MS);
  const ended = await partner.untilStatus(id, 'cancelled');
  assert.equal(ended.reason, 'not_asked');
});

test('a silent venue is asked by text, reminded, asked by mail, then by the desk, and then there is no answer', async () => {
  const place = await addVenue(service, { phone: '+62361123454', email: 'v@venue.example' });
  const id = await partner.request(place);
  await untilAsk(id, 'ask', 'sms', 'asked');
  await passTime(44 * MINUTE_MS);
  assert.equal((await asksOf(id)).length, 1);
  await passTime(MINUTE_MS);
  await untilAsk(id, 'reminder', 'sms', 'asked');
  await passTime(15 * MINUTE_MS);
  await untilAsk(id, 'ask', 'mail', 'asked');
  await passTime(30 * MINUTE_MS);
  await untilAsk(id, 'ask', 'desk', 'waiting');
  await passTime(150 * MINUTE_MS);
  const ended = await partner.untilStatus(id, 'no_answer');
  assert.deepEqual(
    ended.timeline.map(({ event, channel }) => [event, channel]),
    [
      ['sent', null],
      ['asking', 'sms'],
      ['reminder_sent', 'sms'],
      ['reminder_sent', 'mail'],
      ['no_answer', null],
    ],
  );
  // Nobody is set up to send: the timeline does not say that a message has gone.
  const inOutbox = 'The message for the venue waits until the staff of the service pass it on.';
  assert.deepEqual(
    ended.timeline.slice(1, 4).map(({ text }) => text),
    [inOutbox, inOutbox, inOutbox],
  );
  const late = await venueSays(service.app.deps, {
    bookingId: id,
    revision: 1,
    answer: 'yes',
    actor: 'venue',
  });
  assert.deepEqual(late, { outcome: 'late', status: 'no_answer' });
  assert.equal((await partner.status(id)).timeline.at(-1)?.event, 'late_answer');
});

test('silence, then a person at the desk hears a yes', async () => {
  const id = await partner.request(await addVenue(service, { email: 'v@venue.example' }));
  await untilAsk(id, 'ask', 'mail', 'asked');
  await passTime(45 * MINUTE_MS);
  await untilAsk(id, 'reminder', 'mail', 'asked');
  await passTime(45 * MINUTE_MS);
  await untilAsk(id, 'ask', 'desk', 'waiting');
  const { id: staffId } = await addTestStaff(service, 'desk');
  const { deps } = service.app;
  const ctx = { now: deps.clock.now(), newId: deps.newId };
  const taken = await deps.pool.begin((tx) => takeBookingTask(tx, ctx, { bookingId: id, staffId }));
  assert.deepEqual(taken, { outcome: 'taken' });
  const answer = { bookingId: id, revision: 1, actor: 'desk' as const };
  const nobody = await venueSays(deps, { ...answer, answer: 'no_answer' });
  assert.deepEqual(nobody, { outcome: 'noted', status: 'asking' });
  await venueSays(deps, { ...answer, answer: 'yes' });
  const { status, confirmation } = await partner.status(id);
  assert.deepEqual([status, confirmation?.by], ['confirmed', 'desk']);
});

test('at night nobody is disturbed: the question leaves in the morning', async () => {
  // Ten in the evening of that day.
  service.clock.advance(Date.parse('2026-11-15T14:00:00Z') - service.clock.now().getTime());
  const place = await addVenue(service, { phone: '+62361123455' });
  const look = { place_id: place, date: '2026-11-20', time: '19:30', party_size: 4 };
  const seen = await partner.call<{ quiet_until: string; answer_by: string }>('check_availability', look);
  assert.deepEqual(
    [seen.quiet_until, seen.answer_by],
    ['2026-11-16T01:00:00.000Z', '2026-11-16T05:00:00.000Z'],
  );
  const id = await partner.request(place);
  await passTime(10 * HOUR_MS);
  assert.deepEqual([(await asksOf(id)).length, (await partner.status(id)).status], [0, 'sent']);
  await passTime(HOUR_MS);
  await partner.untilStatus(id, 'asking');
});
