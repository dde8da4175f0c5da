import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { tallyPlaces } from '../../src/directory/place-tally.ts';
import { createTestDatabase } from '../harness/service/database.ts';

const database = await createTestDatabase();
const { pool } = database;
after(() => database.drop());

const SINCE = new Date('2026-01-10T12:00:00Z');
// Of many places at once, in statements that overlap: what tasks and imports do to the directory, in no order.
const CHANGES = [
  `insert into place (id, destination_id, name, vertical, category, country, lat, lng, verified_at, source, source_ref)
   select 'plc_' || lpad(n::text, 26, '0'), d.id, 'House ' || n, 'cafe', 'cafe', d.country, d.lat, d.lng,
     case when n % 3 = 0 then timestamptz '2026-01-08T00:00Z' + n % 9 * interval '1 day' end, 'test', n::text
   from generate_series($1::int * 1000, $1::int * 1000 + 400) n
   join lateral (select * from destination order by slug offset n % 7 limit 1) d on true on conflict do nothing`,
  `update place set closed_at = now() where source_ref::int % 11 = $1::int % 11`,
  `update place set closed_at = null where source_ref::int % 23 = $1::int % 23`,
  `update place set verified_at = timestamptz '2026-01-08T00:00Z' + $1::int % 9 * interval '1 day' where source_ref::int % 13 = $1::int % 13`,
  `update place set destination_id = (select id from destination order by slug offset $1::int % 7 limit 1)
   where source_ref::int % 17 = $1::int % 17`,
  `delete from place where source_ref::int % 29 = $1::int % 29`,
];

test('the stored count equals a count of the rows after concurrent inserts, deletes and moves, however often it is merged', async () => {
  for (let round = 0; round < 12; round++) {
    const statements = CHANGES.map((change, at) => pool.unsafe(change, [round * CHANGES.length + at]));
    // Two that change the same places in another order may stop each other; then one of them has changed nothing.
    await Promise.allSettled(statements);
    if (round % 4 === 1)
      await pool`insert into place_tally select id, null, 0 from destination, generate_series(1, 200)`;
    await Promise.all([tallyPlaces(pool, SINCE), tallyPlaces(pool, SINCE)]);
    const counted = await pool<{ destination_id: string; places: number; verified: number }[]>`
      select destination_id, count(*)::int as places,
        (count(*) filter (where (verified_at at time zone 'UTC')::date > '2026-01-10'))::int as verified
      from place where closed_at is null group by 1`;
    const told = await tallyPlaces(pool, SINCE);
    assert.ok(counted.length > 0);
    for (const { destination_id, places, verified } of counted) {
      const tally = told.get(destination_id);
      assert.deepEqual([tally?.places, tally?.verified], [places, verified], destination_id);
      told.delete(destination_id);
    }
    assert.ok([...told.values()].every(({ places, verified }) => places === 0 && verified === 0));
  }
  const [{ lines } = { lines: 0 }] = await pool<
    { lines: number }[]
  >`select count(*)::int as lines from place_tally`;
  assert.ok(lines < 20_000, String(lines));
});
