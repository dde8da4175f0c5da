import type { CategoryMatch } from '../categories.ts';
import type { Vertical } from '../verticals.ts';
import branches from './category-paths.json' with { type: 'json' };

/** Verticals by code. The deepest listed branch on the path to a category decides; null excludes it. */
const verticalOf = new Map(
  Object.entries(branches).flatMap(([vertical, codes]) =>
    codes.map((code) => [code, vertical === 'excluded' ? null : (vertical as Vertical)] as const),
  ),
);

// Next to a bare code, sources often list the root of its tree among the alternatives.
const ROOTS = (
  'eat_and_drink accommodation attractions_and_activities beauty_and_spa ' + 'health_and_medical'
).split(' ');

/** Returns the vertical of a bare code, whose kind is at the end: an `afghan_restaurant` is a restaurant. */
export function verticalOfCode(code: string): Vertical | null {
  for (
    let suffix = code;
    suffix !== '';
    suffix = suffix.includes('_') ? suffix.slice(suffix.indexOf('_') + 1) : ''
  ) {
    const vertical = verticalOf.get(suffix);
    if (vertical !== undefined) return vertical;
  }
  return null;
}

/** Returns the vertical at the end of a path from the root down; null when it is of no interest to travellers. */
export function verticalAtPath(path: readonly string[]): Vertical | null {
  for (const code of path.toReversed()) {
    const vertical = verticalOf.get(code);
    if (vertical !== undefined) return vertical;
  }
  return null;
}

/** Returns the vertical and categories of a place. The path decides, or else the primary code. */
export function classifyOverture(
  path: readonly string[],
  alternatives: readonly string[],
): CategoryMatch | null {
  const primary = path.at(-1);
  if (primary === undefined) return null;
  let vertical = path.length > 1 ? verticalAtPath(path) : verticalOfCode(primary);
  if (path.length === 1 && !verticalOf.has(primary)) {
    vertical ??= verticalAtPath(alternatives.filter((code) => ROOTS.includes(code)));
  }
  if (vertical === null) return null;
  const relevant = alternatives.filter((code) => code !== primary && verticalOfCode(code) !== null);
  return { vertical, categories: [primary, ...new Set(relevant)] };
}
