import { raw, type Html } from '../../../../core/text/html.ts';
import { fineCoasts, pointsOf } from './fine-coast.ts';
import { clip, closedPath, openPath, type Point } from './land.ts';
import type { Extent } from '../../../../directory/destinations.ts';

/** The map under the places of a destination, in the Mercator projection, which a moving map shares. */
export interface Ground {
  /** Land and graticule, to be put into an svg of WIDTH by HEIGHT. */
  picture: Html;
  scaleBar: Html;
  project(lat: number, lng: number): Point;
  /** What the picture covers: south, west, north, east. */
  bounds: readonly [number, number, number, number];
}

export const WIDTH = 640;
export const HEIGHT = 480;
/** The land is drawn on a finer grid, so that its coast stays smooth when the map is enlarged. */
const FINE = 5;
const PADDING = 24;
const SPAN_MIN = 0.02;
const KM_PER_DEGREE = 111.32;
const SCALE_BAR_MAX = 170;
const ROUND_KM = [500, 200, 100, 50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1];
const ROUND_DEGREES = [10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005];
const GRID_LINES_MIN = 4;
const GROUNDS_MAX = 2000;

const mercator = (lat: number): number =>
  (Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) * 180) / Math.PI;
const latitudeOf = (y: number): number => (Math.atan(Math.exp((y * Math.PI) / 180)) * 360) / Math.PI - 90;

const drawn = new Map<string, Promise<Ground>>();

/** Cutting a continent costs milliseconds, and destinations do not move: each ground is drawn once. */
export function groundOf(extent: Extent): Promise<Ground> {
  const key = [extent.west, extent.south, extent.east, extent.north].join();
  let ground = drawn.get(key);
  if (ground === undefined) {
    if (drawn.size >= GROUNDS_MAX) drawn.clear();
    ground = drawGround(extent).catch((thrown: unknown) => {
      drawn.delete(key);
      throw thrown;
    });
    drawn.set(key, ground);
  }
  return ground;
}

async function drawGround(extent: Extent): Promise<Ground> {
  const { west, south, north } = extent;
  const east = extent.east < west ? extent.east + 360 : extent.east;
  const [low, high] = [mercator(south), mercator(north)];
  const scale = Math.min(
    (WIDTH - 2 * PADDING) / Math.max(east - west, SPAN_MIN),
    (HEIGHT - 2 * PADDING) / Math.max(high - low, SPAN_MIN),
  );
  const [midX, midY] = [(west + east) / 2, (low + high) / 2];
  const place = (lng: number, lat: number): Point => [
    WIDTH / 2 + (lng - midX) * scale,
    HEIGHT / 2 - (mercator(lat) - midY) * scale,
  ];
  const [halfX, halfY] = [WIDTH / 2 / scale, HEIGHT / 2 / scale];
  const bounds = [latitudeOf(midY - halfY), midX - halfX, latitudeOf(midY + halfY), midX + halfX] as const;
  const land = await landPath(bounds, place);
  return {
    picture: raw(
      `<svg class="ground" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH * FINE} ${HEIGHT * FINE}" preserveAspectRatio="none">` +
        `<path class="land" d="${land}"/><path class="grid" d="${graticule(bounds, place)}"/></svg>`,
    ),
    scaleBar: scaleBar(scale / (KM_PER_DEGREE * Math.cos(((south + north) * Math.PI) / 360))),
    project: (lat, lng) => place(lng + 360 * Math.round((midX - lng) / 360), lat),
    bounds,
  };
}

type Place = (lng: number, lat: number) => Point;
type Bounds = Ground['bounds'];

async function landPath([south, west, north, east]: Bounds, place: Place): Promise<string> {
  const coasts = await fineCoasts();
  const frame = { left: -FINE, right: WIDTH * FINE + FINE, top: -FINE, bottom: HEIGHT * FINE + FINE };
  const shapes = [-360, 0, 360].flatMap((turn) =>
    coasts
      .filter(
        (coast) =>
          coast.west + turn < east && coast.east + turn > west && coast.south < north && coast.north > south,
      )
      .map((coast) =>
        clip(
          pointsOf(coast, turn).map(([lng, lat]) => finer(place(lng, Math.max(lat, -85)))),
          frame,
        ),
      ),
  );
  return closedPath(shapes);
}

function finer([x, y]: Point): Point {
  return [x * FINE, y * FINE];
}

function graticule([south, west, north, east]: Bounds, place: Place): string {
  const step = ROUND_DEGREES.find((degrees) => (east - west) / degrees >= GRID_LINES_MIN) ?? SPAN_MIN;
  const lines: string[] = [];
  for (let index = Math.ceil(west / step); index * step < east; index += 1)
    lines.push(openPath([finer(place(index * step, south)), finer(place(index * step, north))]));
  for (let index = Math.ceil(south / step); index * step < north; index += 1)
    lines.push(openPath([finer(place(west, index * step)), finer(place(east, index * step))]));
  return lines.join('');
}

function scaleBar(unitsPerKm: number): Html {
  const km = ROUND_KM.find((round) => round * unitsPerKm <= SCALE_BAR_MAX) ?? 0.1;
  const bar = Math.round(km * unitsPerKm);
  const text = km < 1 ? `${km * 1000} m` : `${km} km`;
  return raw(
    `<path class="scale" d="M16 ${HEIGHT - 22}v6h${bar}v-6"/><text x="${26 + bar}" y="${HEIGHT - 14}">${text}</text>`,
  );
}
