import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classify } from '../../../src/import/categories.ts';
import { closedByName } from '../../../src/import/tags/closed-by-name.ts';

const EXTRACT = new Date('2024-03-04T00:00:00Z');

function said(tags: Record<string, string>, asOf: Date | null = EXTRACT): string | null {
  const all = new Map(Object.entries({ amenity: 'restaurant', name: 'Chez Ada', ...tags }));
  const match = classify(all);
  assert.ok(match);
  return closedByName(all, match, asOf);
}

test('A name that says so is the map’s word that the place has closed.', () => {
  for (const name of [
    'Chez Ada (closed)',
    'Chez Ada [CLOSED]',
    'CLOSED - Chez Ada',
    'Closed: Chez Ada',
    'Chez Ada - closed',
    'Chez Ada CLOSED',
    'Chez Ada (closed since 2021)',
    'Chez Ada permanently closed',
    'Chez Ada (fermé)',
    'Chez Ada fermé définitivement',
    'Hirschen (geschlossen)',
    'Hirschen - dauerhaft geschlossen',
    'Casa Ada (cerrado permanentemente)',
    'Casa Ada (chiuso)',
    'さくら食堂（閉店）',
    'さくら食堂 閉店',
    'Столовая (закрыто)',
    'Warung Ada (tutup)',
  ]) {
    assert.equal(said({ name }), `Called closed in the map: its name there is “${name}”.`, name);
  }
  assert.match(said({ 'name:en': 'Ada’s (closed)' }) ?? '', /“Ada’s \(closed\)”/);
});

test('A bar may be called Closed, and what passes is no closure.', () => {
  for (const name of [
    'Closed',
    'CLOSED',
    'The Closed Door',
    'Closed Loop Coffee',
    'Geschlossene Gesellschaft',
    'La Ferme',
    'Auberge (ferme)',
    'Parque do Cerrado',
    'Hotel Del Clos',
    'Chez Ada (closed on Mondays)',
    'Chez Ada (temporarily closed)',
    'Hirschen - vorübergehend geschlossen',
    'Kapalı Çarşı',
    'CLOSED OUTLET CLOSED',
  ]) {
    assert.equal(said({ name }), null, name);
  }
  assert.equal(said({ name: 'Closed - Berlin Mitte', shop: 'clothes', brand: 'Closed' }), null);
});

test('Hours that never open close a place, and a day off does not.', () => {
  for (const opening_hours of ['closed', 'off', '24/7 off', 'Mo-Su,PH closed', 'off "permanently closed"']) {
    assert.equal(said({ opening_hours }), `Called closed in the map: opening_hours=${opening_hours}.`);
  }
  for (const opening_hours of [
    'Mo off',
    'Mo-Fr 09:00-17:00; PH off',
    'off "renovation"',
    'Nov-Mar off',
    '24/7',
  ])
    assert.equal(said({ opening_hours }), null, opening_hours);
});

test('An end that lies before the date of the map closes a place, and a later or vague one does not.', () => {
  for (const end_date of ['2023', '2024-02', '2024-03-03'])
    assert.equal(said({ end_date }), `Called closed in the map: end_date=${end_date}.`);
  for (const end_date of ['2024', '2024-03', '2024-03-04', '2031-01-01', 'before 2020', '~1990'])
    assert.equal(said({ end_date }), null, end_date);
  assert.equal(said({ end_date: '2001' }, null), null);
});

test('A sight without doors is there though nobody lets visitors in; a museum is not.', () => {
  const ruin = { amenity: '', historic: 'ruins', opening_hours: 'closed', end_date: '1499' };
  assert.equal(said(ruin), null);
  assert.match(
    said({ amenity: '', tourism: 'museum', opening_hours: 'closed' }) ?? '',
    /opening_hours=closed/,
  );
});
