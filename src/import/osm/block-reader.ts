import type { OsmBlock } from '../pbf/osm-block.ts';
import type { OutlineRound } from './outline-round.ts';

/** Turns the blocks of a map into batches: nodes in a first pass, ways and relations in rounds after it. */
export interface BlockReader<Batch> {
  readNodes(block: OsmBlock): void;
  /** Adds the block's relevant ways and relations to the round; returns true when there were any. */
  collectOutlines(block: OsmBlock, round: OutlineRound): boolean;
  readOutlines(block: OsmBlock, round: OutlineRound): void;
  /** Yields what was read since the last call. */
  takeBatch(): Generator<Batch>;
  /** Yields what is complete only at the end. */
  takeRest(): Generator<Batch>;
}
