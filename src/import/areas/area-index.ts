import { fold } from '../../core/text/fold.ts';
import { radiusKm } from '../settlement-extent.ts';
import { type AreaDraft, isLocal, isMunicipal, isPart, REGION_KIND } from './area-draft.ts';
import { AreaCells, type ShapedArea, bySize } from './area-cells.ts';
import { metresBetween, type Point, type BoundingBox } from '../../core/geo.ts';
import { AreaPoints } from './area-points.ts';

/** Minimum ratio of the distances to the second and the first town for a place to belong to the first. */
const CLEARLY_NEARER = 1.5;
const TOWN_KINDS = new Set(['city', 'town']);

/** Areas of this source and of earlier ones, and a lookup of those that contain a position. */
export class AreaIndex {
  /** Each area once, with the names of the points that represent it. */
  readonly areas: readonly AreaDraft[];
  readonly #cells = new AreaCells();
  readonly #regionCells = new AreaCells();
  readonly #points = new AreaPoints();
  /** Cities and towns without a known boundary. */
  readonly #towns: AreaDraft[] = [];
  /** Boundary that a point represents. */
  readonly #boundaryOf = new Map<AreaDraft, AreaDraft>();
  readonly #folded = new Map<AreaDraft, string>();
  readonly #shapedNames = new Set<string>();
  /** Settlements without a known boundary, by folded name. */
  readonly #pointNames = new Map<string, string>();
  readonly #box: BoundingBox | null;

  /** `box` is the bounding box of the file. Towns outside it are unknown. */
  constructor(areas: readonly AreaDraft[], box: BoundingBox | null = null) {
    this.#box = box;
    const shaped = areas.filter((area): area is ShapedArea => area.shape !== null);
    for (const area of shaped.sort(bySize)) {
      if (area.kind !== REGION_KIND) {
        for (const name of [area.name, ...Object.values(area.names)]) this.#shapedNames.add(fold(name));
        this.#cells.add(area);
      }
      if (area.region !== null) this.#regionCells.add(area);
    }
    const uniqueAreas: AreaDraft[] = [...shaped];
    const areaByCentre = new Map(areas.flatMap((area) => area.centres.map((ref) => [ref, area] as const)));
    for (const point of areas) {
      if (!point.point) continue;
      const around = this.#cells.containing(point);
      const boundary = around.find((area) => isSame(area, point)) ?? null;
      const cut = areaByCentre.get(point.source_ref);
      if (boundary !== null) {
        this.#boundaryOf.set(point, boundary);
        boundary.names = unitedNames(boundary, point);
      } else {
        if (cut !== undefined && cut.shape === null) point.names = unitedNames(point, cut);
        uniqueAreas.push(point);
        this.#pointNames.set(fold(point.name), point.name);
        if (TOWN_KINDS.has(point.kind)) this.#towns.push(point);
      }
      if (point.kind !== 'city') this.#points.add(point, around.find((area) => !isPart(area)) ?? null);
    }
    this.areas = uniqueAreas;
  }

  /** Returns the names of the areas that contain a place, the smallest first, and the smallest below a province. */
  at(point: Point): { areas: string[]; smallest: string | null } {
    if (this.areas.length === 0) return { areas: [], smallest: null };
    const chain: AreaDraft[] = this.#cells.containing(point);
    const [smallest = null] = chain;
    if (smallest === null || !isPart(smallest)) {
      const nearest = this.#points.nearest(point, smallest);
      const isBeyond =
        nearest !== undefined &&
        isMunicipal(nearest) &&
        !this.#isWithin(point, metresBetween(point, nearest));
      if (nearest !== undefined && !isBeyond && !this.#boundaryOf.has(nearest)) chain.unshift(nearest);
    }
    if (!chain.some(isMunicipal)) chain.push(...this.#townsAround(point));
    const areas = chain.filter(
      (area, at) =>
        !chain.some((earlier, before) => before < at && this.#foldedName(earlier) === this.#foldedName(area)),
    );
    return { areas: areas.map(({ name }) => name), smallest: chain.find(isLocal)?.name ?? null };
  }

  /** Returns the codes of the states and provinces that contain a position, the largest first. */
  regionsAt(point: Point): string[] {
    return this.#regionCells
      .containing(point)
      .flatMap(({ region }) => region ?? [])
      .reverse();
  }

  /** True when an area of this name has a known shape, which then decides which places it contains. */
  hasShapeNamed(name: string): boolean {
    return this.#shapedNames.has(fold(name));
  }

  /** Returns the name of the settlement that is known as a point only, so that addresses decide which places it contains. */
  pointNamed(name: string): string | undefined {
    return this.hasShapeNamed(name) ? undefined : this.#pointNames.get(fold(name));
  }

  /** Returns the folded name of an area, cached: millions of places lie in few areas. */
  #foldedName(area: AreaDraft): string {
    return this.#folded.getOrInsertComputed(area, ({ name }) => fold(name));
  }

  /** Returns the nearest town that reaches the point, if it is clearly nearest, and the one with the furthest reach. */
  #townsAround(point: Point): AreaDraft[] {
    const around = this.#towns
      .map((area) => ({
        area,
        km: metresBetween(point, area) / 1000,
        reach: radiusKm(area.kind === 'city' ? 'city' : 'town', area.population),
      }))
      .filter(({ km, reach }) => km <= reach)
      .sort((a, b) => a.km - b.km);
    const largest = around.toSorted((a, b) => b.reach - a.reach)[0];
    const [nearest, second] = around.filter((town) => town !== largest || around.length === 1);
    const isClear =
      nearest !== undefined &&
      (second === undefined || second.km >= nearest.km * CLEARLY_NEARER) &&
      this.#isWithin(point, nearest.km * 1000);
    const towns = new Set([isClear ? nearest : undefined, largest]);
    return [...towns].flatMap((town) => (town === undefined ? [] : [town.area]));
  }

  /** True when everything within this distance is on the map; else an unmapped town may be nearer. */
  #isWithin({ lat, lng }: Point, metres: number): boolean {
    if (this.#box === null) return true;
    const { south, north, west, east } = this.#box;
    const edges = [
      ...[south, north].map((edge) => ({ lat: edge, lng })),
      ...[west, east].map((edge) => ({ lat, lng: edge })),
    ];
    return edges.every((edge) => metresBetween({ lat, lng }, edge) >= metres);
  }
}

/** True when both are the same area: equal names or Wikidata ids, or the point is the boundary's centre. */
function isSame(boundary: AreaDraft, point: AreaDraft): boolean {
  if (boundary.centres.includes(point.source_ref)) return true;
  if (boundary.wikidata !== null && boundary.wikidata === point.wikidata) return true;
  const names = new Set([boundary.name, ...Object.values(boundary.names)].map(fold));
  return names.has(fold(point.name));
}

function unitedNames(area: AreaDraft, other: AreaDraft): Record<string, string> {
  const knownNames = new Set([area.name, ...Object.values(area.names)]);
  const names = { ...area.names };
  for (const [tag, name] of Object.entries({ ...other.names, 'x-same': other.name })) {
    if (knownNames.has(name)) continue;
    knownNames.add(name);
    let key = tag in names ? 'x-same' : tag;
    for (let number = 2; key in names; number++) key = `x-same${number}`;
    names[key] = name;
  }
  return names;
}
