import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ImportFileError } from '../../../src/import/import-file-error.ts';
import { type MappedArea, SettlementCollector } from '../../../src/import/osm/settlement-collector.ts';
import { areaOf, contains } from '../../../src/import/settlement-extent.ts';
import { tries } from '../../harness/tier.ts';
import { directoryState, importMap } from '../import-directory.ts';
import { cafe, database, place, townOf } from '../made-town.ts';
import type { MadeMap, MadeNode, MadeRelation } from '../readers/write-osm-pbf.ts';

/** A sequence that looks random and is the same in every run. */
function* randoms(): Generator<number, never> {
  for (let seed = 7; ; seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) yield seed / 2_147_483_648;
}

const TAGS = new Map([
  ['place', 'town'],
  ['name', 'Springfield'],
]);

type Box = MappedArea['extent'];

function areaAt(ref: string, extent: Box, tags = TAGS): MappedArea {
  const centre = { lat: (extent.south + extent.north) / 2, lng: extent.west };
  return { ref, tags, extent, centre, squareMetres: 0, complete: true, shape: null };
}

/** How often a position or an extent is looked at until so many points have found their areas. */
function looksFor(count: number): number {
  const random = randoms();
  const next = () => random.next().value;
  const collector = new SettlementCollector();
  let looks = 0;
  for (let id = 1; id <= count; id++) {
    const [lat, lng] = [next() * 10, next() * 10];
    collector.addPoint(id, {
      ref: `node/${id}`,
      tags: TAGS,
      lng,
      get lat() {
        looks++;
        return lat;
      },
    });
    // Half of them are as large as a country, so that they lie over one another.
    const size = id % 2 === 0 ? 8 * next() : 0.01;
    const [south, west] = [next() * 10, next() * 10];
    const extent = { west, south, east: west + size, north: south + size };
    const area = areaAt(`way/${id}`, extent);
    collector.addArea({
      ...area,
      get extent() {
        looks++;
        return extent;
      },
    });
  }
  assert.ok(collector.settlements().length >= count);
  return looks;
}

const TOWNS = tries({ quick: 4_000, long: 20_000 });

test(`${TOWNS} towns and as many outlines of one name are matched without comparing each with each`, () => {
  const [half, whole] = [looksFor(TOWNS / 2), looksFor(TOWNS)];
  assert.ok(whole < (TOWNS * TOWNS) / 20, `${whole} looks`);
  assert.ok(whole < 3 * half, `${half} looks for half of them, ${whole} for all`);
});

test('a town has the smallest outline of its name or its Wikidata entry around it, also over the date line', () => {
  const random = randoms();
  const among = (count: number) => Math.floor(random.next().value * count);
  const tagsOf = (): Map<string, string> => {
    const tags = new Map([
      ['place', 'town'],
      ['name', `Town ${among(5)}`],
    ]);
    return among(2) === 0 ? tags : tags.set('wikidata', `Q${among(5)}`);
  };
  const points = Array.from({ length: 400 }, (_, at) => ({
    ...{ ref: `node/${at}`, tags: tagsOf(), lat: among(40), lng: among(41) - 200 },
  })).map((point) => ({ ...point, lng: point.lng < -180 ? point.lng + 360 : point.lng }));
  const wrap = (lng: number) => (lng < -180 ? lng + 360 : lng);
  const areas = Array.from({ length: 400 }, (_, at) => {
    const [west, south] = [among(41) - 200, among(40)];
    const extent = { west: wrap(west), south, east: wrap(west + among(15)), north: south + among(15) };
    return areaAt(`way/${at}`, extent, tagsOf());
  });
  const collector = new SettlementCollector();
  for (const [id, point] of points.entries()) collector.addPoint(id, point);
  for (const area of areas) collector.addArea(area);
  const found = new Map(collector.settlements().map((settlement) => [settlement.source_ref, settlement]));
  const isSame = (key: string, one: Map<string, string>, other: Map<string, string>) =>
    one.get(key) !== undefined && one.get(key) === other.get(key);
  const used = new Set<string>();
  let outlined = 0;
  for (const { ref, tags, ...point } of points) {
    const around = areas.filter(
      (area) =>
        contains(area.extent, point) &&
        ['name', 'wikidata'].some((key) => isSame(key, tags, area.tags as Map<string, string>)),
    );
    for (const area of around) used.add(area.ref);
    const [smallest] = around.toSorted((a, b) => areaOf(a.extent) - areaOf(b.extent));
    if (smallest !== undefined) outlined++;
    assert.equal(found.get(ref)?.outlined, smallest !== undefined, ref);
    if (smallest !== undefined) assert.deepEqual(found.get(ref)?.extent, smallest.extent, ref);
  }
  assert.ok(outlined > 50 && outlined < 350, String(outlined));
  for (const { ref } of areas) assert.equal(found.has(ref), !used.has(ref), ref);
});

