import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyFieldClaims } from '../../src/directory/provenance/apply-field-claims.ts';
import { lockPlaceClaims, writePlaceClaims } from '../../src/directory/provenance/stored-claims.ts';
import type { FieldClaims } from '../../src/directory/provenance/field-claim.ts';
import { until } from '../harness/service/jobs.ts';
import { importMap } from './import-directory.ts';
import type { StoredHours } from '../../src/directory/hours/stored-hours.ts';
import { cafe, database, place, said } from './made-town.ts';

function hours(text: string, source: StoredHours['source']): StoredHours {
  return { text, source, observed_at: '2025-01-02T00:00:00Z', compiled: null };
}

test("an agent's value stays until the map publishes another one, and never replaces the map's", async () => {
  await importMap(database, '2025-01-01', { nodes: [cafe(1, 'Cafe Ada', { phone: '+376 802 000' })] });
  await said('node/1', 'agent', {
    name: 'Café Ada & Söhne',
    phone: '+376802999',
    website: 'https://ada.example',
    languages: ['ca', 'en'],
    hours: hours('Mo-Su 08:00-20:00', 'reviewer'),
  });
  const shown = async () => {
    const ada = await place('node/1');
    return [ada['name'], ada['phone'], ada['website'], ada['languages'], (ada['hours'] as StoredHours).text];
  };
  const filled = ['https://ada.example', ['ca', 'en'], 'Mo-Su 08:00-20:00'];
  assert.deepEqual(await shown(), ['Cafe Ada', '+376802000', ...filled]);
  await importMap(database, '2025-02-01', {
    nodes: [cafe(1, 'Cafe Ada', { phone: '+376 802 111', email: 'map@ada.example' })],
  });
  assert.deepEqual(await shown(), ['Cafe Ada', '+376802111', ...filled]);
  const tags = { website: 'https://map.example', opening_hours: 'Mo 09:00-10:00' };
  await importMap(database, '2025-03-01', { nodes: [cafe(1, 'Cafe Ada', tags)] });
  assert.deepEqual(
    await shown(),
    ['Cafe Ada', '+376802999', 'https://map.example', ['ca', 'en'], 'Mo 09:00-10:00'],
    'a number that the map no longer has lets that of the agent show',
  );
});

test('a value that a venue set in its own area survives the next import of the map', async () => {
  await importMap(database, '2025-01-01', { nodes: [cafe(1, 'Ada', { opening_hours: 'Mo 09:00-10:00' })] });
  await database.pool`update place set badge = 'claimed', listing_photo = ${`${'a'.repeat(64)}.jpg`}`;
  const booking_url = 'https://ada.example/book';
  await said('node/1', 'owner', {
    about: 'Since 1901',
    booking: { booking_method: 'venue_system', booking_url, booking_platform: null },
    hours: hours('Mo-Su 07:00-21:00', 'owner'),
  });
  await importMap(database, '2025-02-01', { nodes: [cafe(1, 'Ada', { opening_hours: 'Tu 09:00-10:00' })] });
  const ada = await place('node/1');
  assert.deepEqual(
    [ada['about'], ada['booking_method'], ada['booking_url'], ada['chosen_by_venue'], ada['badge']],
    ['Since 1901', 'venue_system', 'https://ada.example/book', true, 'claimed'],
  );
  assert.equal((ada['hours'] as { text: string }).text, 'Mo-Su 07:00-21:00');
  assert.equal(ada['listing_photo'], `${'a'.repeat(64)}.jpg`);
});

test("the venue's value of a field that no map fills is still the venue's after the next import", async () => {
  await importMap(database, '2025-01-01', { nodes: [cafe(1, 'Ada')] });
  await said('node/1', 'owner', { about: 'Since 1901' });
  await importMap(database, '2025-02-01', { nodes: [cafe(1, 'Ada', { phone: '+376 802 111' })] });
  const ada = await place('node/1');
  assert.deepEqual([ada['about'], ada['phone']], ['Since 1901', '+376802111']);
  assert.equal((ada['field_claims'] as FieldClaims).about?.[0]?.by, 'owner');
});

