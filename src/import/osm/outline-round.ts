import type { Point, BoundingBox } from '../../core/geo.ts';
import { type Line, centreOf, extentOf, squareMetresOf } from '../centre.ts';
import { joinRings } from './join-rings.ts';
import { NodePositions } from '../pbf/node-positions.ts';
import type { OsmObject } from '../pbf/osm-object.ts';
import { RefLists } from './ref-lists.ts';
import { SortedIds } from '../pbf/sorted-ids.ts';

// A member way of a relation has not been read when it is counted; this is the usual number of its nodes.
const REFS_PER_MEMBER = 40;

export interface OutlinePosition {
  centre: Point;
  extent: BoundingBox;
  /** Area inside the outline. */
  squareMetres: number;
  /** True when the file contains the whole outline. */
  complete: boolean;
  /** Lines of the outline, including those of its holes, which come last. */
  lines: readonly Line[];
  holeCount: number;
}

interface RelationOutline {
  id: number;
  ways: number[];
  holes: number[];
  nodes: number[];
}

/** Outlines that are resolved together, so that their node positions fit into bounded memory. */
export class OutlineRound {
  readonly #wayIds: number[] = [];
  readonly #wayRefs = new RefLists();
  readonly #waysLeft = this.#wayRefs.all();
  readonly #relations: RelationOutline[] = [];
  readonly #memberRefs = new Map<number, number[] | null>();
  #weight = 0;
  #positions = new NodePositions(new Float64Array());
  #nextWay = 0;
  #nextRelation = 0;

  /** Number of nodes that the round refers to, as far as it is known. */
  get weight(): number {
    return this.#weight;
  }

  get size(): number {
    return this.#wayIds.length + this.#relations.length;
  }

  addWay(way: OsmObject): void {
    const refs = way.refs();
    this.#wayIds.push(way.id);
    this.#wayRefs.add(refs);
    this.#weight += refs.length;
  }

  addRelation(relation: OsmObject, isOutlineOnly: boolean): void {
    const ways: number[] = [];
    const holes: number[] = [];
    const nodes: number[] = [];
    for (const { type, ref, role } of relation.members()) {
      // Holes of an area are not part of its outline; a loose group of objects has no roles.
      const isPart = isOutlineOnly ? role === 'outer' || role === '' : role !== 'inner';
      if (type === 'way' && isPart) ways.push(ref);
      if (type === 'way' && isOutlineOnly && role === 'inner') holes.push(ref);
      if (type === 'node' && (!isOutlineOnly || role === 'label')) nodes.push(ref);
    }
    // A way that is listed repeatedly would be drawn repeatedly.
    const outline = { id: relation.id, ways: unique(ways), holes: unique(holes), nodes: unique(nodes) };
    this.#relations.push(outline);
    const [members, waysBefore] = [[...outline.ways, ...outline.holes], this.#memberRefs.size];
    for (const way of members) this.#memberRefs.set(way, null);
    // Areas share their borders, and the nodes of each way are in memory only once.
    const nodesAhead = (this.#memberRefs.size - waysBefore) * REFS_PER_MEMBER;
    this.#weight += nodesAhead + members.length + outline.nodes.length;
  }

  memberWays(): SortedIds {
    return new SortedIds(Float64Array.from(this.#memberRefs.keys()));
  }

  takeMemberWay(way: OsmObject): void {
    if (this.#memberRefs.has(way.id)) this.#memberRefs.set(way.id, way.refs());
  }

  /** Returns the number of corners that the relations draw, and the number that their shared ways have. */
  sharing(): { drawn: number; held: number } {
    const cornersOf = (way: number) => this.#memberRefs.get(way)?.length ?? 0;
    let [drawnCorners, ownCorners] = [0, 0];
    for (const { ways, holes } of this.#relations)
      for (const way of [...ways, ...holes]) drawnCorners += cornersOf(way);
    for (const way of this.#memberRefs.keys()) ownCorners += cornersOf(way);
    return { drawn: drawnCorners, held: ownCorners };
  }

  /** Returns the positions to fill in. All node ids must be known. */
  positions(): NodePositions {
    const lists = this.#relations.map(({ nodes }) => nodes);
    for (const refs of this.#memberRefs.values()) if (refs !== null) lists.push(refs);
    const ids = new Float64Array(lists.reduce((sum, { length }) => sum + length, this.#wayRefs.size));
    let at = 0;
    const add = (list: ArrayLike<number>) => {
      ids.set(list, at);
      at += list.length;
    };
    for (const list of this.#wayRefs.all()) add(list);
    for (const list of lists) add(list);
    this.#positions = new NodePositions(ids);
    return this.#positions;
  }

  /** True when the way is the next of this round. The second pass has the same order as the first. */
  isNextWay(id: number): boolean {
    return this.#wayIds[this.#nextWay] === id;
  }

  isNextRelation(id: number): boolean {
    return this.#relations[this.#nextRelation]?.id === id;
  }

  /** Returns the position of the next way, or null when the file contains none of its nodes. */
  takeWayPosition(): OutlinePosition | null {
    this.#nextWay++;
    const refs = this.#waysLeft.next().value ?? new Float64Array();
    const line = this.#positions.line(refs);
    return positionOf([line], line.length === refs.length * 2);
  }

  takeRelationPosition(): OutlinePosition | null {
    const outline = this.#relations[this.#nextRelation++];
    if (outline === undefined) return null;
    const outer = this.#linesOf(outline.ways);
    const holes = this.#linesOf(outline.holes);
    const points = this.#positions.line(outline.nodes);
    const complete = outer.complete && holes.complete;
    return positionOf(outer.lines, complete, holes.lines) ?? positionOf([points], false);
  }

  #linesOf(ways: readonly number[]): { lines: Line[]; complete: boolean } {
    const members = ways.map((id) => this.#memberRefs.get(id) ?? null);
    const rings = joinRings(members.filter((refs) => refs !== null));
    const lines = rings.map((ring) => this.#positions.line(ring));
    const isWhole = (line: Line, at: number) => line.length === (rings[at]?.length ?? 0) * 2;
    return { lines, complete: !members.includes(null) && lines.every(isWhole) };
  }
}

function unique(ids: readonly number[]): number[] {
  return [...new Set(ids)];
}

function positionOf(
  lines: readonly Line[],
  complete: boolean,
  holes: readonly Line[] = [],
): OutlinePosition | null {
  const centre = centreOf(lines);
  const extent = extentOf(lines);
  return centre === null || extent === null
    ? null
    : {
        centre,
        extent,
        squareMetres: squareMetresOf(lines, holes),
        complete,
        lines: [...lines, ...holes],
        holeCount: holes.length,
      };
}
