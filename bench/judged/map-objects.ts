import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

// Our own reading of an extract, by osmium: no code of the import is used to tell what is right.
export const EXTRACTS = ['monaco', 'andorra', 'liechtenstein', 'helsinki', 'tokyo-center'] as const;
export type Extract = (typeof EXTRACTS)[number];

export const ZONES: Record<Extract, { zone: string; country: string }> = {
  monaco: { zone: 'Europe/Monaco', country: 'mc' },
  andorra: { zone: 'Europe/Andorra', country: 'ad' },
  liechtenstein: { zone: 'Europe/Vaduz', country: 'li' },
  helsinki: { zone: 'Europe/Helsinki', country: 'fi' },
  'tokyo-center': { zone: 'Asia/Tokyo', country: 'jp' },
};

type Ring = readonly (readonly [number, number])[];

export interface MapObject {
  ref: string;
  tags: Readonly<Record<string, string>>;
  lat: number;
  lng: number;
  /** Rings of all polygons: a point inside an odd number of them is inside the shape. */
  rings: readonly Ring[];
}

interface Feature {
  id: string;
  properties: Record<string, string>;
  geometry: { type: string; coordinates: unknown };
}

export type ObjectMap = ReadonlyMap<string, MapObject>;

export function extractFile(extract: Extract): string {
  return join(import.meta.dirname, `../../../shared/data/osm/${extract}.osm.pbf`);
}

/** All objects of an extract that have a name, by their references. */
export async function readObjects(extract: Extract, folder: string): Promise<ObjectMap> {
  const [named, exported] = [join(folder, `${extract}.osm.pbf`), join(folder, `${extract}.seq`)];
  await run('osmium', ['tags-filter', '-O', '-o', named, extractFile(extract), 'nwr/name', 'nwr/name:*']);
  const options = ['-O', '-f', 'geojsonseq', '-x', 'print_record_separator=false', '--add-unique-id=type_id'];
  await run('osmium', ['export', ...options, '-o', exported, named]);
  const objects = new Map<string, MapObject>();
  for (const line of (await readFile(exported, 'utf8')).split('\n')) {
    if (line === '') continue;
    const object = objectOf(JSON.parse(line) as Feature);
    // A closed way may be exported as a line and as a shape; the shape says more.
    if (object.rings.length > 0 || !objects.has(object.ref)) objects.set(object.ref, object);
  }
  return objects;
}

function objectOf({ id, properties, geometry }: Feature): MapObject {
  const rings = ringsOf(geometry);
  const line = rings[0] ?? pointsOf(geometry);
  const mean = (at: 0 | 1) => line.reduce((sum, point) => sum + point[at], 0) / line.length;
  return { ref: refOf(id), tags: properties, lat: mean(1), lng: mean(0), rings };
}

/** osmium numbers the shapes of ways and relations evenly and oddly. */
function refOf(id: string): string {
  if (!id.startsWith('a')) return id;
  const number = Number(id.slice(1));
  return number % 2 === 0 ? `w${number / 2}` : `r${(number - 1) / 2}`;
}

function ringsOf({ type, coordinates }: Feature['geometry']): Ring[] {
  if (type === 'Polygon') return coordinates as Ring[];
  if (type === 'MultiPolygon') return (coordinates as Ring[][]).flat();
  return [];
}

function pointsOf({ type, coordinates }: Feature['geometry']): Ring {
  if (type === 'Point') return [coordinates as [number, number]];
  return type === 'MultiLineString' ? (coordinates as Ring[]).flat() : (coordinates as Ring);
}

export function isInside(rings: readonly Ring[], lat: number, lng: number): boolean {
  let inside = false;
  for (const ring of rings)
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [[x1, y1], [x2, y2]] = [ring[i] ?? [0, 0], ring[j] ?? [0, 0]];
      if (y1 > lat !== y2 > lat && lng < ((x2 - x1) * (lat - y1)) / (y2 - y1) + x1) inside = !inside;
    }
  return inside;
}

export function metresBetween(a: { lat: number; lng: number }, b: { lat: number; lng: number }): number {
  const north = (a.lat - b.lat) * 111_320;
  const east = (a.lng - b.lng) * 111_320 * Math.cos((a.lat * Math.PI) / 180);
  return Math.hypot(north, east);
}

/** Every name that the object has, in any language. */
export function namesOf({ tags }: Pick<MapObject, 'tags'>): string[] {
  return Object.entries(tags)
    .filter(([key]) => /^((alt|short|old|int|official|loc)_)?name(:|$)/.test(key))
    .map(([, value]) => value);
}
