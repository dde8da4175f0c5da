import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importMap } from './import-directory.ts';
import type { StoredHours } from '../../src/directory/hours/stored-hours.ts';
import { cafe, database, place, said } from './made-town.ts';

function hours(text: string, source: StoredHours['source']): StoredHours {
  return { text, source, observed_at: '2025-01-02T00:00:00Z', compiled: null };
}

test('what a reviewer let an agent add survives the next import of the map, and the map fills the rest', async () => {
  await importMap(database, '2025-01-01', { nodes: [cafe(1, 'Cafe Ada', { phone: '+376 802 000' })] });
  await said('node/1', 'agent', {
    name: 'Café Ada & Söhne',
    phone: '+376802999',
    website: 'https://ada.example',
    languages: ['ca', 'en'],
    hours: hours('Mo-Su 08:00-20:00', 'reviewer'),
  });
  const tags = { phone: '+376 802 111', website: 'https://map.example', opening_hours: 'Mo 09:00-10:00' };
  await importMap(database, '2025-02-01', {
    nodes: [cafe(1, 'Cafe Ada', { ...tags, email: 'map@ada.example' })],
  });
  const ada = await place('node/1');
  assert.deepEqual(
    [ada['name'], ada['phone'], ada['website'], ada['languages'], (ada['hours'] as { text: string }).text],
    ['Café Ada & Söhne', '+376802999', 'https://ada.example', ['ca', 'en'], 'Mo-Su 08:00-20:00'],
  );
  assert.equal(ada['email'], 'map@ada.example', 'nobody had submitted one');
});

test('what a venue set in its own area survives the next import of the map', async () => {
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
