import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addStaff } from '../../src/accounts/staff/staff.ts';
import { createNewId } from '../../src/core/ids.ts';
import { findMergedInto, mergePlaces } from '../../src/directory/place/merge-places.ts';
import { applyFieldClaims, withdrawClaims } from '../../src/directory/provenance/apply-field-claims.ts';
import { lockPlaceClaims, writePlaceClaims } from '../../src/directory/provenance/stored-claims.ts';
import { venueContacts } from '../../src/venue/contact.ts';
import { createTestDatabase } from '../harness/service/database.ts';
import { importMap, NOW } from '../import/import-directory.ts';
import type { MadeNode } from '../import/readers/write-osm-pbf.ts';

const database = await createTestDatabase();
const { pool } = database;
after(() => database.drop());

const NODES: MadeNode[] = ['Zanzibarina', 'Zanzibarina bis', 'Béatrice'].map((name, at) => ({
  id: at + 1,
  lat: 43.7396 + at / 10_000,
  lng: 7.4272,
  tags: { amenity: 'cafe', name },
}));

async function idOf(name: string): Promise<string> {
  const [row] = await pool<{ id: string }[]>`select id from place where name = ${name}`;
  assert.ok(row, name);
  return row.id;
}

test('merged places stay merged when the map is read again, and their ids redirect, over two merges', async () => {
  await importMap(database, '2025-01-01', { nodes: NODES });
  await addStaff(pool, createNewId({ now: () => NOW }), NOW, {
    email: 'a@staff.example',
    role: 'reviewer',
    password: 'a long password',
  });
  const [staff] = await pool<{ id: string }[]>`select id from staff`;
  assert.ok(staff);
  const [first, second, third] = [
    await idOf('Zanzibarina'),
    await idOf('Zanzibarina bis'),
    await idOf('Béatrice'),
  ];
  const merge = (placeId: string, mergedId: string) =>
    pool.begin((tx) => mergePlaces(tx, NOW, { placeId, mergedId, staffId: staff.id }));
  assert.equal(await merge(second, third), 'merged');
  assert.equal(await merge(first, second), 'merged');
  assert.equal(await merge(first, second), 'not_found');
  assert.equal(await merge(first, first), 'same_place');
  const report = await importMap(database, '2025-02-01', { nodes: NODES });
  const names = await pool<{ name: string }[]>`select name from place where closed_at is null order by name`;
  assert.deepEqual(
    names.map(({ name }) => name),
    ['Zanzibarina'],
  );
  assert.equal(report.added, 0);
  assert.equal(await findMergedInto(pool, third), first);
  assert.equal(await findMergedInto(pool, second), first);
});

test('of two records that become one, a published contact stays the one by which the venue is asked', async () => {
  const nodes: MadeNode[] = ['Pinar', 'Olmo', 'Fresno'].map((name, at) => ({
    id: at + 11,
    lat: 43.7399 + at / 1_000,
    lng: 7.4282,
    tags: { amenity: 'cafe', name, phone: `+377 97 70 00 0${at}` },
  }));
  await importMap(database, '2025-03-01', { nodes });
  const [staff] = await pool<{ id: string }[]>`select id from staff`;
  assert.ok(staff);
  const [submitted, published, same] = [await idOf('Pinar'), await idOf('Olmo'), await idOf('Fresno')];
  const submit = (id: string, phone: string) =>
    pool.begin(async (tx) => {
      const agent = { by: 'agent', ref: 'sub_x', at: NOW.toISOString(), proof: 'reviewed:stf_x' } as const;
      const places = await lockPlaceClaims(tx, [id]);
      await writePlaceClaims(
        tx,
        NOW,
        // Nobody published a number for this one.
        places.map((one) =>
          applyFieldClaims(withdrawClaims(one, 'osm', ['phone']), { ...agent, values: { phone } }),
        ),
      );
    });
  const merge = (placeId: string, mergedId: string) =>
    pool.begin((tx) => mergePlaces(tx, NOW, { placeId, mergedId, staffId: staff.id }));
  await submit(submitted, '+37797709999');
  await merge(submitted, published);
  const after = async () => {
    const [row] = await pool<{ phone: string }[]>`select phone from place where id = ${submitted}`;
    return [row?.phone, (await venueContacts(pool, submitted)).phone];
  };
  assert.deepEqual(await after(), ['+37797700001', '+37797700001']);
  await submit(submitted, '+37797700002');
  await merge(submitted, same);
  assert.deepEqual(await after(), ['+37797700001', '+37797700001'], 'the contact that was published first');
});
