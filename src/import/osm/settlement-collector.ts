import type { Tags } from '../categories.ts';
import type { Point } from '../../core/geo.ts';
import type { Settlement } from '../place-draft.ts';
import { populationOf } from '../areas/area-draft.ts';
import type { Shape } from '../areas/shape.ts';
import { areaOf, radiusExtent, unite } from '../settlement-extent.ts';
import { countryCode } from '../tags/address.ts';
import { readNames } from '../tags/names.ts';
import type { OsmObject } from '../pbf/osm-object.ts';
import type { OutlinePosition } from './outline-round.ts';
import { PointTree } from './point-tree.ts';

const KINDS: readonly string[] = ['city', 'town', 'island'] satisfies Settlement['kind'][];
/** Maximum area of a country that is one destination, as an island of its size would be. */
const COUNTRY_KM2_MAX = 200;
// `label` marks the settlement that a boundary belongs to; `admin_centre` may be the capital of a whole country.
const CENTRE_ROLES = ['label', 'admin_centre'];

/** A point inside an outline is the same settlement when they agree in one of these keys. */
const SAME_KEYS = ['wikidata', 'name'];

const MUNICIPAL_LEVEL_MIN = 6;

interface MappedPoint extends Point {
  ref: string;
  tags: Tags;
}

export interface MappedArea extends Omit<OutlinePosition, 'lines' | 'holeCount'> {
  ref: string;
  tags: Tags;
  /** Null when the file contains only a part of the outline. */
  shape: Shape | null;
}

/** True for a country itself, not for a border between two countries. */
export function isCountry(tags: Tags): boolean {
  return (
    tags.get('boundary') === 'administrative' && tags.get('admin_level') === '2' && countryOf(tags) !== null
  );
}

function countryOf(tags: Tags): string | null {
  const keys = ['addr:country', 'is_in:country_code', 'ISO3166-1:alpha2', 'ISO3166-1', 'country'];
  return keys.map((key) => countryCode(tags.get(key))).find((code) => code !== null) ?? null;
}

export function isSettlement(tags: Tags): boolean {
  return KINDS.includes(tags.get('place') ?? '') && readNames(tags) !== null;
}

function isSame(key: string, a: Tags, b: Tags): boolean {
  return a.get(key) !== undefined && a.get(key) === b.get(key);
}

/** True when the boundary is that of the settlement; a country or province may only share its capital's name. */
function isBoundaryOf(boundary: Tags, point: Tags): boolean {
  if (isSame('wikidata', boundary, point)) return true;
  return isSame('name', boundary, point) && Number(boundary.get('admin_level')) >= MUNICIPAL_LEVEL_MIN;
}

/** Collects cities, towns and islands, which are mapped as a point, an outline, or both. */
export class SettlementCollector {
  readonly #points = new Map<number, MappedPoint>();
  readonly #areas = new Map<string, MappedArea>();
  readonly #countries = new Map<string, MappedArea>();
  readonly #boundaries = new Map<number, MappedArea>();

  addPoint(id: number, point: MappedPoint): void {
    this.#points.set(id, point);
  }

  /** Returns the point of a settlement that this boundary may be the outline of. */
  centreOf(relation: OsmObject, tags: Tags): number | null {
    if (tags.get('boundary') !== 'administrative') return null;
    for (const { type, ref, role } of relation.members()) {
      if (type !== 'node' || !CENTRE_ROLES.includes(role)) continue;
      const point = this.#points.get(ref);
      if (point !== undefined && (role === 'label' || isBoundaryOf(tags, point.tags))) return ref;
    }
    return null;
  }

  addBoundary(pointId: number, area: MappedArea): void {
    const current = this.#boundaries.get(pointId);
    if (current === undefined || isSmaller(area, current)) this.#boundaries.set(pointId, area);
  }

  addArea(area: MappedArea): void {
    this.#areas.set(area.ref, area);
  }

  addCountry(area: MappedArea): void {
    if (area.shape !== null && area.shape.km2 <= COUNTRY_KM2_MAX) this.#countries.set(area.ref, area);
  }

  settlements(): Settlement[] {
    const { smallest, used: matchedAreas } = this.#areasOfPoints();
    const result: Settlement[] = Array.from(this.#countries.values(), (country) =>
      settlementAt(country, country.centre, country),
    );
    for (const [id, point] of this.#points) {
      const [boundary, area] = [this.#boundaries.get(id), smallest.get(point)];
      const isArea = area !== undefined && (boundary === undefined || isSmaller(area, boundary));
      result.push(settlementAt(point, point, (isArea ? area : boundary) ?? null));
    }
    for (const area of this.#areas.values()) {
      if (!matchedAreas.has(area)) result.push(settlementAt(area, area.centre, area));
    }
    return result;
  }

  /** Returns the smallest area of the same settlement around each point, and all areas that have such a point. */
  #areasOfPoints(): { smallest: Map<MappedPoint, MappedArea>; used: Set<MappedArea> } {
    const smallest = new Map<MappedPoint, MappedArea>();
    const matchedAreas = new Set<MappedArea>();
    const areas = Array.from(this.#areas.values(), (area) => ({ area, size: areaOf(area.extent) }))
      .sort((a, b) => a.size - b.size)
      .map(({ area }) => area);
    const ranks = new Map(areas.map((area, rank) => [area, rank]));
    const rankOf = (area: MappedArea | undefined) => (area && ranks.get(area)) ?? Infinity;
    for (const key of SAME_KEYS) {
      const points = Map.groupBy(this.#points.values(), ({ tags }) => tags.get(key));
      const trees = new Map<string, PointTree<MappedPoint>>();
      for (const area of areas) {
        const value = area.tags.get(key);
        const candidates = value === undefined ? undefined : points.get(value);
        if (value === undefined || candidates === undefined) continue;
        const tree = trees.get(value) ?? new PointTree(candidates);
        trees.set(value, tree);
        if (tree.hasAny(area.extent)) matchedAreas.add(area);
        for (const point of tree.take(area.extent))
          if (rankOf(area) < rankOf(smallest.get(point))) smallest.set(point, area);
      }
    }
    return { smallest, used: matchedAreas };
  }
}

function isSmaller(a: MappedArea, b: MappedArea): boolean {
  return areaOf(a.extent) < areaOf(b.extent);
}

function settlementAt(
  { ref, tags }: { ref: string; tags: Tags },
  centre: Point,
  outline: MappedArea | null,
): Settlement {
  const kind = isCountry(tags) ? 'country' : ((tags.get('place') ?? 'town') as Settlement['kind']);
  const population = populationOf(tags);
  const around = radiusExtent(kind, population, centre);
  // An outline that is incomplete in the extract may miss most of the settlement.
  const extent =
    outline === null ? around : outline.complete ? outline.extent : unite(outline.extent, around);
  const names = readNames(tags);
  return {
    source_ref: ref,
    kind,
    name: names?.name ?? '',
    names: names?.names ?? {},
    lat: centre.lat,
    lng: centre.lng,
    extent,
    outlined: outline !== null,
    outline: outline?.shape ?? null,
    country: countryOf(tags),
    population,
  };
}
