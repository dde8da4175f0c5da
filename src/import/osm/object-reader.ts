import type { Extent } from '../centre.ts';
import type { Tags } from '../categories.ts';
import { type PlaceBatch, type PlaceDraft, type Settlement, newReadCounts } from '../place-draft.ts';
import {
  type Judgement,
  PLACE_KEYS,
  countJudgement,
  draftFromTags,
  judgeTags,
} from '../tags/draft-from-tags.ts';
import type { OsmBlock } from '../pbf/osm-block.ts';
import type { OsmObject } from '../pbf/osm-object.ts';
import type { OutlineRound, Position } from './outline-round.ts';
import { SettlementCollector, isSettlement } from './settlement-collector.ts';
import { WantedKeys } from '../pbf/wanted-keys.ts';

/** The keys without which an object is neither a place nor a settlement. */
export const WANTED_KEYS = new WantedKeys(['place', ...PLACE_KEYS]);

// Relations that are drawn by an outline. The others are loose groups, and all their members count.
const OUTLINE_TYPES = new Set(['multipolygon', 'boundary', 'land_area']);

/** What an object is to the import. */
interface Interest {
  judgement: Judgement;
  settlement: boolean;
  /** The point of the settlement whose boundary this is. */
  boundaryOf: number | null;
}

/** Turns the objects of the map into drafts and settlements. */
export class ObjectReader {
  readonly counts = newReadCounts();
  readonly #places: boolean;
  readonly #settlements: boolean;
  readonly #collector = new SettlementCollector();
  #drafts: PlaceDraft[] = [];

  readonly #asOf: Date | null;

  constructor(places: boolean, settlements: boolean, asOf: Date | null) {
    this.#asOf = asOf;
    this.#places = places;
    this.#settlements = settlements;
  }

  /** The drafts since the last time, if there are any. */
  *takeBatch(): Generator<PlaceBatch> {
    if (this.#drafts.length === 0) return;
    yield { places: this.#drafts, settlements: [] };
    this.#drafts = [];
  }

  settlements(): Settlement[] {
    const settlements = this.#collector.settlements();
    this.counts.settlements = settlements.length;
    return settlements;
  }

  readNodes(block: OsmBlock): void {
    for (const { id, lat, lng, tags, changedAt } of block.wantedNodes()) {
      const ref = `node/${id}`;
      if (this.#settlements && isSettlement(tags)) this.#collector.addPoint(id, { ref, tags, lat, lng });
      if (!this.#places) continue;
      const judgement = judgeTags(tags);
      countJudgement(judgement, this.counts);
      this.#draft(judgement, ref, { lat, lng, extent: null }, changedAt);
    }
  }

  /** Adds the block's wanted ways and relations to the round; says whether there were any. */
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

  /** Reads the round's objects once their positions are known. */
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
    return { judgement: this.#places ? judgeTags(tags) : { kind: 'nothing' }, settlement, boundaryOf };
  }

  #take(object: OsmObject, ref: string, position: Position | null, isRelation: boolean): void {
    const interest = this.#interestOf(object, isRelation);
    if (interest === null) return;
    if (position === null) {
      if (interest.judgement.kind === 'place') this.counts.without_position++;
      return;
    }
    const tags: Tags = object.tags();
    if (interest.boundaryOf !== null)
      this.#collector.addBoundary(interest.boundaryOf, { ref, tags, ...position });
    else if (interest.settlement) this.#collector.addArea({ ref, tags, ...position });
    const { centre, extent } = position;
    this.#draft(interest.judgement, ref, { ...centre, extent }, object.changedAt());
  }

  #draft(
    judgement: Judgement,
    source_ref: string,
    at: { lat: number; lng: number; extent: Extent | null },
    changedAt: Date | null,
  ): void {
    if (judgement.kind !== 'place') return;
    const object = { source: 'osm' as const, source_ref, ...at, changedAt, asOf: this.#asOf };
    const draft = draftFromTags(judgement, object, this.counts);
    if (draft !== null) this.#drafts.push(draft);
  }
}

function isWorthAnOutline({ judgement, settlement, boundaryOf }: Interest): boolean {
  return judgement.kind === 'place' || settlement || boundaryOf !== null;
}
