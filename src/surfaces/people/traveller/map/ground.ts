import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { clip, closedPath, type Coast, type MapPoint } from './land.ts';
import { raw, type Html } from '../../../../core/text/html.ts';
import type { DestinationExtent } from '../../../../directory/destinations.ts';

/** A coastline of the most detailed map, as a flat array: longitude, latitude, longitude, latitude. */
export interface FineCoast extends Omit<Coast, 'points'> {
  line: Float32Array;
}

let coasts: Promise<FineCoast[]> | undefined;

/** Loads the coastlines at 1 : 10,000,000 in a worker thread when the first map needs them. */
function fineCoasts(): Promise<FineCoast[]> {
  coasts ??= readInThread().catch((thrown: unknown) => {
    coasts = undefined;
    throw thrown;
  });
  return coasts;
}

function readInThread(): Promise<FineCoast[]> {
  const worker = new Worker(new URL('read-coast.ts', import.meta.url));
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => {
      reject(new Error('The reader of the coast ended early.'));
    });
  });
}

/** Returns the points of a coastline, shifted by `turn` degrees of longitude (a multiple of 360). */
function pointsOf({ line }: FineCoast, turn: number): MapPoint[] {
  return Array.from({ length: line.length / 2 }, (_, index): MapPoint => [
    (line[index * 2] ?? 0) + turn,
    line[index * 2 + 1] ?? 0,
  ]);
}

/** Base map of a destination, in the Mercator projection, which the interactive map also uses. */
export interface BaseMap {
  /** Land, for an svg of WIDTH by HEIGHT. */
  picture: Html;
  scaleBar: Html;
  /** True when the picture shows only land or only sea. */
  isPlain: boolean;
  /** The same for a strip of the picture, from `top` to `top + height` in steps of BAND. */
  isPlainStrip(top: number, height: number): boolean;
  project(lat: number, lng: number): MapPoint;
  /** Covered area: south, west, north, east. */
  bounds: readonly [number, number, number, number];
}

export const WIDTH = 640;
export const HEIGHT = 480;
/** Height of the bands of the picture in which land and sea are measured. */
export const BAND = 32;
/** Grid factor for the land, so that its coast stays smooth when the map is enlarged. */
const FINE = 5;
/** Land is drawn so many widths and heights beyond the picture, for windows of another shape. */
const BEYOND = 1;
const PADDING = 24;
const SPAN_MIN = 0.02;
const KM_PER_DEGREE = 111.32;
const SCALE_BAR_MAX = 170;
const ROUND_KM = [500, 200, 100, 50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1];
/** Less land or less sea than this share is not visible, in the whole picture and in a strip of it. */
const PLAIN_SHARE = { whole: 0.001, strip: 0.02 };
const GROUNDS_MAX = 2000;

const mercator = (lat: number): number =>
  (Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) * 180) / Math.PI;
const latitudeOf = (y: number): number => (Math.atan(Math.exp((y * Math.PI) / 180)) * 360) / Math.PI - 90;

const grounds = new LRUCache<string, Promise<BaseMap>>({ max: GROUNDS_MAX });

/** Draws each base map once and caches it: clipping a continent costs milliseconds, and destinations do not move. */
export function baseMapOf(extent: DestinationExtent): Promise<BaseMap> {
  const key = [extent.west, extent.south, extent.east, extent.north].join();
  let ground = grounds.get(key);
  if (ground === undefined) {
    ground = drawGround(extent).catch((thrown: unknown) => {
      grounds.delete(key);
      throw thrown;
    });
    grounds.set(key, ground);
  }
  return ground;
}

