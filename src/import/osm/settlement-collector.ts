import type { Tags } from '../categories.ts';
import type { Point } from '../centre.ts';
import type { Settlement } from '../place-draft.ts';
import { populationOf } from '../areas/area-draft.ts';
import type { Shape } from '../areas/shape.ts';
import { areaOf, contains, radiusExtent, unite } from '../settlement-extent.ts';
import { readCountry } from '../tags/address.ts';
import { readNames } from '../tags/names.ts';
import type { OsmObject } from '../pbf/osm-object.ts';
import type { Position } from './outline-round.ts';

const KINDS: readonly string[] = ['city', 'town', 'island'] satisfies Settlement['kind'][];
/** A country of this size is one destination, as an island of its size would be. */
const COUNTRY_KM2_MAX = 200;
// `label` marks the settlement that a boundary belongs to; `admin_centre` may be the capital of a whole country.
const CENTRE_ROLES = ['label', 'admin_centre'];

const MUNICIPAL_LEVEL_MIN = 6;

interface MappedPoint extends Point {
  ref: string;
  tags: Tags;
}

export interface MappedArea extends Position {
  ref: string;
  tags: Tags;
  /** Null where the file holds only a part of the outline. */
  shape: Shape | null;
}

/** A country as such; a boundary between two of them is none. */
export function isCountry(tags: Tags): boolean {
  return (
    tags.get('boundary') === 'administrative' && tags.get('admin_level') === '2' && countryOf(tags) !== null
  );
}

function countryOf(tags: Tags): string | null {
  const keys = ['addr:country', 'is_in:country_code', 'ISO3166-1:alpha2', 'ISO3166-1', 'country'];
  return keys.map((key) => readCountry(tags.get(key))).find((code) => code !== null) ?? null;
}

export function isSettlement(tags: Tags): boolean {
  return KINDS.includes(tags.get('place') ?? '') && readNames(tags) !== null;
}

function isSame(key: string, a: Tags, b: Tags): boolean {
  return a.get(key) !== undefined && a.get(key) === b.get(key);
}

function isSameSettlement(a: Tags, b: Tags): boolean {
  return isSame('wikidata', a, b) || isSame('name', a, b);
}

/** A country or province often bears the name of its capital; a municipality is the town with its surroundings. */
function isBoundaryOf(boundary: Tags, point: Tags): boolean {
  if (isSame('wikidata', boundary, point)) return true;
  return isSame('name', boundary, point) && Number(boundary.get('admin_level')) >= MUNICIPAL_LEVEL_MIN;
}

/** Gathers cities, towns and islands, which are mapped as a point, an outline, or both. */
export class SettlementCollector {
  readonly #points = new Map<number, MappedPoint>();
  readonly #areas: MappedArea[] = [];
  readonly #countries: MappedArea[] = [];
  readonly #boundaries = new Map<number, MappedArea[]>();

  addPoint(id: number, point: MappedPoint): void {
    this.#points.set(id, point);
  }

  /** The point of a settlement that this boundary may be the outline of. */
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
    this.#boundaries.set(pointId, [...(this.#boundaries.get(pointId) ?? []), area]);
  }

  addArea(area: MappedArea): void {
    this.#areas.push(area);
  }

  addCountry(area: MappedArea): void {
    if (area.shape !== null && area.shape.km2 <= COUNTRY_KM2_MAX) this.#countries.push(area);
  }

  /** Every settlement once, with the best extent known. */
  settlements(): Settlement[] {
    const used = new Set<MappedArea>();
    const found: Settlement[] = this.#countries.map((country) =>
      settlementAt(country, country.centre, country),
    );
    for (const [id, point] of this.#points) {
      const areas = this.#areas.filter(
        (area) => isSameSettlement(area.tags, point.tags) && contains(area.extent, point),
      );
      for (const area of areas) used.add(area);
      const outlines = [...(this.#boundaries.get(id) ?? []), ...areas];
      const [smallest] = outlines.toSorted((a, b) => areaOf(a.extent) - areaOf(b.extent));
      found.push(settlementAt(point, point, smallest ?? null));
    }
    for (const area of this.#areas) {
      if (!used.has(area)) found.push(settlementAt(area, area.centre, area));
    }
    return found;
  }
}

function settlementAt(
  { ref, tags }: { ref: string; tags: Tags },
  centre: Point,
  outline: MappedArea | null,
): Settlement {
  const kind = isCountry(tags) ? 'country' : ((tags.get('place') ?? 'town') as Settlement['kind']);
  const population = populationOf(tags);
  const around = radiusExtent(kind, population, centre);
  // An outline that the extract cuts through may miss most of the settlement.
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
