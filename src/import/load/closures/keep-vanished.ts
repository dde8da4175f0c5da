import type { Db } from '../../../core/postgres/db.ts';
import type { Extent } from '../../centre.ts';
import type { Found } from '../../place-draft.ts';
import { HeldGround, type HeldPoint } from './held-ground.ts';

export interface MissingCounts {
  /** Not in the file, and outside of what it tells about. */
  beyond: number;
  /** In the file under other tags: it lost its name, or is of another kind. */
  retagged: number;
  /** Not in the file, but in a younger one of another source. */
  elsewhere: number;
}

export interface VanishedFrom {
  source: string;
  box: Extent | null;
  /** The day that the file describes. */
  asOf: Date;
  find: (refs: ReadonlySet<string>) => Promise<Found>;
}

interface Missing {
  place_id: string;
  source_ref: string;
  lat: number;
  lng: number;
}

// Centres of buildings and parks are left out: an area that the cut runs through is held, and its centre may lie beyond.
// Peaks, passes and stations are points of ridges, roads, lifts and routes, which come whole with the part that is held.
const HELD_POINTS = `
  select avg(lat)::float8 as lat, avg(lng)::float8 as lng, count(*)::int as places
  from import_draft where source_ref !~ '^(way|relation)/'
    and category not in ('peak', 'mountain_pass', 'bus_station', 'station', 'halt', 'lift_station')
  group by floor(lat * 2000), floor(lng * 2000)`;

/** Takes those places off the list of vanished ones of which the file does not say that they are gone. */
export async function keepVanished(
  tx: Db,
  { source, box, asOf, find }: VanishedFrom,
): Promise<{ missing: MissingCounts; untold: string[] }> {
  const { count: elsewhere } = await tx`
    delete from import_vanished v where exists (
      select 1 from place_reference r where r.place_id = v.place_id and r.source <> ${source} and r.held_at > ${asOf})`;
  const missing = await tx<Missing[]>`
    select v.place_id, p.source_ref, p.lat, p.lng from import_vanished v join place p on p.id = v.place_id`;
  if (missing.length === 0) return { missing: { beyond: 0, retagged: 0, elsewhere }, untold: [] };
  const found = await find(new Set(missing.map(({ source_ref }) => source_ref)));
  const ground = new HeldGround(box, await tx.unsafe<HeldPoint[]>(HELD_POINTS));
  const retagged = missing.filter(({ source_ref }) => found.get(source_ref) === 'there');
  const beyond = missing.filter(
    (place) => !ground.covers(place) && (found.get(place.source_ref) ?? 'untold') === 'untold',
  );
  const closed = missing.filter(({ source_ref }) => found.get(source_ref) === 'closed');
  await tx`update import_vanished set disused = true where place_id = any(${idsOf(closed)})`;
  await tx`delete from import_vanished where place_id = any(${idsOf([...retagged, ...beyond])})`;
  const untold = missing.filter(({ source_ref }) => found.get(source_ref) === 'untold');
  return {
    missing: { beyond: beyond.length, retagged: retagged.length, elsewhere },
    untold: idsOf(untold.filter((place) => ground.covers(place))),
  };
}

function idsOf(missing: readonly Missing[]): string[] {
  return missing.map(({ place_id }) => place_id);
}
