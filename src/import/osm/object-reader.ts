import type { Tags } from '../categories.ts';
import { type PlaceBatch, type PlaceDraft, type Settlement, newReadCounts } from '../place-draft.ts';
import {
  type Judgement,
  type SourceObject,
  PLACE_KEYS,
  countJudgement,
  draftFromTags,
  judgeTags,
} from '../tags/draft-from-tags.ts';
import type { OsmBlock } from '../pbf/osm-block.ts';
import type { OsmObject } from '../pbf/osm-object.ts';
import type { BlockReader } from './block-reader.ts';
import type { OutlineRound, OutlinePosition } from './outline-round.ts';
import { isArea, regionOf } from '../areas/area-draft.ts';
import { Shape } from '../areas/shape.ts';
import { AreaCollector } from './area-collector.ts';
import { SettlementCollector, isCountry, isSettlement } from './settlement-collector.ts';
import { WantedKeys } from '../pbf/wanted-keys.ts';

/** Keys of which a place, settlement or boundary has at least one. */
export const WANTED_KEYS = new WantedKeys(['place', 'boundary', ...PLACE_KEYS]);

// Types of relations that are drawn by an outline. Others are loose groups, and all their members count.
const OUTLINE_TYPES = new Set(['multipolygon', 'boundary', 'land_area']);

interface Interest {
  judgement: Judgement;
  settlement: boolean;
  country: boolean;
  area: boolean;
  /** Node id of the settlement whose boundary this is. */
  boundaryOf: number | null;
}

/** Converts the objects of the map into drafts, settlements and areas. */
export class ObjectReader implements BlockReader<PlaceBatch> {
  readonly counts = newReadCounts();
  readonly #places: boolean;
  readonly #settlements: boolean;
  readonly #collector = new SettlementCollector();
  readonly #areas = new AreaCollector();
  #drafts: PlaceDraft[] = [];

  readonly #asOf: Date | null;

  constructor(places: boolean, settlements: boolean, asOf: Date | null) {
    this.#asOf = asOf;
    this.#places = places;
    this.#settlements = settlements;
  }

  /** Yields the drafts since the last call, if there are any. */
  *takeBatch(): Generator<PlaceBatch> {
    if (this.#drafts.length === 0) return;
    yield { places: this.#drafts, settlements: [], areas: [] };
    this.#drafts = [];
  }

  /** Yields the settlements and areas. */
  *takeRest(): Generator<PlaceBatch> {
    const settlements: Settlement[] = this.#collector.settlements();
    this.counts.settlements = settlements.length;
    yield { places: [], settlements, areas: this.#areas.areas };
  }

  readNodes(block: OsmBlock): void {
    for (const { id, lat, lng, tags, changedAt } of block.wantedNodes()) {
      if (Math.abs(lat) > 90 || Math.abs(lng) > 180) {
        if (this.#places) this.counts.without_position++;
        continue;
      }
      const ref = `node/${id}`;
      if (this.#settlements && isSettlement(tags)) this.#collector.addPoint(id, { ref, tags, lat, lng });
      if (this.#settlements && isArea(tags)) this.#areas.addPoint({ ref, tags, lat, lng });
      if (!this.#places) continue;
      const judgement = judgeTags(tags);
      countJudgement(judgement, this.counts);
      this.#draft(judgement, ref, { lat, lng, squareMetres: null }, changedAt);
    }
  }

  collectOutlines(block: OsmBlock, round: OutlineRound): boolean {
    const before = round.size;
    for (const way of block.ways()) {
      const interest = this.#interestOf(way);
      if (interest === null) continue;
      countJudgement(interest.judgement, this.counts);
      if (isWorthAnOutline(interest)) round.addWay(way);
    }
    for (const relation of block.relations()) {
      const interest = this.#interestOf(relation, true);
      if (interest === null) continue;
      countJudgement(interest.judgement, this.counts);
      const type = relation.tags().get('type') ?? '';
      if (isWorthAnOutline(interest)) round.addRelation(relation, OUTLINE_TYPES.has(type));
    }
    return round.size > before;
  }

  readOutlines(block: OsmBlock, round: OutlineRound): void {
    for (const way of block.ways()) {
      if (round.isNextWay(way.id)) this.#take(way, `way/${way.id}`, round.takeWayPosition(), false);
    }
    for (const relation of block.relations()) {
      if (!round.isNextRelation(relation.id)) continue;
      this.#take(relation, `relation/${relation.id}`, round.takeRelationPosition(), true);
    }
  }

  #interestOf(object: OsmObject, isRelation = false): Interest | null {
    if (!object.wanted) return null;
    const tags = object.tags();
    const settlement = this.#settlements && isSettlement(tags);
    const boundaryOf = this.#settlements && isRelation ? this.#collector.centreOf(object, tags) : null;
    const judgement: Judgement = this.#places ? judgeTags(tags) : { kind: 'nothing' };
    const country = this.#settlements && isRelation && isCountry(tags);
    const refs = isRelation ? [] : object.refs();
    const isRing = refs.length > 3 && refs[0] === refs.at(-1);
    const hasOutline = this.#settlements && (isRelation || isRing);
    const area = hasOutline && (isArea(tags) || regionOf(tags) !== null);
    return { judgement, settlement, country, area, boundaryOf };
  }

  #take(object: OsmObject, ref: string, position: OutlinePosition | null, isRelation: boolean): void {
    const interest = this.#interestOf(object, isRelation);
    if (interest === null) return;
    if (position === null) {
      if (interest.judgement.kind === 'place') this.counts.without_position++;
      return;
    }
    if (isOutline(interest)) this.#outline(object, interest, { ref, ...position }, isRelation);
    const { centre, squareMetres } = position;
    this.#draft(interest.judgement, ref, { ...centre, squareMetres }, object.changedAt());
  }

  #outline(
    object: OsmObject,
    { settlement, country, area, boundaryOf }: Interest,
    position: OutlinePosition & { ref: string },
    isRelation: boolean,
  ): void {
    const tags: Tags = object.tags();
    const { lines, ...where } = position;
    const mapped = { tags, ...where, shape: position.complete ? Shape.ofLines(lines) : null };
    if (boundaryOf !== null) this.#collector.addBoundary(boundaryOf, mapped);
    else if (settlement) this.#collector.addArea(mapped);
    if (country) this.#collector.addCountry(mapped);
    // The boundary of a state is also that of a city when its label is the city. A country is not an area of itself.
    if (area || (boundaryOf !== null && !country))
      this.#areas.addOutline(mapped, isRelation ? object.members() : [], boundaryOf !== null);
  }

  #draft(
    judgement: Judgement,
    source_ref: string,
    at: Pick<SourceObject, 'lat' | 'lng' | 'squareMetres'>,
    changedAt: Date | null,
  ): void {
    if (judgement.kind !== 'place') return;
    const object = { source: 'osm' as const, source_ref, ...at, changedAt, asOf: this.#asOf };
    const draft = draftFromTags(judgement, object, this.counts);
    if (draft !== null) this.#drafts.push(draft);
  }
}

function isWorthAnOutline(interest: Interest): boolean {
  return interest.judgement.kind === 'place' || isOutline(interest);
}

function isOutline({ settlement, country, area, boundaryOf }: Interest): boolean {
  return settlement || country || area || boundaryOf !== null;
}
