import { createNewId } from '../../src/core/ids.ts';
import { importFile, type ImportReport } from '../../src/import/import-places.ts';
import type { PlaceDraft } from '../../src/import/place-draft.ts';
import type { TestDatabase } from '../harness/service/database.ts';
import { type MadeMap, type MadeNode, writeOsmPbf } from './readers/write-osm-pbf.ts';
import { withFile } from './readers/read-all.ts';

export const NOW = new Date('2025-03-01T12:00:00Z');
const SECOND = 1000;
/** As the day of a map: its file has no date. */
export const UNDATED = '1970-01-01';

/** Imports a file as the command does, at a fixed moment. */
export function importAt(
  { pool }: TestDatabase,
  file: string,
  options: {
    source?: PlaceDraft['source'];
    autoDestinations?: boolean;
    now?: Date;
    heldBytesMax?: number;
    confirmClosures?: boolean;
    /** For a file without a date, as `--as-of` gives it. */
    asOf?: Date;
  } = {},
): Promise<ImportReport> {
  const now = options.now ?? NOW;
  return importFile(pool, {
    source: options.source ?? 'osm',
    file,
    autoDestinations: options.autoDestinations ?? false,
    confirmClosures: options.confirmClosures ?? false,
    inMemoryBytesMax: options.heldBytesMax,
    asOf: options.asOf,
    now,
    newId: createNewId({ now: () => now }),
    progress: () => () => undefined,
  });
}

/** Imports a map made by hand, extracted on the given day. */
export function importMap(
  database: TestDatabase,
  day: string,
  map: MadeMap,
  options: Parameters<typeof importAt>[2] = {},
): Promise<ImportReport> {
  const extracted = Date.parse(`${day}T00:00:00Z`) / SECOND;
  return withFile(writeOsmPbf({ ...map, extracted }), (file) => importAt(database, file, options));
}

/** Shops on every side: what is missing in their midst is gone, and not just beyond the edge of the file. */
export function shopsAround({ lat, lng }: { lat: number; lng: number }): MadeNode[] {
  return Array.from({ length: 12 }, (_, at) => ({
    id: 90_000 + at,
    lat: lat + 0.015 * Math.sin((at / 6) * Math.PI),
    lng: lng + 0.015 * Math.cos((at / 6) * Math.PI),
    tags: { shop: 'bakery', name: `Baker ${at}` },
    changed: seconds('2024-11-01'),
  }));
}

/** Seconds since 1970, as map files count. */
export function seconds(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / SECOND;
}

/** All that the directory holds, as one text: two equal ones mean that nothing was written in between. */
export async function directoryState({ pool }: TestDatabase): Promise<string> {
  const [row] = await pool<{ state: string }[]>`
    select jsonb_build_object(
      'places', (select jsonb_agg(to_jsonb(p) order by id) from place p),
      'areas', (select jsonb_agg(to_jsonb(a) order by source_ref) from area a),
      'destinations', (select jsonb_agg(to_jsonb(d) order by id) from destination d),
      'evidence', (select jsonb_agg(to_jsonb(e) order by place_id, kind, observed_at) from closure_evidence e),
      'accolades', (select jsonb_agg(to_jsonb(a) order by place_id, title) from accolade a))::text as state`;
  return row?.state ?? '';
}
