import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileHours } from '../../src/directory/hours/compile/compile-hours.ts';
import type { CompiledHours } from '../../src/directory/hours/compile/compiled-hours.ts';
import { HOURS_LEFT_DAYS_MIN, renewHours } from '../../src/directory/hours/renew-hours.ts';
import { callTool } from '../harness/clients/call-tool.ts';
import { startTestService } from '../harness/service/service.ts';
import { addMadeUpPlace } from './made-up-place.ts';
import { DAY_MS } from '../../src/core/time.ts';

const SEASONAL = 'Apr-Oct 10:00-22:00; Nov-Mar 12:00-18:00; PH off';
const service = await startTestService();
const { pool } = service.database;

interface Hours {
  text: string;
  source: string;
  compiled: CompiledHours | null;
}

async function placeWithHours(text: string, source = 'owner'): Promise<string> {
  const id = await addMadeUpPlace(pool, service.clock);
  const [place] = await pool<{ lat: number; lng: number; country: string; timezone: string }[]>`
    select p.lat, p.lng, p.country, d.timezone from place p join destination d on d.id = p.destination_id where p.id = ${id}`;
  assert.ok(place);
  const now = service.clock.now();
  const compiled = compileHours(text, { ...place, now });
  assert.ok(compiled);
  await pool`update place set hours = ${pool.json({ text, source, observed_at: now.toISOString(), compiled })}
    where id = ${id}`;
  return id;
}

async function hoursOf(id: string): Promise<Hours & { updated_at: Date }> {
  const [row] = await pool<
    { hours: Hours; updated_at: Date }[]
  >`select hours, updated_at from place where id = ${id}`;
  assert.ok(row);
  return { ...row.hours, updated_at: row.updated_at };
}

const openNow = async (place_id: string) =>
  (await callTool<{ open_now: boolean | null }>(service, '/api/partner/mcp', 'place_details', { place_id }))
    .open_now;

test('hours that come to the end of what was worked out are worked out anew, and the answer never becomes unknown', async () => {
  const seasonal = await placeWithHours(SEASONAL);
  const plain = await placeWithHours('Mo-Su 09:00-17:00');
  const before = await hoursOf(seasonal);
  assert.ok(before.compiled?.until !== undefined);
  assert.equal(await renewHours(pool, service.clock.now()), 0);

  // Noon in summer, long after the last day that was worked out at first.
  let days = 0;
  for (; days < 900; days += HOURS_LEFT_DAYS_MIN / 2) {
    service.clock.advance((HOURS_LEFT_DAYS_MIN / 2) * DAY_MS);
    await renewHours(pool, service.clock.now());
    assert.notEqual(await openNow(seasonal), null, `after ${days} days`);
  }
  const after = await hoursOf(seasonal);
  assert.ok((after.compiled?.until ?? '') > before.compiled.until);
  assert.deepEqual(
    { ...after, compiled: null, updated_at: null },
    { ...before, compiled: null, updated_at: null },
  );
  assert.equal((await hoursOf(plain)).compiled?.until, undefined);
});

test('hours in plain English are read in plain English again', async () => {
  const id = await placeWithHours('Mo-Fr 09:00-17:00; PH off');
  await pool`update place set hours = jsonb_set(hours, '{text}', '"Mon-Fri 9am-5pm; holidays closed"') where id = ${id}`;
  service.clock.advance(390 * DAY_MS);
  assert.equal(await renewHours(pool, service.clock.now()), 1);
  const { compiled, text } = await hoursOf(id);
  assert.equal(text, 'Mon-Fri 9am-5pm; holidays closed');
  assert.deepEqual(compiled?.week[0], [[540, 1020]]);
  assert.equal(await renewHours(pool, service.clock.now()), 0);
});

test('many places are done in batches, those that end first before the others', async () => {
  await pool`delete from place`;
  const first = await placeWithHours(SEASONAL);
  service.clock.advance(DAY_MS);
  const id = await placeWithHours(SEASONAL);
  await pool`
    insert into place (id, destination_id, name, vertical, category, country, lat, lng, hours, source, source_ref)
    select 'plc_' || lpad(n::text, 26, '0'), destination_id, 'House', vertical, category, country, lat, lng, hours, 'test', n::text
    from place, generate_series(1, 203) n where id = ${id}`;
  service.clock.advance(395 * DAY_MS);
  const ended = (await hoursOf(first)).compiled?.until;
  assert.equal(await renewHours(pool, service.clock.now()), 200);
  assert.notEqual((await hoursOf(first)).compiled?.until, ended);
  assert.equal(await renewHours(pool, service.clock.now()), 5);
  assert.equal(await renewHours(pool, service.clock.now()), 0);
});
