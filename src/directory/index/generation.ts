import { remember } from '../../core/remember.ts';
import type { Vocabulary } from './match-expression.ts';
import { OpenHours } from './open-hours.ts';
import type { IndexedRow } from './indexed-row.ts';
import type { Segment } from './segment.ts';
import { completions } from './spelling.ts';
import { kindToken } from './token.ts';

/** Travellers ask for the same few things. */
const REMEMBERED = 20_000;

/** A segment with what is needed to search it. */
export class Part implements Vocabulary {
  readonly segment: Segment;
  readonly hours: OpenHours;
  readonly has: (token: string) => boolean;
  readonly completions: (begun: string) => readonly string[];

  constructor(segment: Segment) {
    this.segment = segment;
    this.hours = new OpenHours(segment);
    this.has = remember((token) => segment.holds(token), REMEMBERED);
    this.completions = remember((begun) => completions(segment, begun), REMEMBERED);
  }

  hasKind(kind: string): boolean {
    return this.has(kindToken(kind));
  }

  rows(expression: string | undefined, after: number): Generator<IndexedRow> {
    return this.segment.rows(expression, after);
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

/** The words of both parts. What a place brings that came since the build cannot be remembered: the next brings more. */
export function vocabularyOf({ built, fresh, changes }: Generation): Vocabulary {
  if (changes === 0) return built;
  return {
    has: (token) => built.has(token) || fresh.segment.holds(token),
    hasKind: (kind) => built.hasKind(kind),
    completions: built.completions,
  };
}
