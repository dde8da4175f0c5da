import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { feature } from 'topojson-client';
import type { FeatureCollection, MultiPolygon } from 'geojson';
import type { GeometryCollection, Topology } from 'topojson-specification';

export type MapPoint = readonly [x: number, y: number];

/** A closed coastline in degrees: longitude, latitude. */
export interface Coast {
  points: readonly MapPoint[];
  west: number;
  south: number;
  east: number;
  north: number;
}

/** Reads the world's coastlines from Natural Earth: 110m suffices for a world map, 50m for a region. */
export function readLand(resolution: '110m' | '50m'): Coast[] {
  const path = fileURLToPath(import.meta.resolve(`world-atlas/land-${resolution}.json`));
  const topology = JSON.parse(readFileSync(path, 'utf8')) as Topology<{ land: GeometryCollection }>;
  const land = feature(topology, topology.objects.land) as FeatureCollection<MultiPolygon>;
  return land.features
    .flatMap(({ geometry }) => geometry.coordinates.flat())
    .map((ring) => coastOf(ring as [number, number][]));
}

/**
 * Unwraps a coastline: the source joins coasts across the date line; unwrapped, a coast is one unbroken line that may
 * pass 180 degrees.
 */
function coastOf(ring: readonly MapPoint[]): Coast {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  let last = ring[0]?.[0] ?? 0;
  const points = ring.map(([wrapped, lat]): MapPoint => {
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

/** Returns SVG path data of closed shapes on an integer grid, in relative steps, which is the shortest form. */
export function closedPath(shapes: readonly (readonly MapPoint[])[]): string {
  return shapes
    .map((shape) => steps(shape))
    .filter(({ count }) => count > 2)
    .map(({ data }) => `${data}z`)
    .join('');
}

/** Returns SVG path data of one open line on the same grid. */
export function openPath(line: readonly MapPoint[]): string {
  return steps(line).data;
}

function steps(points: readonly MapPoint[]): { data: string; count: number } {
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

/** Formats a coordinate pair. A minus sign needs no separator before it. */
function pair(x: number, y: number, follows: boolean): string {
  return `${follows && x >= 0 ? ' ' : ''}${x}${y >= 0 ? ' ' : ''}${y}`;
}

/** The visible part of the picture. */
export interface MapBounds {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface Edge {
  inside(point: MapPoint): boolean;
  cross(from: MapPoint, to: MapPoint): MapPoint;
}

function edgesOf({ left, right, top, bottom }: MapBounds): Edge[] {
  const vertical =
    (limit: number) =>
    ([x1, y1]: MapPoint, [x2, y2]: MapPoint): MapPoint => [
      limit,
      y1 + ((limit - x1) / (x2 - x1)) * (y2 - y1),
    ];
  const horizontal =
    (limit: number) =>
    ([x1, y1]: MapPoint, [x2, y2]: MapPoint): MapPoint => [
      x1 + ((limit - y1) / (y2 - y1)) * (x2 - x1),
      limit,
    ];
  return [
    { inside: ([x]) => x >= left, cross: vertical(left) },
    { inside: ([x]) => x <= right, cross: vertical(right) },
    { inside: ([, y]) => y >= top, cross: horizontal(top) },
    { inside: ([, y]) => y <= bottom, cross: horizontal(bottom) },
  ];
}

/** Clips a shape to the frame with the Sutherland–Hodgman algorithm: one edge of the frame after the other. */
export function clip(shape: readonly MapPoint[], frame: MapBounds): readonly MapPoint[] {
  let clipped = shape;
  for (const edge of edgesOf(frame)) {
    const next: MapPoint[] = [];
    let from = clipped.at(-1);
    for (const to of clipped) {
      if (from !== undefined && edge.inside(from) !== edge.inside(to)) next.push(edge.cross(from, to));
      if (edge.inside(to)) next.push(to);
      from = to;
    }
    clipped = next;
  }
  return clipped;
}
