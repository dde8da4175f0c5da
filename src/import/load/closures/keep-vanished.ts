import type { Db } from '../../../core/postgres/db.ts';
import type { BoundingBox } from '../../../core/geo.ts';
import type { ObjectStates } from '../../place-draft.ts';
import { CoveredArea, type CoveredPoint } from './covered-area.ts';

interface MissingCounts {
  /** Not in the file, and outside the area that it covers. */
  beyond: number;
  /** In the file under other tags: it lost its name, or is of another kind. */
  retagged: number;
  /** Not in the file, but in a newer one of another source. */
  elsewhere: number;
}

interface VanishedFrom {
  source: string;
  box: BoundingBox | null;
  asOf: Date;
  find: (refs: ReadonlySet<string>) => Promise<ObjectStates>;
}

interface Missing {
  place_id: string;
  source_ref: string;
  lat: number;
  lng: number;
  y: number;
  x: number;
}

// A tile is higher and wider than the reach of covered areas, also in the far north. Points are read tile by tile.
const tile = (lat: string, lng: string) => `floor(${lat} * 5)::int as y, floor(${lng} / 2)::int as x`;

// Centres of buildings and parks are excluded: an area across the edge of the extract is in the file, but its centre
// may be beyond the edge. Peaks, passes and stations are nodes of ridges, roads, lifts and routes, which are complete
// in the file even when only a part is inside.
const LIST_POINTS = [
  `create temp table import_point on commit drop as
  select avg(lat)::float8 as lat, avg(lng)::float8 as lng, count(*)::int as places, ${tile('min(lat)', 'min(lng)')}
  from import_draft where source_ref !~ '^(way|relation)/'
    and category not in ('peak', 'mountain_pass', 'bus_station', 'station', 'halt', 'lift_station')
  group by floor(lat * 2000), floor(lng * 2000)`,
  'create index on import_point (y, x)',
  'analyze import_point',
];

const MISSING = `
  select v.place_id, p.source_ref, p.lat, p.lng, ${tile('p.lat', 'p.lng')}
  from import_vanished v join place p on p.id = v.place_id`;

/** Removes places from the list of vanished ones when the file does not prove that they are gone. */
export async function excludeUnprovenClosures(
  tx: Db,
  { source, box, asOf, find }: VanishedFrom,
): Promise<{ missing: MissingCounts; untold: string[] }> {
  const { count: elsewhere } = await tx`
    delete from import_vanished v where exists (
      select 1 from place_reference r where r.place_id = v.place_id and r.source <> ${source} and r.last_seen_at > ${asOf})`;
  const missing = await tx.unsafe<Missing[]>(MISSING);
  if (missing.length === 0) return { missing: { beyond: 0, retagged: 0, elsewhere }, untold: [] };
  const objects = await find(new Set(missing.map(({ source_ref }) => source_ref)));
  const covered = await listCovered(tx, box, missing);
  const retagged = missing.filter(({ source_ref }) => objects.get(source_ref) === 'there');
  const beyond = missing.filter(
    (place) => !covered.has(place) && (objects.get(place.source_ref) ?? 'untold') === 'untold',
  );
  const closed = missing.filter(({ source_ref }) => objects.get(source_ref) === 'closed');
  await tx`update import_vanished set disused = true where place_id = any(${idsOf(closed)})`;
  await tx`delete from import_vanished where place_id = any(${idsOf([...retagged, ...beyond])})`;
  const unproven = missing.filter(({ source_ref }) => objects.get(source_ref) === 'untold');
  return {
    missing: { beyond: beyond.length, retagged: retagged.length, elsewhere },
    untold: idsOf(unproven.filter((place) => covered.has(place))),
  };
}

/** Returns the missing places that are inside the area that the file covers. */
async function listCovered(
  tx: Db,
  box: BoundingBox | null,
  missing: readonly Missing[],
): Promise<Set<Missing>> {
  for (const statement of LIST_POINTS) await tx.unsafe(statement);
  const covered = new Set<Missing>();
  for (const places of Map.groupBy(missing, ({ y, x }) => `${y} ${x}`).values()) {
    const { y = 0, x = 0 } = places[0] ?? {};
    const points = await tx<CoveredPoint[]>`
      select lat, lng, places from import_point
      where y between ${y - 1} and ${y + 1} and x between ${x - 1} and ${x + 1}`;
    const area = new CoveredArea(box, points);
    for (const place of places) if (area.covers(place)) covered.add(place);
  }
  return covered;
}

function idsOf(missing: readonly Missing[]): string[] {
  return missing.map(({ place_id }) => place_id);
}
