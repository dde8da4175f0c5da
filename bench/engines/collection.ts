import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseConfig } from '../../src/config.ts';
import { systemClock } from '../../src/core/clock.ts';
import { createNewId } from '../../src/core/ids.ts';
import type { Pool } from '../../src/core/postgres/db.ts';
import { wordsOf } from '../../src/core/text/fold.ts';
import { openDatabase } from '../../src/node/database.ts';
import { importFile } from '../../src/import/import-places.ts';
import type { Doc } from './engine.ts';

const SHARED = join(import.meta.dirname, '../../../shared/data');
const EXTRACTS = ['andorra', 'monaco', 'helsinki', 'liechtenstein', 'tokyo-center'].map(
  (name) => `osm/${name}.osm.pbf`,
);
const FOOD = 'food-places-worldwide.geojson.gz';
/** Of this file nobody knows the date; it is no newer than this. */
const UNDATED = { 'osm/tokyo-center.osm.pbf': new Date('2026-01-01T00:00:00Z') } as Readonly<
  Record<string, Date>
>;

export interface Row {
  id: string;
  destination: string;
  name: string;
  latin_name: string | null;
  names: Record<string, string>;
  vertical: string;
  category: string;
  categories: string[];
  cuisine: string[];
  city: string | null;
  area: string | null;
  rating: number | null;
}

export function hasRealData(): boolean {
  return [...EXTRACTS, FOOD].every((name) => existsSync(join(SHARED, name)));
}

/** Imports the real extracts as an operator would, and gives how many places there are then. */
export async function importReal(dataDir: string): Promise<number> {
  const database = await openDatabase(parseConfig({ DATA_DIR: dataDir }), 'tool', () => undefined);
  const now = systemClock.now();
  const options = {
    confirmClosures: false,
    now,
    newId: createNewId(systemClock),
    progress: () => () => undefined,
  };
  try {
    for (const name of EXTRACTS)
      await importFile(database.pool, {
        ...{ source: 'osm', file: join(SHARED, name), autoDestinations: true, asOf: UNDATED[name] },
        ...options,
      });
    await importFile(database.pool, {
      ...{ source: 'geojson', file: join(SHARED, FOOD), autoDestinations: false },
      ...options,
    });
    const [row] = await database.pool<{ count: number }[]>`select count(*)::int as count from place`;
    return row?.count ?? 0;
  } finally {
    await database.close();
  }
}

export function readRows(pool: Pool): Promise<Row[]> {
  return pool<Row[]>`
    select p.id, d.slug as destination, p.name, p.latin_name, p.names, p.vertical, p.category, p.categories, p.cuisine,
      p.city, p.area, p.rating::float8 as rating
    from place p join destination d on d.id = p.destination_id where p.closed_at is null order by p.id`;
}

export function docOf(row: Row, id: number): Doc {
  const folded = (...texts: (string | null)[]) =>
    wordsOf(texts.filter((text) => text !== null).join(' ')).join(' ');
  return {
    ...{ id, destination: row.destination, name: folded(row.name), rank: Math.round((row.rating ?? 0) * 10) },
    other_names: folded(row.latin_name, ...Object.values(row.names)),
    kinds: folded(row.vertical, row.category, ...row.categories, ...row.cuisine).replaceAll('_', ' '),
    area: folded(row.area, row.city),
  };
}
