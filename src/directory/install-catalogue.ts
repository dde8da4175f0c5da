import { createHash } from 'node:crypto';
import type { Db } from '../core/postgres/db.ts';
import { ulid } from '../core/ids.ts';
import { CATALOGUE } from './catalogue.ts';

// An id derived from the slug is the same on every installation, so that links and examples work everywhere.
const CATALOGUE_TIME_MS = Date.UTC(2026, 0, 1);

export function catalogueId(slug: string): string {
  return `dst_${ulid(CATALOGUE_TIME_MS, createHash('sha256').update(`destination/${slug}`).digest())}`;
}

/** Adds the catalogue's missing destinations. Operators' changes are kept. */
export async function installCatalogue(db: Db): Promise<number> {
  const rows = CATALOGUE.map(({ bbox: [west, south, east, north], kind: _kind, ...entry }) => {
    return { id: catalogueId(entry.slug), ...entry, west, south, east, north };
  });
  const added = await db`
    insert into destination (id, slug, name, other_names, areas, country, timezone, lat, lng, west, south, east, north)
    select id, slug, name, other_names, areas, country, timezone, lat, lng, west, south, east, north
    from jsonb_to_recordset(${db.json(rows)}) as entry (
      id text, slug text, name text, other_names text[], areas text[], country text, timezone text,
      lat float8, lng float8, west float8, south float8, east float8, north float8)
    on conflict do nothing`;
  return added.count;
}
