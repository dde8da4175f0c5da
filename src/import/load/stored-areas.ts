import type { Db } from '../../core/postgres/db.ts';
import { type AreaDraft, REGION_KIND } from '../areas/area-draft.ts';
import { KnownAreas } from '../areas/known-areas.ts';
import { Shape } from '../areas/shape.ts';
import type { Extent } from '../centre.ts';

/** Only maps have areas. Places of other sources lie in them all the same. */
const SOURCE = 'osm';
const BATCH_AREAS = 500;

type StoredArea = Omit<AreaDraft, 'wikidata' | 'point' | 'centres' | 'shape'> & { shape: Uint8Array | null };

/** The areas of the file and, beyond what it holds whole, those that earlier files told of. */
export async function knownAreas(
  tx: Db,
  told: readonly AreaDraft[],
  box: Extent | null,
): Promise<KnownAreas> {
  const stored = await readAreas(tx, told.length === 0 ? null : reachOf(told, box));
  if (stored.length === 0) return keepAreas(tx, new KnownAreas(told, box), told);
  const storedRefs = new Map(stored.map((area) => [area.source_ref, area]));
  // An outline that this file cuts through is taken as an earlier file had it whole.
  const own = told.map((area) => {
    const before = area.point || area.shape !== null ? undefined : storedRefs.get(area.source_ref);
    return before === undefined ? area : { ...area, shape: before.shape, lat: before.lat, lng: before.lng };
  });
  const ownRefs = new Set(told.map(({ source_ref }) => source_ref));
  const others = stored.filter(({ source_ref }) => !ownRefs.has(source_ref));
  const whole = told.flatMap(({ shape, kind }) => (shape === null || kind === REGION_KIND ? [] : [shape]));
  // The file holds all of what lies around it, so that it would have told of it.
  const gone = others.filter((area) => whole.some((shape) => liesIn(area, shape)));
  if (gone.length > 0)
    await tx`delete from area where source = ${SOURCE} and source_ref = any(${gone.map((area) => area.source_ref)})`;
  return keepAreas(tx, new KnownAreas([...own, ...others.filter((area) => !gone.includes(area))], box), told);
}

function liesIn(area: AreaDraft, around: Shape): boolean {
  if (!around.contains(area)) return false;
  if (area.shape === null) return true;
  const [inner, outer] = [area.shape.extent, around.extent];
  return (
    inner.west >= outer.west &&
    inner.east <= outer.east &&
    inner.south >= outer.south &&
    inner.north <= outer.north &&
    area.shape.km2 < around.km2
  );
}

/** The ground on which areas of earlier files may matter. */
function reachOf(told: readonly AreaDraft[], box: Extent | null): Extent {
  const reach = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity, ...box };
  for (const { shape, lat, lng } of told) {
    const { west, south, east, north } = shape?.extent ?? { west: lng, east: lng, south: lat, north: lat };
    reach.west = Math.min(reach.west, west);
    reach.south = Math.min(reach.south, south);
    reach.east = Math.max(reach.east, east);
    reach.north = Math.max(reach.north, north);
  }
  return reach;
}

async function readAreas(tx: Db, reach: Extent | null): Promise<AreaDraft[]> {
  const { west, south, east, north } = reach ?? { west: -360, south: -90, east: 360, north: 90 };
  const rows = await tx<StoredArea[]>`
    select source_ref, kind, level, region, name, names, population, lat, lng, shape from area
    where source = ${SOURCE} and coalesce(east, lng) >= ${west} and coalesce(west, lng) <= ${east}
      and coalesce(north, lat) >= ${south} and coalesce(south, lat) <= ${north}
    order by source_ref`;
  return rows.map(({ shape, ...rest }) => ({
    ...rest,
    wikidata: null,
    point: shape === null,
    centres: [],
    shape: shape === null ? null : Shape.ofBytes(shape),
  }));
}

/** Writes what the file tells. A row of which nothing changed is not written. */
async function keepAreas(tx: Db, known: KnownAreas, told: readonly AreaDraft[]): Promise<KnownAreas> {
  const refs = new Set(told.map(({ source_ref }) => source_ref));
  const own = known.areas.filter(({ source_ref }) => refs.has(source_ref));
  for (let at = 0; at < own.length; at += BATCH_AREAS) {
    const rows = own.slice(at, at + BATCH_AREAS).map(({ shape, ...area }) => {
      const extent = shape?.extent ?? { west: null, south: null, east: null, north: null };
      return { ...area, ...extent, shape: shape?.toBytes().toString('hex') ?? null };
    });
    await tx`
      insert into area (source, source_ref, kind, level, region, name, names, population, lat, lng, west, south, east, north, shape)
      select ${SOURCE}, source_ref, kind, level, region, name, names, population, lat, lng, west, south, east, north, decode(shape, 'hex')
      from jsonb_to_recordset(${tx.json(rows)}) as entry (
        source_ref text, kind text, level smallint, region text, name text, names jsonb, population integer, lat float8, lng float8,
        west float8, south float8, east float8, north float8, shape text)
      on conflict (source, source_ref) do update set
        (kind, level, region, name, names, population, lat, lng, west, south, east, north, shape) =
        (excluded.kind, excluded.level, excluded.region, excluded.name, excluded.names, excluded.population, excluded.lat, excluded.lng,
         excluded.west, excluded.south, excluded.east, excluded.north, excluded.shape)
      where (area.kind, area.level, area.region, area.name, area.names, area.population, area.lat, area.lng, area.shape)
        is distinct from (excluded.kind, excluded.level, excluded.region, excluded.name, excluded.names, excluded.population,
          excluded.lat, excluded.lng, excluded.shape)`;
  }
  return known;
}
