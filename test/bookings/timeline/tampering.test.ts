import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appendEntry } from '../../../src/bookings/timeline.ts';
import { walkTimelines } from '../../../src/bookings/maintenance/walk-timelines.ts';
import type { Db } from '../../../src/core/postgres/db.ts';
import { addTestPartner } from '../../harness/people/partner.ts';
import { startTestService } from '../../harness/service/service.ts';
import { LONG } from '../../harness/tier.ts';
import { makeTimelines } from './made-timelines.ts';

const service = await startTestService();
const { pool } = service.database;
const BOOKINGS = 320;
const { partnerId } = await addTestPartner(service);
const ids = await makeTimelines(pool, service.app.deps.newId, { partnerId, bookings: BOOKINGS });
/** In the middle of a page, with five entries; the next has three, and so has the last of the first page. */
const [id, next, lastOfPage] = [ids[152], ids[153], ids[99]] as [string, string, string];
const CHANGED = 'its hash does not match its content and the previous entry';
const MISSING = 'it is missing';

class Rollback extends Error {}

async function walk(db: Db) {
  const found = { bookings: 0, entries: 0, broken: [] as string[] };
  for await (const { bookings, entries, broken } of walkTimelines(db)) {
    found.bookings += bookings;
    found.entries += entries;
    found.broken.push(...broken.map((one) => `${one.booking_id} ${one.sequence}: ${one.what}`));
  }
  return found;
}

/** Faults found after the database's owner bypassed all triggers and constraints; the change is rolled back. */
async function brokenBy(tamper: (tx: Db) => Promise<unknown>): Promise<string[]> {
  let broken: string[] = [];
  const work = pool.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    for (const name of ['names_its_move', 'event_known', 'actor_known', 'channel_form', 'sequence_range'])
      await tx.unsafe(`alter table booking_entry drop constraint booking_entry_${name}`);
    await tamper(tx);
    ({ broken } = await walk(tx));
    throw new Rollback();
  });
  await assert.rejects(work, Rollback);
  return broken;
}

const setting = (column: string, sequence: number) => (tx: Db) =>
  tx.unsafe(`update booking_entry set ${column} where booking_id = $1 and sequence = $2`, [id, sequence]);

test('timelines as they were written are all walked, and none is called broken', async () => {
  const { bookings, entries, broken } = await walk(pool);
  assert.deepEqual([bookings, broken], [BOOKINGS, []]);
  const [row] = await pool<{ entries: number }[]>`select count(*)::int as entries from booking_entry`;
  assert.equal(entries, row?.entries);
});

test('one thing changed in any column of any entry is found, with its entry', async () => {
  const columns = [
    `at = at + interval '1 microsecond'`,
    `at = at - interval '1 millisecond'`,
    `at = 'infinity'`,
    `at = '20000-01-01'`,
    `event = overlay(event placing 'x' from 1 for 1)`,
    `from_status = overlay(coalesce(from_status, 'null') placing 'x' from 1 for 1)`,
    `to_status = overlay(to_status placing 'x' from 1 for 1)`,
    `actor = overlay(actor placing 'x' from 1 for 1)`,
    `channel = coalesce(channel, '') || 'x'`,
    `revision = revision + 1`,
    `text = overlay(text placing 'x' from 1 for 1)`,
    `text = text || ' '`,
    `hash = set_byte(hash, 31, get_byte(hash, 31) # 1)`,
    `hash = set_byte(hash, 0, get_byte(hash, 0) # 128)`,
  ];
  for (const [at, column] of columns.entries())
    for (const sequence of LONG ? [1, 2, 3, 4, 5] : [1 + (at % 5)])
      assert.deepEqual(
        await brokenBy(setting(column, sequence)),
        [`${id} ${sequence}: ${CHANGED}`],
        `${column} of entry ${sequence}`,
      );
});

