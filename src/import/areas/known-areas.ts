import { fold } from '../../core/text/fold.ts';
import type { Extent, Point } from '../centre.ts';
import { radiusKm } from '../settlement-extent.ts';
import { type AreaDraft, isLocal, isMunicipal, isPart, REGION_KIND } from './area-draft.ts';
import { AreaCells, type ShapedArea, bySize } from './area-cells.ts';
import { AreaPoints, metresBetween } from './area-points.ts';

/** How many times as far the second town must be, for the first to be the town of a place between them. */
const CLEARLY_NEARER = 1.5;
const TOWN_KINDS = new Set(['city', 'town']);

/** Where a place lies. */
export interface Whereabouts {
  /** The names of the areas that contain it, the smallest first. */
  areas: string[];
  /** The smallest, unless that is as large as a province. */
  smallest: string | null;
}

const NOWHERE: Whereabouts = { areas: [], smallest: null };

/** The areas of a source and of earlier ones, and which of them contain a position. */
export class KnownAreas {
  /** Each once, with the names of the points that stand for it. */
  readonly areas: readonly AreaDraft[];
  readonly #cells = new AreaCells();
  readonly #regionCells = new AreaCells();
  readonly #points = new AreaPoints();
  /** Cities and towns of which no boundary is known. */
  readonly #towns: AreaDraft[] = [];
  /** The area that a point stands for. */
  readonly #boundaryOf = new Map<AreaDraft, AreaDraft>();
  readonly #folded = new Map<AreaDraft, string>();
  readonly #shapedNames = new Set<string>();
  readonly #box: Extent | null;

  /** Nothing is known of the towns beyond the box. */
  constructor(areas: readonly AreaDraft[], box: Extent | null = null) {
    this.#box = box;
    const shaped = areas.filter((area): area is ShapedArea => area.shape !== null);
    for (const area of shaped.sort(bySize)) {
      if (area.kind !== REGION_KIND) this.#addShape(area);
      if (area.region !== null) this.#regionCells.add(area);
    }
    const kept: AreaDraft[] = [...shaped];
    const named = new Map(areas.flatMap((area) => area.centres.map((ref) => [ref, area] as const)));
    for (const point of areas) {
      if (!point.point) continue;
      const around = this.#cells.containing(point);
      const own = around.find((area) => isSame(area, point)) ?? null;
      const cut = named.get(point.source_ref);
      if (own !== null) {
        this.#boundaryOf.set(point, own);
        own.names = unitedNames(own, point);
      } else {
        if (cut !== undefined && cut.shape === null) point.names = unitedNames(point, cut);
        kept.push(point);
        if (TOWN_KINDS.has(point.kind)) this.#towns.push(point);
      }
      if (point.kind !== 'city') this.#points.add(point, around.find((area) => !isPart(area)) ?? null);
    }
    this.areas = kept;
  }

  at(point: Point): Whereabouts {
    if (this.areas.length === 0) return NOWHERE;
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
      (area, at) => !chain.some((one, before) => before < at && this.#isNamed(one, area)),
    );
    return { areas: areas.map(({ name }) => name), smallest: chain.find(isLocal)?.name ?? null };
  }

  /** The codes of the states and provinces that contain a position, the largest first. */
  regionsAt(point: Point): string[] {
    return this.#regionCells
      .containing(point)
      .flatMap(({ region }) => region ?? [])
      .reverse();
  }

  /** Whether a name is that of an area whose shape is known: then the shape tells what lies in it, and no address. */
  isShaped(name: string): boolean {
    return this.#shapedNames.has(fold(name));
  }

  /** The chains of millions of places are made of few areas: a name is folded once. */
  #isNamed(one: AreaDraft, other: AreaDraft): boolean {
    return this.#foldedName(one) === this.#foldedName(other);
  }

  #foldedName(area: AreaDraft): string {
    let folded = this.#folded.get(area);
    if (folded === undefined) this.#folded.set(area, (folded = fold(area.name)));
    return folded;
  }

  /** The nearest town that reaches here, unless another one is about as near; and the one that reaches furthest. */
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
    const [nearest, second] = around.filter((one) => one !== largest || around.length === 1);
    const isClear =
      nearest !== undefined &&
      (second === undefined || second.km >= nearest.km * CLEARLY_NEARER) &&
      this.#isWithin(point, nearest.km * 1000);
    const found = new Set([isClear ? nearest : undefined, largest]);
    return [...found].flatMap((one) => (one === undefined ? [] : [one.area]));
  }

  /** Whether all within so many metres is on the map: else a town beyond its edge may be nearer than any on it. */
  #isWithin({ lat, lng }: Point, metres: number): boolean {
    if (this.#box === null) return true;
    const { south, north, west, east } = this.#box;
    const edges = [south, north].map((edge) => ({ lat: edge, lng }));
    edges.push(...[west, east].map((edge) => ({ lat, lng: edge })));
    return edges.every((edge) => metresBetween({ lat, lng }, edge) >= metres);
  }

  #addShape(area: ShapedArea): void {
    for (const name of [area.name, ...Object.values(area.names)]) this.#shapedNames.add(fold(name));
    this.#cells.add(area);
  }
}

/** A point whose boundary has its name, or names it as its centre, is that boundary. */
function isSame(boundary: AreaDraft, point: AreaDraft): boolean {
  if (boundary.centres.includes(point.source_ref)) return true;
  if (boundary.wikidata !== null && boundary.wikidata === point.wikidata) return true;
  const names = new Set([boundary.name, ...Object.values(boundary.names)].map(fold));
  return names.has(fold(point.name));
}

function unitedNames(area: AreaDraft, other: AreaDraft): Record<string, string> {
  const known = new Set([area.name, ...Object.values(area.names)]);
  const names = { ...area.names };
  for (const [tag, name] of Object.entries({ ...other.names, 'x-same': other.name })) {
    if (known.has(name)) continue;
    known.add(name);
    let own = tag in names ? 'x-same' : tag;
    for (let number = 2; own in names; number++) own = `x-same${number}`;
    names[own] = name;
  }
  return names;
}
