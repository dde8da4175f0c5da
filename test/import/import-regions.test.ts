import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renewHours } from '../../src/directory/hours/renew-hours.ts';
import { importMap, seconds } from './import-directory.ts';
import { addDestination, database, place } from './made-town.ts';
import type { MadeMap, MadeNode } from './readers/write-osm-pbf.ts';

const HOURS = 'Mo-Su 09:00-17:00; PH off';

function cafe(id: number, lng: number, lat = 48.1, text = HOURS): MadeNode {
  const tags = { amenity: 'cafe', name: `Café ${id}`, opening_hours: text };
  return { id, lat, lng, tags, changed: seconds('2024-12-01') };
}

/** A province as a square, drawn by one way. */
function province(
  id: number,
  west: number,
  south: number,
  size: number,
  tags: Record<string, string>,
): MadeMap {
  const corners = [
    [west, south],
    [west + size, south],
    [west + size, south + size],
    [west, south + size],
  ] as const;
  const nodes = corners.map(([lng, lat], at) => ({ id: id * 10 + at, lat, lng }));
  const refs = [...nodes, nodes[0]].map((node) => node?.id ?? 0);
  return {
    nodes,
    ways: [{ id, refs }],
    relations: [
      {
        id,
        members: [['way', id, 'outer']],
        tags: { type: 'boundary', boundary: 'administrative', ...tags },
      },
    ],
  };
}

function joined(...maps: MadeMap[]): MadeMap {
  return {
    nodes: maps.flatMap(({ nodes = [] }) => nodes),
    ways: maps.flatMap(({ ways = [] }) => ways),
    relations: maps.flatMap(({ relations = [] }) => relations),
  };
}

interface Stored {
  regions: string[];
  areas: string[];
  area: string | null;
  hours: { compiled: { exceptions?: Record<string, unknown> } };
}
const stored = async (id: number) => (await place(`node/${id}`)) as unknown as Stored;
/** Days from a list on which a place is closed other than usually. */
const closedOn = async (id: number, days: readonly string[]) => {
  const { exceptions = {} } = (await stored(id)).hours.compiled;
  return days.filter((day) => day in exceptions);
};

const BAVARIA = province(500, 11, 48, 0.5, { admin_level: '4', name: 'Bayern', 'ISO3166-2': 'DE-BY' });
const CAFES = { nodes: [cafe(1, 11.2), cafe(2, 11.8)] };
// Epiphany is a holiday in Bavaria and not in all of Germany; New Year's Day is one everywhere.
const DAYS = ['2026-01-01', '2026-01-06'];

test('a place has the holidays of the province whose boundary it lies in', async () => {
  await addDestination('muenchen', { west: 11, south: 48, east: 12, north: 49 });
  await importMap(database, '2025-01-01', joined(BAVARIA, CAFES));
  assert.deepEqual(await closedOn(1, DAYS), DAYS);
  assert.deepEqual(await closedOn(2, DAYS), DAYS.slice(0, 1));
  const { regions, areas, area } = await stored(1);
  // People search in Bavaria, but it does not say where in the town a place is.
  assert.deepEqual([regions, areas, area], [['DE-BY'], ['Bayern'], null]);
  assert.deepEqual([(await stored(2)).regions, (await stored(2)).areas], [[], []]);
});

test('hours that are worked out anew keep the holidays of the province', async () => {
  await addDestination('muenchen', { west: 11, south: 48, east: 12, north: 49 });
  await importMap(database, '2025-01-01', joined(BAVARIA, CAFES));
  assert.equal(await renewHours(database.pool, new Date('2026-03-01T12:00:00Z')), 2);
  assert.deepEqual(await closedOn(1, ['2027-01-06']), ['2027-01-06']);
  assert.deepEqual(await closedOn(2, ['2027-01-06']), []);
});

test('a later file without the boundary forgets nothing, and one that brings it mends the hours', async () => {
  await addDestination('muenchen', { west: 11, south: 48, east: 12, north: 49 });
  await importMap(database, '2025-01-01', CAFES);
  assert.deepEqual(await closedOn(1, DAYS), DAYS.slice(0, 1));
  const mended = await importMap(database, '2025-01-02', joined(BAVARIA, CAFES));
  assert.deepEqual([mended.updated, await closedOn(1, DAYS)], [1, DAYS]);
  const nodes = CAFES.nodes.map((node) => cafe(node.id, node.lng, 48.1, `${HOURS}; Dec 24 off`));
  await importMap(database, '2025-01-03', { nodes });
  assert.deepEqual(await closedOn(1, DAYS), DAYS);
  const again = await importMap(database, '2025-01-03', { nodes });
  assert.equal(again.updated, 0);
});

test('where a province of a region has a day of its own, both are known', async () => {
  // Alsace keeps the day after Christmas; the rest of its region does not.
  await addDestination('strasbourg', { west: 7, south: 48, east: 8, north: 49 });
  const region = province(600, 7, 48.2, 0.7, { admin_level: '4', name: 'Grand Est', 'ISO3166-2': 'FR-GES' });
  const alsace = province(700, 7.4, 48.3, 0.3, { admin_level: '6', name: 'Bas-Rhin', 'ISO3166-2': 'FR-67' });
  const nodes = [cafe(1, 7.45, 48.5), cafe(2, 7.1, 48.5)];
  await importMap(database, '2025-01-01', joined(region, alsace, { nodes }));
  assert.deepEqual([(await stored(1)).regions, (await stored(2)).regions], [['FR-GES', 'FR-67'], ['FR-GES']]);
  const days = ['2025-12-25', '2025-12-26'];
  assert.deepEqual([await closedOn(1, days), await closedOn(2, days)], [days, days.slice(0, 1)]);
});
