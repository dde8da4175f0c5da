import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { areasNamed } from '../../src/search/areas/area-names.ts';
import { buildIndex } from '../../src/search/build/build-index.ts';
import { searchIndex } from '../../src/search/query/search-index.ts';
import { OpenIndex } from '../../src/search/store/open-index.ts';
import { importMap, NOW, seconds } from './import-directory.ts';
import { database, place } from './made-town.ts';
import type { MadeMap, MadeNode, MadeRelation, MadeWay } from './readers/write-osm-pbf.ts';

type Ring = [lng: number, lat: number][];

/** A square as a ring, its first corner again at the end. */
function square(west: number, south: number, size: number): Ring {
  const [east, north] = [west + size, south + size];
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/** Written here anew, and not as the import does it: a ray to the east, edge by edge. */
function isInside(rings: readonly Ring[], { lat, lng }: { lat: number; lng: number }): boolean {
  let crossed = 0;
  for (const ring of rings)
    for (const [i, [x1, y1]] of ring.entries()) {
      const [x2, y2] = ring[i + 1] ?? [x1, y1];
      const isBeside = y1 <= lat ? y2 > lat : y2 <= lat;
      if (isBeside && lng < x1 + ((lat - y1) * (x2 - x1)) / (y2 - y1)) crossed++;
    }
  return crossed % 2 === 1;
}

/** A map that is drawn ring by ring, each in two ways, the second of them drawn backwards. */
class Drawing {
  readonly nodes: MadeNode[] = [];
  readonly ways: MadeWay[] = [];
  readonly relations: MadeRelation[] = [];
  #next = 1000;

  ring(ring: Ring): number[] {
    const refs = ring.slice(0, -1).map(([lng, lat]) => {
      this.nodes.push({ id: ++this.#next, lat, lng });
      return this.#next;
    });
    const first = { id: ++this.#next, refs: refs.slice(0, 3) };
    const second = { id: ++this.#next, refs: [refs[0] ?? 0, ...refs.slice(2).reverse()] };
    this.ways.push(first, second);
    return [first.id, second.id];
  }

  boundary(level: number, tags: Record<string, string>, outer: Ring[], inner: Ring[] = []): MadeRelation {
    const members = (rings: Ring[], role: string): MadeRelation['members'] =>
      rings.flatMap((ring) => this.ring(ring).map((way) => ['way', way, role] as const)) as never;
    const made: MadeRelation = {
      id: ++this.#next,
      members: [...members(outer, 'outer'), ...members(inner, 'inner')],
      tags: { type: 'boundary', boundary: 'administrative', admin_level: String(level), ...tags },
    };
    this.relations.push(made);
    return made;
  }

  get map(): MadeMap {
    return { nodes: this.nodes, ways: this.ways, relations: this.relations };
  }
}

/** The municipality, a quarter with a hole, one that has two parts, and one that the file cuts through. */
const CITY = [square(1.4, 42.4, 0.2)];
const RING = [square(1.42, 42.42, 0.06), square(1.44, 42.44, 0.02)];
const APART = [square(1.5, 42.42, 0.02), square(1.54, 42.42, 0.02)];
const CUT = [square(1.42, 42.54, 0.04)];
const CAFES: MadeNode[] = Array.from({ length: 22 * 22 }, (_, at) => ({
  id: at + 1,
  lat: 42.395 + 0.01 * Math.floor(at / 22) + 0.0003,
  lng: 1.395 + 0.01 * (at % 22) + 0.0004,
  tags: { amenity: 'cafe', name: `Café ${at + 1}` },
  changed: seconds('2024-12-01'),
}));

function drawn(): Drawing {
  const drawing = new Drawing();
  drawing.nodes.push(...CAFES);
  drawing.boundary(8, { name: 'Vila Gran', 'name:en': 'Greattown', 'name:ja': '大町' }, CITY);
  drawing.boundary(10, { name: 'L’Anell', 'name:en': 'The Ring' }, RING.slice(0, 1), RING.slice(1));
  const apart = drawing.boundary(10, { name: 'Les Dues' }, APART);
  apart.members.push(['node', 900, 'admin_centre']);
  const cut = drawing.boundary(10, { name: 'Tallat', 'name:en': 'Cutton' }, CUT);
  cut.members.push(['way', 999_999, 'outer'], ['node', 901, 'label']);
  drawing.nodes.push(
    { id: 900, lat: 42.43, lng: 1.51, tags: { place: 'suburb', name: 'Les Duess' } },
    { id: 901, lat: 42.56, lng: 1.44, tags: { place: 'suburb', name: 'Tallat' } },
    { id: 902, lat: 42.5, lng: 1.5, tags: { place: 'village', name: 'Poblet', 'name:ru': 'Поблет' } },
    // In the municipality of its own name a point is that municipality.
    { id: 903, lat: 42.58, lng: 1.58, tags: { place: 'town', name: 'Vila Gran' } },
    // Nearer to some cafés of the municipality, but outside of it.
    { id: 904, lat: 42.5, lng: 1.605, tags: { place: 'village', name: 'Forana' } },
  );
  return drawing;
}

async function withIndex(
  use: (found: (area: string, scoped?: boolean) => Set<string>, index: OpenIndex) => void,
) {
  const [build] = await database.pool<{ id: string }[]>`insert into index_build default values returning id`;
  const file = join(tmpdir(), `waypost-areas-${process.pid}-${build?.id ?? ''}.mdb`);
  const nowMs = NOW.getTime();
  const databaseUrl = database.url;
  await buildIndex({ databaseUrl, file, buildId: build?.id ?? '', nowMs, verifiedSinceMs: 0 });
  const index = new OpenIndex(file);
  try {
    const found = (area: string, scoped = true) => {
      const names = new Set<string>();
      const destination = scoped ? 1 : undefined;
      for (let after; ;) {
        const { hits, next } = searchIndex(index, { area, destination, limit: 50, after }, NOW);
        for (const { place: hit } of hits) names.add(hit.described.name);
        if (next === undefined) return names;
        after = next;
      }
    };
    use(found, index);
  } finally {
    await index.close();
    await rm(file, { force: true });
    await rm(`${file}-lock`, { force: true });
  }
}

function cafesIn(rings: readonly Ring[]): Set<string> {
  return new Set(CAFES.filter((cafe) => isInside(rings, cafe)).map(({ tags }) => tags?.['name'] ?? ''));
}

test('all that lies in an area is found by any of its names, and nothing else', async () => {
  await importMap(database, '2025-01-01', drawn().map);
  await withIndex((found, index) => {
    const areas: [Ring[], string[]][] = [
      [CITY, ['Vila Gran', 'vila-gran', 'VILAGRAN', 'Greattown', '大町']],
      [RING, ['L’Anell', "l'anell", 'The Ring', 'ring']],
      // The point that the boundary calls its centre stands for it, under a name of its own.
      [APART, ['Les Dues', 'dues', 'Les Duess']],
    ];
    for (const [rings, names] of areas) {
      const inside = cafesIn(rings);
      assert.ok(inside.size >= 8, String(inside.size));
      for (const name of names) {
        assert.deepEqual(found(name), inside, name);
        assert.deepEqual(found(name, false), inside, name);
      }
    }
    assert.deepEqual(areasNamed(index, 'Поблет', 1), ['poblet']);
    assert.deepEqual(areasNamed(index, 'Nowhere', 1), []);
  });
});

test('without a boundary the nearest settlement in the same municipality gives the area, as far as its name carries', async () => {
  await importMap(database, '2025-01-01', drawn().map);
  const areasOf = async (lat: number, lng: number) => {
    const near = CAFES.find((cafe) => Math.abs(cafe.lat - lat) < 0.005 && Math.abs(cafe.lng - lng) < 0.005);
    const { area, areas } = await place(`node/${near?.id ?? 0}`);
    return { area, areas };
  };
  assert.deepEqual(await areasOf(42.505, 1.505), { area: 'Poblet', areas: ['Poblet', 'Vila Gran'] });
  // Of a boundary that the file cuts through its point is what is known.
  assert.deepEqual(await areasOf(42.565, 1.445), { area: 'Tallat', areas: ['Tallat', 'Vila Gran'] });
  assert.deepEqual(await areasOf(42.575, 1.575), { area: 'Vila Gran', areas: ['Vila Gran'] });
  assert.deepEqual(await areasOf(42.505, 1.595), { area: 'Vila Gran', areas: ['Vila Gran'] });
  assert.deepEqual(await areasOf(42.505, 1.605), { area: 'Forana', areas: ['Forana'] });
});

test('a town gives its name only where none beyond the edge of the map can be nearer', async () => {
  const towns = [
    { id: 700, lat: 42.5, lng: 1.5, tags: { place: 'city', name: 'Gran', population: '900000' } },
    { id: 701, lat: 42.52, lng: 1.52, tags: { place: 'city', name: 'Petita', population: '20000' } },
    { id: 702, lat: 42.42, lng: 1.42, tags: { place: 'town', name: 'Vila' } },
  ];
  const spots = [42.521, 42.535, 42.421, 42.405];
  const bars = spots.map((lat, at) => ({
    ...{ id: 710 + at, lat, lng: lat > 42.5 ? 1.52 : 1.42 },
    tags: { amenity: 'bar', name: `Bar ${at}` },
  }));
  const box = { west: 1.4, south: 42.4, east: 1.6, north: 42.54 };
  await importMap(database, '2025-01-01', { nodes: [...towns, ...bars], box });
  assert.deepEqual((await place('node/710'))['areas'], ['Petita', 'Gran']);
  // This one is 1.7 km from the town, and half a kilometre from the edge.
  assert.deepEqual((await place('node/711'))['areas'], ['Gran']);
  assert.equal((await place('node/712'))['area'], 'Vila');
  assert.notEqual((await place('node/713'))['area'], 'Vila');
});

test('an area of the address is one of its own, unless its shape says that the place lies elsewhere', async () => {
  const drawing = drawn();
  for (const [at, suburb] of [
    [0, 'Les Dues'],
    [1, 'Barri Nou'],
  ] as const)
    drawing.nodes.push({
      id: 800 + at,
      lat: 42.45 + at / 1000,
      lng: 1.425,
      tags: { amenity: 'bar', name: `Bar ${at}`, 'addr:suburb': suburb },
    });
  await importMap(database, '2025-01-01', drawing.map);
  const [wrong, own] = [await place('node/800'), await place('node/801')];
  assert.deepEqual([wrong['area'], wrong['areas']], ['Les Dues', ['L’Anell', 'Vila Gran']]);
  assert.deepEqual([own['area'], own['areas']], ['Barri Nou', ['Barri Nou', 'L’Anell', 'Vila Gran']]);
});

test('the city of an address is an area of the place where the map has that city as a point only', async () => {
  const drawing = drawn();
  drawing.nodes.push({ id: 905, lat: 42.41, lng: 1.41, tags: { place: 'suburb', name: '千代田区' } });
  for (const [at, city] of ['千代田区', 'Les Dues', 'Elsewhere'].entries())
    drawing.nodes.push({
      ...{ id: 810 + at, lat: 42.595 + at / 10_000, lng: 1.595 },
      tags: { amenity: 'bar', name: `Bar ${at}`, 'addr:city': city },
    });
  await importMap(database, '2025-01-01', drawing.map);
  assert.deepEqual((await place('node/810'))['areas'], ['Vila Gran', '千代田区']);
  // This one has a shape, which does not contain the place, and the last is unknown.
  assert.deepEqual((await place('node/811'))['areas'], ['Vila Gran']);
  assert.deepEqual((await place('node/812'))['areas'], ['Vila Gran']);
});

test('the same file again writes no area, and a part of it leaves the areas of the rest as they are', async () => {
  const state = async () => {
    const [row] = await database.pool<{ state: string }[]>`
      select (select jsonb_agg(to_jsonb(a) order by source_ref) from area a)::text
        || (select jsonb_agg(jsonb_build_object('ref', source_ref, 'areas', areas) order by source_ref) from place)::text as state`;
    return row?.state;
  };
  const { map } = drawn();
  await importMap(database, '2025-01-01', map);
  const before = await state();
  const again = await importMap(database, '2025-01-01', map);
  assert.deepEqual([again.updated, await state()], [0, before]);
  const part = await importMap(database, '2025-01-02', { nodes: CAFES.slice(0, 300) });
  assert.deepEqual([part.updated, await state()], [0, before]);
});

test('an area that is gone from a newer file is gone from its places', async () => {
  await importMap(database, '2025-01-01', drawn().map);
  const drawing = drawn();
  const kept = drawing.relations.filter(({ tags }) => tags?.['name'] !== 'L’Anell');
  await importMap(database, '2025-01-02', { ...drawing.map, relations: kept });
  const [gone] = await database.pool<{ areas: number; places: number }[]>`
    select (select count(*)::int from area where name = 'L’Anell') as areas,
      (select count(*)::int from place where 'L’Anell' = any(areas)) as places`;
  assert.deepEqual({ ...gone }, { areas: 0, places: 0 });
});

test('destinations are made by size: a city keeps its islets and its places, a village beyond gets its own, and what lies outside is told', async () => {
  await database.pool`delete from destination`;
  const drawing = new Drawing();
  const coast = drawing.boundary(8, { name: 'Port' }, [square(10, 50, 0.2)]);
  coast.members.push(['node', 950, 'label']);
  drawing.nodes.push(
    { id: 950, lat: 50.1, lng: 10.1, tags: { place: 'city', name: 'Port', population: '300000' } },
    { id: 951, lat: 50.11, lng: 10.11, tags: { place: 'island', name: 'Rock' } },
    { id: 952, lat: 50.12, lng: 10.31, tags: { place: 'village', name: 'Beyond' } },
    { id: 1, lat: 50.1101, lng: 10.1101, tags: { amenity: 'cafe', name: 'On the rock' } },
    { id: 2, lat: 50.19, lng: 10.19, tags: { amenity: 'cafe', name: 'In the corner' } },
    { id: 3, lat: 50.12, lng: 10.3, tags: { amenity: 'cafe', name: 'In the village' } },
    { id: 4, lat: 50.12, lng: 10.4, tags: { amenity: 'cafe', name: 'Outside' } },
    // No place is near this one.
    { id: 953, lat: 50.12, lng: 10.6, tags: { place: 'village', name: 'Empty' } },
  );
  const report = await importMap(database, '2025-01-01', drawing.map, { autoDestinations: true });
  assert.deepEqual([report.destinations, report.added, report.outside], [2, 3, 1]);
  assert.deepEqual(report.outsideNear, [{ name: 'Beyond', places: 1 }]);
  const rows = await database.pool<{ slug: string; outlined: boolean }[]>`
    select slug, outline is not null as outlined from destination order by slug`;
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      { slug: 'beyond', outlined: false },
      { slug: 'port', outlined: true },
    ],
  );
});

test('objects that the file repeats count once, as their last version, and so does an award under two keys', async () => {
  await database.pool`delete from destination`;
  const drawing = new Drawing();
  const coast = drawing.boundary(8, { name: 'Port' }, [square(10, 50, 0.2)]);
  coast.members.push(['node', 950, 'label']);
  const quarter = drawing.boundary(10, { name: 'Quay' }, [square(10.04, 50.04, 0.04)]);
  drawing.nodes.push(
    { id: 950, lat: 50.1, lng: 10.1, tags: { place: 'town', name: 'Port' } },
    { id: 1, lat: 50.05, lng: 10.05, tags: { amenity: 'cafe', name: 'On the quay' } },
  );
  const award = { award: 'Best Cake', awards: 'Best Cake', 'award:source': 'https://cake.example/2024' };
  const sourced = { ...award, 'awards:source': 'https://cake.example/2024' };
  const { nodes, ways, relations } = drawing;
  const report = await importMap(
    database,
    '2025-01-01',
    {
      nodes: [
        ...nodes,
        { id: 1, lat: 50.05, lng: 10.05, tags: { amenity: 'cafe', name: 'Later', ...sourced } },
      ],
      ways: [...ways, ...ways],
      relations: [
        ...relations,
        coast,
        { ...quarter, tags: { ...quarter.tags, name: 'Old Quay' } },
        { ...quarter, tags: { ...quarter.tags, name: 'New Quay' } },
      ],
    },
    { autoDestinations: true },
  );
  assert.deepEqual([report.destinations, report.added], [1, 1]);
  const areas = await database.pool<{ name: string }[]>`select name from area order by name`;
  assert.deepEqual(
    areas.map(({ name }) => name),
    ['New Quay', 'Port'],
  );
  const [stored] = await database.pool<{ name: string; areas: string[]; awards: string[] }[]>`
    select name, areas, array(select title from accolade where place_id = place.id) as awards from place`;
  assert.deepEqual({ ...stored }, { name: 'Later', areas: ['New Quay', 'Port'], awards: ['Best Cake'] });
});
