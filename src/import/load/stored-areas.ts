import type { Db } from '../../core/postgres/db.ts';
import { type AreaDraft, isProvince } from '../areas/area-draft.ts';
import { AreaIndex } from '../areas/area-index.ts';
import { Shape } from '../areas/shape.ts';
import { boundsOf } from '../centre.ts';
import { isWithin } from '../settlement-extent.ts';
import type { BoundingBox } from '../../core/geo.ts';

/** Only maps have areas, but places of other sources are located in them too. */
const SOURCE = 'osm';
const BATCH_AREAS = 500;

type StoredArea = Omit<AreaDraft, 'wikidata' | 'point' | 'centres' | 'shape'> & { shape: Uint8Array | null };

/** Returns the areas of the file and, outside what it contains completely, those of earlier files. */
export async function loadAreaIndex(
  tx: Db,
  fileAreas: readonly AreaDraft[],
  box: BoundingBox | null,
): Promise<AreaIndex> {
  const storedAreas = await readAreas(tx, fileAreas.length === 0 ? null : reachOf(fileAreas, box));
  if (storedAreas.length === 0) return storeAreas(tx, new AreaIndex(fileAreas, box), fileAreas);
  const storedRefs = new Map(storedAreas.map((area) => [area.source_ref, area]));
  // An outline that is incomplete in this file is taken from an earlier file that had all of it.
  const merged = fileAreas.map((area) => {
    const before = area.point || area.shape !== null ? undefined : storedRefs.get(area.source_ref);
    return before === undefined ? area : { ...area, shape: before.shape, lat: before.lat, lng: before.lng };
  });
  const ownRefs = new Set(fileAreas.map(({ source_ref }) => source_ref));
  const earlierAreas = storedAreas.filter(({ source_ref }) => !ownRefs.has(source_ref));
  const completeShapes = fileAreas.flatMap((area) =>
    area.shape === null || isProvince(area) ? [] : [area.shape],
  );
  // The file contains the surrounding area completely, so it would contain these areas if they still existed.
  const obsolete = earlierAreas.filter((area) => completeShapes.some((shape) => liesIn(area, shape)));
  if (obsolete.length > 0)
    await tx`delete from area where source = ${SOURCE} and source_ref = any(${obsolete.map((area) => area.source_ref)})`;
  return storeAreas(
    tx,
    new AreaIndex([...merged, ...earlierAreas.filter((area) => !obsolete.includes(area))], box),
    fileAreas,
  );
}

function liesIn(area: AreaDraft, around: Shape): boolean {
  if (!around.contains(area)) return false;
  if (area.shape === null) return true;
  return isWithin(area.shape.extent, around.extent) && area.shape.km2 < around.km2;
}

function reachOf(fileAreas: readonly AreaDraft[], box: BoundingBox | null): BoundingBox {
  const extents = fileAreas.map(
    ({ shape, lat, lng }) => shape?.extent ?? { west: lng, east: lng, south: lat, north: lat },
  );
  if (box !== null) extents.push(box);
  return boundsOf(extents.map(({ west, south, east, north }) => [west, south, east, north]));
}

async function readAreas(tx: Db, reach: BoundingBox | null): Promise<AreaDraft[]> {
  const { west, south, east, north } = reach ?? { west: -360, south: -90, east: 360, north: 90 };
  const rows = await tx<StoredArea[]>`
    select source_ref, kind, level, region, name, names, population, lat, lng, shape from area
    where source = ${SOURCE} and coalesce(east, lng) >= ${west} and coalesce(west, lng) <= ${east}
      and coalesce(north, lat) >= ${south} and coalesce(south, lat) <= ${north}
    order by source_ref`;
  return rows.map(({ shape, ...columns }) => ({
    ...columns,
    wikidata: null,
    point: shape === null,
    centres: [],
    shape: shape === null ? null : Shape.ofBytes(shape),
  }));
}

/** Stores the areas of the file. Rows without changes are not written. */
async function storeAreas(tx: Db, areaIndex: AreaIndex, fileAreas: readonly AreaDraft[]): Promise<AreaIndex> {
  const refs = new Set(fileAreas.map(({ source_ref }) => source_ref));
  const ownAreas = areaIndex.areas.filter(({ source_ref }) => refs.has(source_ref));
  for (let at = 0; at < ownAreas.length; at += BATCH_AREAS) {
    const rows = ownAreas.slice(at, at + BATCH_AREAS).map(({ shape, ...area }) => {
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
  return areaIndex;
}
