import { OpenHours } from './open-hours.ts';
import type { IndexedRow, Segment } from './segment.ts';

const KINDS_MAX = 20_000;

/** A segment with what is needed to search it. */
export class Part {
  readonly segment: Segment;
  readonly hours: OpenHours;
  readonly #kinds = new Map<string, boolean>();

  constructor(segment: Segment) {
    this.segment = segment;
    this.hours = new OpenHours(segment);
  }

  rows(expression: string | undefined, after: number): Generator<IndexedRow> {
    return this.segment.rows(expression, after);
  }

  /** Whether there is a place of this kind. Remembered, because travellers ask for the same few things. */
  hasKind(kind: string): boolean {
    const known = this.#kinds.get(kind);
    if (known !== undefined) return known;
    const has = this.segment.holds(`k_${kind}`);
    if (this.#kinds.size >= KINDS_MAX) this.#kinds.clear();
    this.#kinds.set(kind, has);
    return has;
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
  /** How often the second part took something in; while it never did, it need not be asked. */
  changes: number;
  file: string;
}
