import type { Point } from '../../core/geo.ts';
import type { Tags } from '../../import/categories.ts';
import { isClosed, type Line } from '../../import/centre.ts';
import type { BlockReader } from '../../import/osm/block-reader.ts';
import type { OutlinePosition, OutlineRound } from '../../import/osm/outline-round.ts';
import type { OsmBlock } from '../../import/pbf/osm-block.ts';
import type { OsmObject } from '../../import/pbf/osm-object.ts';
import { WantedKeys } from '../../import/pbf/wanted-keys.ts';
import { DRAWN_KEYS, featuresOf, type FeatureKind, type ObjectForm } from './map-feature.ts';

/** Object of the map that is drawn: what it draws, and its lines as longitude, latitude, longitude … */
export interface MapFeature {
  kinds: FeatureKind[];
  /** Centre, for labels. */
  centre: Point;
  lines: readonly Line[];
  /** Polygons, each an outer ring with its holes. Empty for lines. */
  polygons: readonly (readonly Line[])[];
}

export const DRAWN = new WantedKeys(DRAWN_KEYS);
const MERCATOR_LAT_MAX = 85;

/** Converts the objects of the map into features of the street map, and collects the coastlines. */
export class MapReader implements BlockReader<MapFeature> {
  /** Lines with the land on their left. */
  readonly coastlines: Line[] = [];
  #features: MapFeature[] = [];

  readNodes(block: OsmBlock): void {
    for (const { lat, lng, tags } of block.wantedNodes()) {
      if (Math.abs(lat) > MERCATOR_LAT_MAX || Math.abs(lng) > 180) continue;
      const kinds = featuresOf(tags, 'node');
      if (kinds.length > 0)
        this.#features.push({ kinds, centre: { lat, lng }, lines: [[lng, lat]], polygons: [] });
    }
  }

  collectOutlines(block: OsmBlock, round: OutlineRound): boolean {
    const before = round.size;
    for (const way of block.ways()) if (isDrawnWay(way)) round.addWay(way);
    for (const relation of block.relations())
      if (isDrawnRelation(relation)) round.addRelation(relation, true);
    return round.size > before;
  }

  readOutlines(block: OsmBlock, round: OutlineRound): void {
    for (const way of block.ways()) {
      if (!round.isNextWay(way.id)) continue;
      const position = round.takeWayPosition();
      if (position !== null) this.#takeWay(way.tags(), position);
    }
    for (const relation of block.relations()) {
      if (!round.isNextRelation(relation.id)) continue;
      const position = round.takeRelationPosition();
      if (position !== null) this.#takeRelation(relation.tags(), position);
    }
  }

  *takeBatch(): Generator<MapFeature> {
    const features = this.#features;
    this.#features = [];
    yield* features;
  }

  *takeRest(): Generator<MapFeature> {
    yield* this.takeBatch();
  }

  #takeWay(tags: Tags, { lines, centre }: OutlinePosition): void {
    if (tags.get('natural') === 'coastline') this.coastlines.push(...lines.filter((line) => line.length > 2));
    const isRing = lines.every(isClosed);
    const kinds = featuresOf(tags, isRing ? 'ring' : 'line');
    if (kinds.length > 0) this.#features.push({ kinds, centre, lines, polygons: isRing ? [lines] : [] });
  }

  #takeRelation(tags: Tags, { lines, centre, holeCount }: OutlinePosition): void {
    const kinds = featuresOf(tags, formOfRelation(tags));
    if (kinds.length === 0) return;
    const outers = lines.slice(0, lines.length - holeCount).filter(isClosed);
    const holes = lines.slice(lines.length - holeCount).filter(isClosed);
    const polygons = outers.map((outer) => [outer]);
    for (const hole of holes) {
      const [x = 0, y = 0] = hole;
      (polygons.find(([outer = []]) => isInside(outer, x, y)) ?? polygons[0])?.push(hole);
    }
    this.#features.push({ kinds, centre, lines, polygons });
  }
}

/** A closed way may be a line or an area, which its position shows later; here it counts when either draws something. */
function isDrawnWay(way: OsmObject): boolean {
  if (!way.wanted) return false;
  const tags = way.tags();
  if (tags.get('natural') === 'coastline') return true;
  const refs = way.refs();
  const isRing = refs.length > 3 && refs[0] === refs.at(-1);
  return featuresOf(tags, isRing ? 'ring' : 'line').length > 0;
}

function isDrawnRelation(relation: OsmObject): boolean {
  if (!relation.wanted) return false;
  const tags = relation.tags();
  const type = tags.get('type');
  return (
    (type === 'multipolygon' || type === 'boundary') && featuresOf(tags, formOfRelation(tags)).length > 0
  );
}

function formOfRelation(tags: Tags): ObjectForm {
  return tags.get('boundary') === 'administrative' ? 'border' : 'area';
}

/** Counts how often a ray to the east crosses the ring. */
function isInside(ring: Line, x: number, y: number): boolean {
  let inside = false;
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [ring[at], ring[at + 1], ring[at + 2], ring[at + 3]];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  }
  return inside;
}
