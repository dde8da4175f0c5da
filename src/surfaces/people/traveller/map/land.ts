import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { feature } from 'topojson-client';
import type { FeatureCollection, MultiPolygon } from 'geojson';
import type { GeometryCollection, Topology } from 'topojson-specification';

export type Point = readonly [x: number, y: number];

/** One coastline in degrees, closed: longitude, latitude. */
export interface Coast {
  points: readonly Point[];
  west: number;
  south: number;
  east: number;
  north: number;
}

/** The coastlines of the world from Natural Earth: 110m is coarse enough for a world map, 50m for a region. */
export function readLand(resolution: '110m' | '50m'): Coast[] {
  const path = fileURLToPath(import.meta.resolve(`world-atlas/land-${resolution}.json`));
  const topology = JSON.parse(readFileSync(path, 'utf8')) as Topology<{ land: GeometryCollection }>;
  const land = feature(topology, topology.objects.land) as FeatureCollection<MultiPolygon>;
  return land.features
    .flatMap(({ geometry }) => geometry.coordinates.flat())
    .map((ring) => coastOf(ring as [number, number][]));
}

/** The source joins coasts across the date line; unwrapped, a coast is one unbroken line that may pass 180 degrees. */
function coastOf(ring: readonly Point[]): Coast {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  let last = ring[0]?.[0] ?? 0;
  const points = ring.map(([wrapped, lat]): Point => {
    const lng = wrapped + 360 * Math.round((last - wrapped) / 360);
    last = lng;
    west = Math.min(west, lng);
    east = Math.max(east, lng);
    south = Math.min(south, lat);
    north = Math.max(north, lat);
    return [lng, lat];
  });
  return { points, west, south, east, north };
}

/** SVG path data of closed shapes on a whole-number grid, in relative steps: the shortest form there is. */
export function closedPath(shapes: readonly (readonly Point[])[]): string {
  return shapes
    .map((shape) => steps(shape))
    .filter(({ count }) => count > 2)
    .map(({ data }) => `${data}z`)
    .join('');
}

/** SVG path data of one open line on the same grid. */
export function openPath(line: readonly Point[]): string {
  return steps(line).data;
}

function steps(points: readonly Point[]): { data: string; count: number } {
  let data = '';
  let count = 0;
  let [lastX, lastY] = [0, 0];
  for (const [exactX, exactY] of points) {
    const [x, y] = [Math.round(exactX), Math.round(exactY)];
    if (count > 0 && x === lastX && y === lastY) continue;
    if (count === 0) data = `M${x} ${y}l`;
    else data += pair(x - lastX, y - lastY, count > 1);
    [lastX, lastY] = [x, y];
    count += 1;
  }
  return { data, count };
}

/** A minus sign separates two numbers by itself. */
function pair(x: number, y: number, follows: boolean): string {
  return `${follows && x >= 0 ? ' ' : ''}${x}${y >= 0 ? ' ' : ''}${y}`;
}

/** The part of the picture that is drawn. */
export interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface Edge {
  inside(point: Point): boolean;
  cross(from: Point, to: Point): Point;
}

function edgesOf({ left, right, top, bottom }: Frame): Edge[] {
  const vertical =
    (limit: number) =>
    ([x1, y1]: Point, [x2, y2]: Point): Point => [limit, y1 + ((limit - x1) / (x2 - x1)) * (y2 - y1)];
  const horizontal =
    (limit: number) =>
    ([x1, y1]: Point, [x2, y2]: Point): Point => [x1 + ((limit - y1) / (y2 - y1)) * (x2 - x1), limit];
  return [
    { inside: ([x]) => x >= left, cross: vertical(left) },
    { inside: ([x]) => x <= right, cross: vertical(right) },
    { inside: ([, y]) => y >= top, cross: horizontal(top) },
    { inside: ([, y]) => y <= bottom, cross: horizontal(bottom) },
  ];
}

/** What lies inside the frame, after Sutherland and Hodgman: one edge of the frame after the other. */
export function clip(shape: readonly Point[], frame: Frame): readonly Point[] {
  let kept = shape;
  for (const edge of edgesOf(frame)) {
    const next: Point[] = [];
    let from = kept.at(-1);
    for (const to of kept) {
      if (from !== undefined && edge.inside(from) !== edge.inside(to)) next.push(edge.cross(from, to));
      if (edge.inside(to)) next.push(to);
      from = to;
    }
    kept = next;
  }
  return kept;
}
