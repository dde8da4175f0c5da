import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../../shared/data');

/** A file of the real data that lies beside the project on some machines. */
export function sharedFile(name: string): string {
  return join(FOLDER, name);
}

/** The tests on made-up data that hold the same on every machine, by the folder of the real data. */
const SMALL_VERSIONS: readonly [start: string, tests: string][] = [
  ['osm/', 'test/import/readers/osm-reader, test/import/closures and test/search/made-relevance'],
  [
    'food-places',
    'test/import/readers/geojson-reader, test/import/import-once and test/search/made-relevance',
  ],
  ['overture/', 'test/import/readers/overture-reader and test/import/match/same-place'],
];

/** Test options that skip where the real data is missing, with a notice that names the tests on made-up data. */
export function needsSharedFile(name: string): { skip: string | false } {
  if (existsSync(sharedFile(name))) return { skip: false };
  const small = SMALL_VERSIONS.find(([start]) => name.startsWith(start))?.[1] ?? 'other tests';
  return { skip: `${name} is not beside the checkout; made-up data is tested in ${small}` };
}

/** Test options that skip with a notice where osmium, the reference to compare with, is missing as well. */
export function needsOsmium(name: string): { skip: string | false } {
  const missing = spawnSync('osmium', ['--version']).status !== 0;
  return missing ? { skip: 'osmium-tool is not on this machine' } : needsSharedFile(name);
}
