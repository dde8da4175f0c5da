import { OpenHours } from './open-hours.ts';
import type { IndexedRow, Segment } from './segment.ts';

/** A segment with what is needed to search it. */
export class Part {
  readonly segment: Segment;
  readonly hours: OpenHours;

  constructor(segment: Segment) {
    this.segment = segment;
    this.hours = new OpenHours(segment);
  }

  rows(expression: string | undefined, after: number): Iterable<IndexedRow> {
    return expression === undefined ? this.segment.all(after) : this.segment.matching(expression, after);
  }
}

/**
 * What a node searches: the part that was built as a whole, the part with what changed since, and which rows of the
 * first the second replaces. A rebuild makes a new generation; the old one goes when it is no longer read.
 */
export interface Generation {
  built: Part;
  fresh: Part;
  replaced: Set<number>;
  file: string;
}