test('an edit of the map neither renames a claimed place nor changes its number', async () => {
  await importMap(database, '2025-01-01', { nodes: [cafe(1, 'Ada', { phone: '+376 802 000' })] });
  await database.pool`update place set badge = 'claimed'`;
  const vandal = { phone: '+376 899 999', website: 'https://map.example/', cuisine: 'cake' };
  await importMap(database, '2025-02-01', { nodes: [cafe(1, 'Hacked', vandal)] });
  const ada = await place('node/1');
  assert.deepEqual(
    [ada['name'], ada['phone'], ada['website'], ada['cuisine']],
    ['Ada', '+376802000', 'https://map.example/', ['cake']],
    'what was empty is filled, and what only maps know goes on',
  );
});

test('a value that is submitted while an import runs is not lost', async () => {
  const later = { nodes: [cafe(1, 'Ada', { phone: '+376 802 111' })] };
  await importMap(database, '2025-01-01', { nodes: [cafe(1, 'Ada', { phone: '+376 802 000' })] });
  let imported: Promise<unknown> = Promise.resolve();
  await database.pool.begin(async (tx) => {
    const [row] = await tx<{ id: string }[]>`select id from place`;
    const [ada] = await lockPlaceClaims(tx, [row?.id ?? '']);
    assert.ok(ada);
    imported = importMap(database, '2025-02-01', later);
    await until('the import waits for the place', async () => {
      const waiting = await database.pool`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return waiting.length > 0;
    });
    const venue = { by: 'owner', ref: 'venue', at: '2025-01-15T00:00:00.000Z', proof: 'claim' } as const;
    await writePlaceClaims(tx, new Date(), [
      applyFieldClaims(ada, { ...venue, values: { phone: '+376802999', about: 'Ours' } }),
    ]);
  });
  await imported;
  const ada = await place('node/1');
  assert.deepEqual([ada['phone'], ada['about']], ['+376802999', 'Ours']);
  await importMap(database, '2025-03-01', later);
  const { field_claims: claims } = await place('node/1');
  assert.deepEqual(
    (claims as FieldClaims).phone?.map(({ by, value }) => `${by} ${value ?? ''}`),
    ['owner +376802999', 'map +376802111'],
  );
  // The database refuses a displayed value that is not that of the first claim.
  await assert.rejects(
    database.pool`update place set phone = '+376802123' where source_ref = 'node/1'`,
    /place_shows_first_claim/,
  );
});

test('a submitted place without a position takes that of the map object with its name and number, and follows it', async () => {
  const id = 'plc_00000000000000000000000001';
  await database.pool`
    insert into place (id, destination_id, name, vertical, category, country, phone, source, source_ref)
    select ${id}, d.id, 'Cafe Ada', 'cafe', 'cafe', 'AD', '+376802000', 'submission', 'sub_1' from destination d`;
  const ada = (moved = 0) => {
    const node = cafe(1, 'Cafe Ada', { phone: '+376 802 000' });
    return { nodes: [{ ...node, lat: node.lat + moved }, cafe(2, 'Cafe Bea', { phone: '+376 802 111' })] };
  };
  await importMap(database, '2025-01-01', ada());
  const held = await place('sub_1');
  assert.deepEqual([held['lat'], held['lng']], [42.501, 1.5]);
  const filled = held['filled_by'] as Record<string, { ref: string }>;
  assert.equal(filled['position']?.ref, 'osm', 'the position is the map’s word, not the agent’s');
  const [count] = await database.pool`select count(*)::int as places from place`;
  assert.equal(count?.['places'], 2, 'the object is not a second place');
  await importMap(database, '2025-02-01', ada(0.0005));
  assert.equal((await place('sub_1'))['lat'], 42.5015);
});
