import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../harness/service/jobs.ts';
import { startTestService } from '../../harness/service/service.ts';
import { addVenue, AskingPartner } from '../asking-partner.ts';

test('a step that lost its connection before it sent anything is done again at once, over the same channel', async () => {
  const service = await startTestService({ settings: { BOOKING_READS_PER_MINUTE: '100000' } });
  const { pool } = service.database;
  const partner = await AskingPartner.add(service);
  const placeId = await addVenue(service, { phone: '+62361123000' });
  const waiting = () =>
    until('the step waits', async () => {
      const [row] = await pool<{ pid: number }[]>`
        select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%lock_shared(7016%'`;
      return row?.pid;
    });
  let bookingId = '';
  // Until this ends, the step is claimed and waits for those who erase the names of guests.
  await pool.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(7016, 0)`;
    bookingId = await partner.request(placeId);
    const lost = await waiting();
    await pool`select pg_terminate_backend(${lost})`;
    await until('another connection has claimed it', async () => (await waiting()) !== lost);
  });
  await partner.untilStatus(bookingId, 'asking');
  const asks = await pool<{ step: string; state: string; channel: string }[]>`
    select step, state, channel from venue_ask where booking_id = ${bookingId}`;
  assert.deepEqual([...asks], [{ step: 'ask', state: 'asked', channel: 'sms' }]);
  const messages = await pool`select from message where subject_id = ${bookingId}`;
  assert.equal(messages.length, 1);
});
