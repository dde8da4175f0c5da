import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { debianProgram } from '../harness/debian/debian-program.ts';

const FOLDER = join(import.meta.dirname, '../../../shared/data');

/** Monaco is part of the project; every test run reads it. */
const IN_PROJECT: Readonly<Record<string, string>> = {
  'osm/monaco.osm.pbf': join(import.meta.dirname, '../../maps/monaco.osm.pbf'),
};

/** A file of the real data that lies beside the project on some machines. */
export function sharedFile(name: string): string {
  return IN_PROJECT[name] ?? join(FOLDER, name);
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

/** The same for tests that compare with osmium, which is installed where that is possible. */
export async function needsOsmium(name: string): Promise<{ skip: string | false }> {
  const osmium = await debianProgram('/usr/bin/osmium', 'osmium-tool');
  return 'missing' in osmium ? { skip: osmium.missing } : needsSharedFile(name);
}
