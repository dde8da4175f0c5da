import { readFile, stat } from 'node:fs/promises';
import zoneAt from '@photostructure/tz-lookup';
import type { BoundingBox, Point } from '../core/geo.ts';
import type { NewId } from '../core/ids.ts';
import type { Db } from '../core/postgres/db.ts';
import { Shape } from './areas/shape.ts';
import { linesOf } from './geojson/geometry-lines.ts';
import { asImportFileError, ImportFileError } from './import-file-error.ts';
import { circleExtent, contains } from './settlement-extent.ts';

export const DESTINATION_SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const RADIUS_KM_MAX = 300;
export const RADIUS_KM_DEFAULT = 10;
const OUTLINE_BYTES_MAX = 20 * 2 ** 20;

interface DestinationEntry extends Point {
  slug: string;
  name: string;
  otherNames: readonly string[];
  /** ISO 3166 alpha-2. */
  country: string;
  /** Of a circle around the position, in kilometres; replaced by the outline, if there is one. */
  radiusKm?: number | undefined;
  outline?: Shape | undefined;
}

/** Refusal of a slug that another destination has. */
export class DestinationExistsError extends ImportFileError {}

/** Effect of a new destination on places, as the command and the console state it. */
export const ASSIGNMENT_NOTE =
  'The next import assigns places to it; import the file again if it was imported before.';

interface GeoJson {
  type?: unknown;
  geometry?: unknown;
  features?: unknown;
}

/** Adds a destination. Places are assigned to it by the next import. */
export async function addDestination(db: Db, newId: NewId, entry: DestinationEntry): Promise<string> {
  const { slug, name, otherNames, country, lat, lng } = entry;
  const { west, south, east, north } = extentOf(entry);
  const outline = entry.outline?.toBytes() ?? null;
  const [added] = await db<{ id: string }[]>`
    insert into destination (id, slug, name, other_names, country, timezone, lat, lng, west, south, east, north, outline)
    values (${newId('dst')}, ${slug}, ${name}, ${otherNames}, ${country}, ${zoneAt(lat, lng)}, ${lat}, ${lng},
      ${west}, ${south}, ${east}, ${north}, ${outline})
    on conflict (slug) do nothing returning id`;
  if (added === undefined) throw new DestinationExistsError(`There is a destination "${slug}" already.`);
  return added.id;
}

/**
 * Changes names and extent of a destination, in the caller's transaction. The extent stays without a radius and an
 * outline. Places keep their ids; the next import moves them.
 */
export async function changeDestination(db: Db, entry: Omit<DestinationEntry, 'country'>): Promise<void> {
  const { slug, name, otherNames, lat, lng } = entry;
  const hasExtent = entry.radiusKm !== undefined || entry.outline !== undefined;
  if (hasExtent) {
    const { west, south, east, north } = extentOf(entry);
    await db`
      update destination set west = ${west}, south = ${south}, east = ${east}, north = ${north},
        outline = ${entry.outline?.toBytes() ?? null} where slug = ${slug}`;
  }
  const [changed] = await db<BoundingBox[]>`
    update destination set name = ${name}, other_names = ${otherNames}, lat = ${lat}, lng = ${lng},
      timezone = ${zoneAt(lat, lng)} where slug = ${slug} returning west, south, east, north`;
  if (changed === undefined) throw new ImportFileError(`There is no destination "${slug}".`);
  if (!contains(changed, { lat, lng }))
    throw new ImportFileError('The position is outside the extent. State a radius or an outline too.');
}

function extentOf({ lat, lng, radiusKm, outline }: Omit<DestinationEntry, 'country'>): BoundingBox {
  if (outline === undefined) return circleExtent({ lat, lng }, radiusKm ?? RADIUS_KM_DEFAULT);
  const { west, south, east, north } = outline.extent;
  // A shape across the date line has corners beyond 180 degrees.
  const extent = {
    south,
    north,
    west: west < -180 ? west + 360 : west,
    east: east > 180 ? east - 360 : east,
  };
  if (!contains(extent, { lat, lng })) throw new ImportFileError('The position is outside the outline.');
  return extent;
}

/** Reads an outline from GeoJSON text: a polygon, a feature or a collection of them. */
export function readOutline(text: string, what: string): Shape {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new ImportFileError(`${what} is not valid JSON.`, { cause });
  }
  const lines = geometriesOf(json).flatMap(linesOf);
  const shape = Shape.ofLines(lines.filter((line) => line.length >= 8));
  if (shape === null)
    throw new ImportFileError(
      `${what} is not GeoJSON with a Polygon or MultiPolygon whose rings are closed.`,
    );
  if (shape.km2 === 0) throw new ImportFileError(`${what} has no area: its corners are on one line.`);
  return shape;
}

export async function readOutlineFile(file: string): Promise<Shape> {
  try {
    if ((await stat(file)).size > OUTLINE_BYTES_MAX)
      throw new ImportFileError(`${file} is larger than 20 MB, which no outline of a destination is.`);
    return readOutline(await readFile(file, 'utf8'), file);
  } catch (error) {
    throw asImportFileError(file, error);
  }
}

function geometriesOf(json: unknown): unknown[] {
  const { type, geometry, features } = (json ?? {}) as GeoJson;
  if (type === 'Feature') return [geometry];
  if (type === 'FeatureCollection') return Array.isArray(features) ? features.flatMap(geometriesOf) : [];
  return [json];
}
