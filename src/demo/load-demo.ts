import type { Pool } from '../core/postgres/db.ts';
import type { Progress } from '../core/progress.ts';
import { loadDemoDirectory } from './demo-directory.ts';

/** Replaces the demo venues with fictional ones in all destinations; other places are not changed. */
export async function loadDemo(
  pool: Pool,
  options: { places: number; seed: number; now: Date; progress: Progress },
): Promise<{ places: number }> {
  const destinations = await pool<Parameters<typeof loadDemoDirectory>[0]['destinations'][number][]>`
    select id, slug, name, country, timezone, lat, lng, west, south, east, north, areas
    from destination order by slug`;
  return loadDemoDirectory({ sql: pool, destinations, ...options });
}
