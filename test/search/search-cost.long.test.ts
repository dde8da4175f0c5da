import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Bench } from '../../bench/search/bench.ts';
import { measureShapes } from '../../bench/search/shapes.ts';
import { Supply } from '../../bench/search/supply.ts';

const RECORDED = new URL('search-cost.json', import.meta.url);
const PLACES = 100_000;
/** A shape may cost so many times the recorded value. */
const TOLERANCE = 1.3;
const ROUNDS = 3;
/** A busy machine adds to the cost, so that one expensive measurement proves nothing. */
const ATTEMPTS = 6;

test('no shape of search costs 1.3 times the recorded CPU time among 100,000 places', async (t) => {
  await Bench.with(async (bench) => {
    const dataDir = join(bench.folder, 'data');
    const service = await bench.startService(dataDir, PLACES);
    const supply = await Supply.of(dataDir);
    try {
      let costs = await measureShapes(bench, service, supply, ROUNDS);
      const multiples = () => [...costs.shapes].map(([shape, cost]) => [shape, cost / costs.bare] as const);
      if (process.env['UPDATE_SNAPSHOTS'] === '1') {
        const rounded = multiples().map(([shape, cost]) => [shape, Math.round(cost * 10) / 10]);
        await writeFile(RECORDED, `${JSON.stringify(Object.fromEntries(rounded), null, 2)}\n`);
      }
      const recorded = JSON.parse(await readFile(RECORDED, 'utf8')) as Record<string, number>;
      assert.deepEqual([...costs.shapes.keys()].toSorted(), Object.keys(recorded).toSorted());
      const tooDear = () => multiples().filter(([shape, cost]) => cost > TOLERANCE * (recorded[shape] ?? 0));
      for (let attempt = 1; attempt < ATTEMPTS && tooDear().length > 0; attempt++)
        costs = await measureShapes(bench, service, supply, ROUNDS, costs);
      for (const [shape, cost] of multiples())
        t.diagnostic(`${shape}: ${cost.toFixed(1)} times bare node:http, recorded ${recorded[shape]}`);
      assert.deepEqual(tooDear(), [], 'shapes of search that cost more than 1.3 times the recorded value');
    } finally {
      await supply.close();
    }
  });
});
