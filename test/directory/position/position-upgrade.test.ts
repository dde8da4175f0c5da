import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { createTestDatabase } from '../../harness/service/database.ts';

const FOLDER = new URL('../../../migrations/', import.meta.url);
const MIGRATION = '0056_no_position.sql';

const database = await createTestDatabase('template0');
const { pool } = database;
after(() => database.drop());

test('an upgrade takes away positions that were the middle of a town, and leaves all others as they are', async () => {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).sort();
  for (const file of files.filter((one) => one < MIGRATION))
    await pool.unsafe(await readFile(new URL(file, FOLDER), 'utf8'));
  await pool`
    insert into destination (id, slug, name, country, timezone, lat, lng, west, south, east, north)
    values ('dst_00000000000000000000000000', 'town', 'Town', 'AD', 'Europe/Andorra', 42.5, 1.5, 1, 42, 2, 43)`;
  await pool`
    insert into place (id, destination_id, name, vertical, category, country, lat, lng, position_known, source, source_ref)
    values ('plc_00000000000000000000000001', 'dst_00000000000000000000000000', 'Ada', 'cafe', 'cafe', 'AD', 42.5, 1.5, false, 'submission', 'sub_1'),
           ('plc_00000000000000000000000002', 'dst_00000000000000000000000000', 'Bea', 'cafe', 'cafe', 'AD', 42.6, 1.6, true, 'submission', 'sub_2')`;
  await pool.unsafe(await readFile(new URL(MIGRATION, FOLDER), 'utf8'));
  const places = await pool<{ name: string; lat: number | null; lng: number | null }[]>`
    select name, lat, lng from place order by name`;
  assert.deepEqual(
    places.map(({ name, lat, lng }) => [name, lat, lng]),
    [
      ['Ada', null, null],
      ['Bea', 42.6, 1.6],
    ],
  );
});
