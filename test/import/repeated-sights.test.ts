import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importMap, seconds } from './import-directory.ts';
import { database, place, townOf } from './made-town.ts';
import type { MadeNode } from './readers/write-osm-pbf.ts';

function museum(id: number, lat: number, tags: Record<string, string> = {}): MadeNode {
  return {
    id,
    lat,
    lng: 1.5,
    tags: { tourism: 'museum', name: 'Museu de la Moto', ...tags },
    changed: seconds('2024-11-01'),
  };
}

const prominence = async (ref: string) => Number((await place(ref))['prominence']);

test('of two sights with one name a kilometre apart the less known one stands behind', async () => {
  await importMap(database, '2025-01-01', {
    nodes: townOf(
      museum(1, 42.5, { wikidata: 'Q1', wikipedia: 'ca:Museu de la Moto' }),
      museum(2, 42.51),
      museum(3, 42.51, { name: 'Museu del Tabac' }),
      museum(4, 42.9),
    ),
  });
  const [known = 0, near = 0, other = 0, far = 0] = await Promise.all(
    ['node/1', 'node/2', 'node/3', 'node/4'].map((ref) => prominence(ref)),
  );
  assert.ok(known > other, `${known} > ${other}`);
  assert.equal(near, Math.floor(far / 4));
});

test('each further museum of a town stands two parts in a hundred lower, at most thirty', async () => {
  const museums = Array.from({ length: 40 }, (_, index) =>
    museum(index + 1, 42.5 + index / 10_000, {
      ...{ name: `Museu ${String.fromCodePoint(0x4e00 + index)}`, heritage: '1' },
      ...{ wikidata: `Q${index + 1}`, wikipedia: `ca:Museu ${index + 1}` },
    }),
  );
  await importMap(database, '2025-01-01', { nodes: townOf(...museums) });
  const points = await database.pool<{ prominence: number }[]>`
    select prominence from place where category = 'museum' order by prominence desc`;
  const seen = points.map((row) => row.prominence);
  const [first] = seen;
  assert.ok(first !== undefined && first >= 40, `${first}`);
  assert.deepEqual(
    seen,
    museums.map((_, index) => first - Math.floor((first * Math.min(30, 2 * index)) / 100)),
  );
});

test('a resort does not pass the better known hotels of its town', async () => {
  const lodging = (id: number, tags: Record<string, string>): MadeNode => ({
    ...museum(id, 42.5 + id / 100, {}),
    tags,
  });
  const hotels = Array.from({ length: 20 }, (_, at) =>
    lodging(at + 1, {
      ...{ tourism: 'hotel', name: `Hotel ${String.fromCodePoint(0x4e00 + at)}` },
      ...{ stars: '5', website: 'https://hotel.example' },
    }),
  );
  await importMap(database, '2025-01-01', {
    nodes: townOf(
      ...hotels,
      lodging(21, { leisure: 'resort', name: 'Vall Resort', website: 'https://resort.example' }),
    ),
  });
  const names = await database.pool<{ name: string; prominence: number }[]>`
    select name, prominence from place where vertical = 'hotel' order by prominence desc, name`;
  assert.equal(names.length, 21);
  assert.equal(names.at(-1)?.name, 'Vall Resort', JSON.stringify(names));
});

test('of the sectors of a ski resort one stands for all, before a resort of one sector', async () => {
  const sector = (id: number, name: string): MadeNode => ({
    ...museum(id, 42.4 + id / 10, { name }),
    tags: { landuse: 'winter_sports', name },
  });
  await importMap(database, '2025-01-01', {
    nodes: townOf(
      sector(1, 'Alta (Sector Nord)'),
      sector(2, 'Alta (Sector Sud)'),
      sector(3, 'Baixa (Sector Sud)'),
    ),
  });
  const points = await database.pool<{ prominence: number }[]>`
    select prominence from place where category = 'ski_resort' order by prominence desc`;
  const seen = points.map((row) => row.prominence);
  assert.equal(seen.length, 3);
  const [whole = 0, other = 0, part = 0] = seen;
  assert.ok(whole > other && other > part, seen.join(' '));
});

test('of the sectors in another area one stands there too, without the points of the whole', async () => {
  const sector = (id: number, name: string, suburb: string): MadeNode => ({
    ...museum(id, 42.4 + id / 10, { name }),
    tags: { landuse: 'winter_sports', name, 'addr:suburb': suburb },
  });
  await importMap(database, '2025-01-01', {
    nodes: townOf(
      sector(1, 'Alta (Sector Nord)', 'Nord'),
      sector(2, 'Alta (Sector Sud)', 'Sud'),
      sector(3, 'Alta (Sector Mig)', 'Sud'),
    ),
  });
  const [first = 0, other = 0, third = 0] = await Promise.all(
    ['node/1', 'node/2', 'node/3'].map((ref) => prominence(ref)),
  );
  assert.ok(first > other && other > third, `${first} ${other} ${third}`);
});