async function drawGround(extent: DestinationExtent): Promise<BaseMap> {
  const { west, south, north } = extent;
  const east = extent.east < west ? extent.east + 360 : extent.east;
  const [low, high] = [mercator(south), mercator(north)];
  const scale = Math.min(
    (WIDTH - 2 * PADDING) / Math.max(east - west, SPAN_MIN),
    (HEIGHT - 2 * PADDING) / Math.max(high - low, SPAN_MIN),
  );
  const [midX, midY] = [(west + east) / 2, (low + high) / 2];
  const toPoint = (lng: number, lat: number): MapPoint => [
    WIDTH / 2 + (lng - midX) * scale,
    HEIGHT / 2 - (mercator(lat) - midY) * scale,
  ];
  const [halfX, halfY] = [WIDTH / 2 / scale, HEIGHT / 2 / scale];
  const bounds = [latitudeOf(midY - halfY), midX - halfX, latitudeOf(midY + halfY), midX + halfX] as const;
  const { land, shares } = await landIn(bounds, toPoint);
  return {
    isPlain: isPlain(shares, PLAIN_SHARE.whole),
    isPlainStrip: (top, height) =>
      isPlain(shares.slice(top / BAND, (top + height) / BAND), PLAIN_SHARE.strip),
    picture: raw(
      `<svg class="ground" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH * FINE} ${HEIGHT * FINE}" preserveAspectRatio="none">` +
        `<path class="land" d="${land}"/></svg>`,
    ),
    scaleBar: scaleBar(scale / (KM_PER_DEGREE * Math.cos(((south + north) * Math.PI) / 360))),
    project: (lat, lng) => toPoint(lng + 360 * Math.round((midX - lng) / 360), lat),
    bounds,
  };
}

type ToPoint = (lng: number, lat: number) => MapPoint;
type Bounds = BaseMap['bounds'];

async function landIn(
  [low, left, high, right]: Bounds,
  toPoint: ToPoint,
): Promise<{ land: string; shares: readonly number[] }> {
  const coasts = await fineCoasts();
  const [beyondX, beyondY] = [WIDTH * FINE * BEYOND, HEIGHT * FINE * BEYOND];
  const frame = {
    ...{ left: -beyondX, right: WIDTH * FINE + beyondX },
    ...{ top: -beyondY, bottom: HEIGHT * FINE + beyondY },
  };
  const [west, east] = [left - (right - left) * BEYOND, right + (right - left) * BEYOND];
  const [south, north] = [low - (high - low) * BEYOND, high + (high - low) * BEYOND];
  const shapes = [-360, 0, 360].flatMap((turn) =>
    coasts
      .filter(
        (coast) =>
          coast.west + turn < east && coast.east + turn > west && coast.south < north && coast.north > south,
      )
      .map((coast) =>
        clip(
          pointsOf(coast, turn).map(([lng, lat]) => finer(toPoint(lng, Math.max(lat, -85)))),
          frame,
        ),
      ),
  );
  // The share of land in each band, from the top.
  const shares = Array.from({ length: HEIGHT / BAND }, (_, at) => {
    const band = { left: 0, right: WIDTH * FINE, top: at * BAND * FINE, bottom: (at + 1) * BAND * FINE };
    const land = shapes.reduce((sum, shape) => sum + areaOf(clip(shape, band)), 0);
    return land / (WIDTH * BAND * FINE * FINE);
  });
  return { land: closedPath(shapes), shares };
}

function isPlain(shares: readonly number[], least: number): boolean {
  const land = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return land < least || land > 1 - least;
}

function areaOf(shape: readonly MapPoint[]): number {
  let sum = 0;
  for (const [at, [x, y]] of shape.entries()) {
    const [beforeX, beforeY] = shape.at(at - 1) ?? [x, y];
    sum += beforeX * y - x * beforeY;
  }
  return Math.abs(sum) / 2;
}

function finer([x, y]: MapPoint): MapPoint {
  return [x * FINE, y * FINE];
}

function scaleBar(unitsPerKm: number): Html {
  const km = ROUND_KM.find((round) => round * unitsPerKm <= SCALE_BAR_MAX) ?? 0.1;
  const bar = Math.round(km * unitsPerKm);
  const text = km < 1 ? `${km * 1000} m` : `${km} km`;
  return raw(
    `<path class="scale" d="M16 ${HEIGHT - 22}v6h${bar}v-6"/><text x="${26 + bar}" y="${HEIGHT - 14}">${text}</text>`,
  );
}
