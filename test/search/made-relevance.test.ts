import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { importMap } from '../import/import-directory.ts';
import type { MadeNode } from '../import/readers/write-osm-pbf.ts';
import { createTestDatabase } from '../harness/service/database.ts';
import { signUpAgent, startTestService } from '../harness/service/service.ts';
import { KINDS } from './judged-queries.ts';

// A town of invented places, so that every kind of judged search is asked on every machine. The searches of
// relevance.long.test.ts are about real towns and need their maps.
const [LAT, LNG] = [43.735, 7.421];

/** Fifty metres apart each, so that no two could be one place. */
const made = (tags: Record<string, string>, at: number): MadeNode => ({
  id: at + 1,
  lat: LAT + Math.floor(at / 6) * 0.0005,
  lng: LNG + (at % 6) * 0.0008,
  tags,
});

const OLD_HARBOUR = { 'addr:suburb': 'Vieux Bassin' };
const PLACES: readonly Record<string, string>[] = [
  { amenity: 'cafe', name: 'Café des Trois Horloges' },
  { amenity: 'cafe', name: 'Café du Phare' },
  {
    tourism: 'museum',
    name: 'Musée des Automates',
    'name:en': 'Museum of Automata',
    'name:ru': 'Музей автоматов',
  },
  { tourism: 'museum', name: 'Musée du Sel', 'name:en': 'Salt Museum' },
  { amenity: 'restaurant', cuisine: 'sushi;japanese', name: 'Hoshizora' },
  { amenity: 'restaurant', cuisine: 'sushi', name: 'Maki & Moi' },
  { amenity: 'restaurant', cuisine: 'italian', name: 'Trattoria Bellachioma' },
  { amenity: 'restaurant', cuisine: 'indian', name: 'Lotus de Pondichéry' },
  { amenity: 'pharmacy', name: 'Pharmacie Saint-Elme' },
  { amenity: 'pharmacy', name: 'Pharmacie de la Gare' },
  { tourism: 'hotel', name: 'Hôtel Miramonde' },
  { tourism: 'hotel', name: 'Hôtel du Bassin', ...OLD_HARBOUR },
  { amenity: 'bar', name: 'Le Cormoran', ...OLD_HARBOUR },
  { shop: 'hairdresser', name: 'Atelier Mèche' },
];

interface Card {
  name: string;
  category: string;
  cuisine: string[];
}

interface Asked {
  kind: (typeof KINDS)[number];
  search: Record<string, string>;
  /** The place that must come first (`first`), or a rule for every result (`every`). */
  first?: string;
  every?: (card: Card) => boolean;
}

const ASKED: readonly Asked[] = [
  { kind: 'exact name', search: { q: 'Café des Trois Horloges' }, first: 'Café des Trois Horloges' },
  { kind: 'partial name', search: { q: 'miramonde' }, first: 'Hôtel Miramonde' },
  { kind: 'typo', search: { q: 'tratoria belachioma' }, first: 'Trattoria Bellachioma' },
  { kind: 'other script', search: { q: 'Музей автоматов' }, first: 'Musée des Automates' },
  { kind: 'other language', search: { q: 'salt museum' }, first: 'Musée du Sel' },
  { kind: 'category word', search: { q: 'pharmacy' }, every: ({ category }) => category === 'pharmacy' },
  { kind: 'cuisine', search: { q: 'sushi' }, every: ({ cuisine }) => cuisine.includes('sushi') },
  { kind: 'area word', search: { q: 'hotel vieux bassin' }, first: 'Hôtel du Bassin' },
  { kind: 'city by another name', search: { q: 'hoshizora', city: 'Monte-Carlo' }, first: 'Hoshizora' },
  { kind: 'name and place together', search: { q: 'le cormoran monaco', city: '' }, first: 'Le Cormoran' },
];

const database = await createTestDatabase();
const report = await importMap(database, '2025-01-01', { nodes: PLACES.map(made) });
const service = await startTestService({ database });
after(async () => {
  await service.close();
  await database.drop();
});
const authorization = `Bearer ${(await signUpAgent(service)).apiKey}`;

test('every place of the town comes in', () => {
  assert.equal(report.added, PLACES.length);
});

test('every kind of judged search is asked', () => {
  assert.deepEqual([...new Set(ASKED.map(({ kind }) => kind))], [...KINDS]);
});

for (const { kind, search, first, every } of ASKED) {
  test(`${kind}: ${JSON.stringify(search)} finds ${first ?? 'only what it asks for'}`, async () => {
    const { city = 'monaco', ...words } = search;
    const query = new URLSearchParams({ ...words, ...(city !== '' && { city }), limit: '3' });
    const response = await service.request(`/api/agent/search?${query.toString()}`, {
      headers: { authorization },
    });
    assert.equal(response.status, 200);
    const { places } = (await response.json()) as { places: Card[] };
    const names = places.map(({ name }) => name).join(', ') || 'nothing';
    if (first !== undefined) assert.equal(places[0]?.name, first, names);
    else assert.ok(places.length > 1 && places.every((card) => every?.(card)), names);
  });
}