const CORNERS = tries({ quick: 10_000, long: 100_000 });
const RELATIONS = 5_000;

/** A ring around the town with so many corners, the last of which is the first again. */
function ring(corners: number): { nodes: MadeNode[]; refs: number[] } {
  const nodes = Array.from({ length: corners }, (_, at) => {
    const angle = (at / corners) * 2 * Math.PI;
    return { id: 200_000 + at, lat: 42.5 + 0.1 * Math.sin(angle), lng: 1.5 + 0.1 * Math.cos(angle) };
  });
  return { nodes, refs: [...nodes.map(({ id }) => id), 200_000] };
}

function sharing(
  corners: number,
  relations: number,
  tagsOf: (at: number) => Record<string, string>,
): MadeMap {
  const { nodes, refs } = ring(corners);
  return {
    nodes: [...townOf(cafe(1, 'Ada')), ...nodes],
    ways: [{ id: 1, refs }],
    relations: Array.from({ length: relations }, (_, at): MadeRelation => ({
      id: at + 1,
      members: [['way', 1, 'outer']],
      tags: tagsOf(at),
    })),
  };
}

const boundary = (at: number) => ({
  ...{ type: 'boundary', boundary: 'administrative', admin_level: '8', place: 'town', name: `Town ${at}` },
});
const museum = (at: number) => ({ type: 'multipolygon', tourism: 'museum', name: `Museum ${at}` });

for (const [what, tagsOf] of [
  ['boundaries', boundary],
  ['places', museum],
] as const) {
  test(`${RELATIONS} ${what} drawn with one way of ${CORNERS} corners are refused with one sentence, and nothing changes`, async () => {
    const state = await directoryState(database);
    await assert.rejects(importMap(database, '2025-01-01', sharing(CORNERS, RELATIONS, tagsOf)), (error) => {
      assert.ok(error instanceof ImportFileError, String(error));
      const [held, drawn] = [CORNERS + 1, (CORNERS + 1) * RELATIONS].map((n) => n.toLocaleString('en'));
      assert.ok(
        error.message.includes(`has relations with ${drawn} corners, made of ways with only ${held}: `),
        error.message,
      );
      assert.match(error.message, /no real map reuses ways that often\. Nothing was changed\.$/);
      return true;
    });
    assert.equal(await directoryState(database), state);
  });
}

test('a border that forty areas share is no reason to refuse a file', async () => {
  const report = await importMap(database, '2025-01-01', sharing(1_000, 40, boundary));
  assert.equal(report.added, 13);
  assert.equal(((await place('node/1'))['areas'] as string[]).length, 40);
});

test('an outline whose every edge runs from its south to its north takes no more memory than another', async () => {
  const { nodes, refs } = ring(CORNERS);
  const zigzag = nodes.map((node, at) => ({ ...node, lat: at % 2 === 0 ? 42.4 : 42.6 }));
  const report = await importMap(database, '2025-01-01', {
    nodes: [...townOf(cafe(1, 'Ada')), ...zigzag],
    ways: [{ id: 1, refs, tags: boundary(1) }],
  });
  assert.equal(report.added, 13);
});

test('500 areas as large as a continent take no more memory than small ones, and what lies in them is found', async () => {
  const corners = [
    [-60, -60],
    [-60, 60],
    [70, 60],
    [70, -60],
  ].map(([lat = 0, lng = 0], at) => ({ id: 300_000 + at, lat, lng }));
  const refs = [...corners, corners[0]].map((corner) => corner?.id ?? 0);
  const report = await importMap(database, '2025-01-01', {
    nodes: [...townOf(cafe(1, 'Ada')), ...corners],
    ways: Array.from({ length: 500 }, (_, at) => ({ id: at + 1, refs, tags: boundary(at) })),
  });
  assert.equal(report.added, 13);
  assert.equal(((await place('node/1'))['areas'] as string[]).length, 500);
});