test('an entry that was given another number or another booking is missed where it was', async () => {
  assert.deepEqual(await brokenBy(setting('sequence = 9', 2)), [`${id} 2: ${MISSING}`]);
  assert.deepEqual(await brokenBy(setting('sequence = 9', 5)), [`${id} 5: ${MISSING}`]);
  assert.deepEqual(await brokenBy(setting('sequence = 0', 5)), [`${id} 0: there is no such number`]);
  assert.deepEqual(await brokenBy(setting(`booking_id = '${next}'`, 5)), [
    `${id} 5: ${MISSING}`,
    `${next} 4: ${MISSING}`,
  ]);
  assert.deepEqual(await brokenBy(setting(`booking_id = 'bkg_0'`, 5)), [
    `bkg_0 5: its booking does not exist`,
    `${id} 5: ${MISSING}`,
  ]);
});

test('a deleted entry is found: the first, one in the middle, the last, all, at the end of a page too', async () => {
  const without = (booking: string, ...sequences: number[]) =>
    brokenBy(
      (tx) => tx`delete from booking_entry where booking_id = ${booking} and sequence = any(${sequences})`,
    );
  for (const sequence of [1, 2, 3, 4, 5])
    assert.deepEqual(await without(id, sequence), [`${id} ${sequence}: ${MISSING}`]);
  assert.deepEqual(await without(id, 1, 2, 3, 4, 5), [`${id} 1: ${MISSING}`]);
  assert.deepEqual(await without(lastOfPage, 3), [`${lastOfPage} 3: ${MISSING}`]);
  assert.deepEqual(await brokenBy((tx) => tx`delete from booking where id = ${lastOfPage}`), [
    `${lastOfPage} 1: its booking does not exist`,
  ]);
  const all = await brokenBy((tx) => tx`delete from booking_entry`);
  assert.equal(all.length, BOOKINGS);
});

test('an entry that was appended or put between is found, sealed by the rule or not', async () => {
  const entry = {
    at: new Date(),
    actor: 'desk',
    channel: null,
    revision: 1,
    text: 'Never happened.',
  } as const;
  const late = { ...entry, sequence: 6, event: 'late_answer', from: 'cancelled', to: 'cancelled' } as const;
  assert.deepEqual(await brokenBy((tx) => appendEntry(tx, id, late)), [
    `${id} 6: the booking's last entry should be 5`,
  ]);
  const unsealed = (tx: Db) => tx`
    insert into booking_entry select booking_id, 6, at, event, from_status, to_status, actor, channel, revision, text, hash
    from booking_entry where booking_id = ${id} and sequence = 5`;
  assert.deepEqual(await brokenBy(unsealed), [`${id} 6: ${CHANGED}`]);
  // Sealed, and known to the booking: but a booking that has ended goes nowhere from another state.
  const elsewhere = async (tx: Db) => {
    await appendEntry(tx, id, { ...late, event: 'confirmed', from: 'asking', to: 'confirmed' });
    await tx`update booking set status = 'confirmed', last_sequence = 6 where id = ${id}`;
  };
  assert.deepEqual(await brokenBy(elsewhere), [
    `${id} 6: its previous status is asking, but the entry before has cancelled`,
  ]);
  // One in the middle, replaced and sealed anew: the entry after it does not fit any more.
  const replaced = async (tx: Db) => {
    await tx`delete from booking_entry where booking_id = ${id} and sequence = 3`;
    await appendEntry(tx, id, { ...late, sequence: 3, from: 'asking', to: 'asking' });
  };
  assert.deepEqual(await brokenBy(replaced), [`${id} 4: ${CHANGED}`]);
});

test('a booking that stands elsewhere than its timeline says is found', async () => {
  const said = (set: string) => brokenBy((tx) => tx.unsafe(`update booking set ${set} where id = $1`, [id]));
  assert.deepEqual(await said(`status = 'confirmed'`), [
    `${id} 5: its status is cancelled, but the booking is confirmed`,
  ]);
  assert.deepEqual(await said('last_sequence = 4'), [`${id} 5: the booking's last entry should be 4`]);
  assert.deepEqual(await said('last_sequence = 7'), [`${id} 6: ${MISSING}`]);
});
