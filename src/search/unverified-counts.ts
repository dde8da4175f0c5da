import type { Generation } from './store/generation.ts';
import { unverifiedExpression, type Filters } from './query/match-expression.ts';

const KEPT_MS = 60_000;
const KEPT_MAX = 2_000;

/** How many places have hours that nobody has verified. In a big city that is too long a list to go through each time. */
export class UnverifiedCounts {
  readonly #counts = new Map<string, { count: number; at: number }>();
  #generation: Generation | undefined;

  count(generation: Generation, filters: Filters & { destination: number }, now: Date): number {
    if (this.#generation !== generation || this.#counts.size >= KEPT_MAX) this.#counts.clear();
    this.#generation = generation;
    const expression = unverifiedExpression(filters);
    const known = this.#counts.get(expression);
    const at = now.getTime();
    if (known !== undefined && at - known.at < KEPT_MS) return known.count;
    const count = countIn(generation, expression);
    this.#counts.set(expression, { count, at });
    return count;
  }
}

/** Rows of the built part that the fresh part replaces do not count. */
function countIn({ built, fresh, replaced }: Generation, expression: string): number {
  const recent = fresh.segment.count(expression);
  if (replaced.size === 0) return recent + built.segment.count(expression);
  let count = recent;
  for (const rowid of built.segment.rowids(expression)) if (!replaced.has(rowid)) count++;
  return count;
}
