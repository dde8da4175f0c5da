import { remember } from '../../core/memory/remember.ts';
import type { Vocabulary } from '../query/match-expression.ts';
import { OpenHours } from '../query/open-hours.ts';
import { stampOf } from './index-file.ts';
import type { IndexedDestination } from '../build/index-row.ts';
import type { IndexedRow } from '../build/indexed-row.ts';
import { Segment } from './segment.ts';
import { completions, correct, mergeCompletions, type KnownWord } from '../query/spelling.ts';
import { kindToken } from '../query/token.ts';

/** Travellers ask for the same few things. */
const REMEMBERED = 20_000;

/** A segment with what is needed to search it. */
export class Part {
  readonly segment: Segment;
  readonly hours: OpenHours;
  has: (token: string) => boolean;
  completions: (begun: string) => readonly KnownWord[];

  constructor(segment: Segment) {
    this.segment = segment;
    this.hours = new OpenHours(segment);
    this.has = this.#newHas();
    this.completions = this.#newCompletions();
  }

  /** What was remembered of its words may no longer be so. */
  changed(): void {
    this.has = this.#newHas();
    this.completions = this.#newCompletions();
  }

  rows(expression: string | undefined, after: number): Generator<IndexedRow> {
    return this.segment.rows(expression, after);
  }

  #newHas(): Part['has'] {
    return remember((token) => this.segment.holds(token), REMEMBERED);
  }

  #newCompletions(): Part['completions'] {
    return remember((begun) => completions(this.segment, begun), REMEMBERED);
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
  /** By their ids. The numbers hold in this generation only. */
  destinations: Map<string, IndexedDestination>;
  /** How often the second part took something in; while it never did, it need not be asked. */
  changes: number;
  file: string;
  /** What the file was at the opening, see stampOf. */
  stamp: string;
  closed: boolean;
}

export function openGeneration(file: string): Generation {
  return {
    built: new Part(Segment.openReadOnly(file)),
    fresh: new Part(Segment.inMemory()),
    replaced: new Set(),
    destinations: new Map(),
    changes: 0,
    file,
    stamp: stampOf(file),
    closed: false,
  };
}

export function closeGeneration(generation: Generation): void {
  if (generation.closed) return;
  generation.closed = true;
  generation.built.segment.close();
  generation.fresh.segment.close();
}

/** The words, kinds and spellings of both parts. */
export function vocabularyOf({ built, fresh, changes }: Generation): Vocabulary {
  const parts = changes === 0 ? [built] : [built, fresh];
  const has = (token: string) => parts.some((part) => part.has(token));
  return {
    has,
    hasKind: (kind) => has(kindToken(kind)),
    completions: (begun) => mergeCompletions(parts.map((part) => part.completions(begun))),
    corrections: (word) =>
      correct(
        parts.map(({ segment }) => segment),
        word,
      ),
  };
}
