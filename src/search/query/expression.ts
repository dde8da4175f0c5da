import type { Spot } from '../store/hash-table.ts';
import { destinationKey, WORLD } from '../store/keys.ts';
import { allOf, anyOf, docsOf, END, listDocs, type Docs } from '../store/list.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { docOf, scoreIn } from '../store/rank.ts';

/** Condition on places: a term, a whole name by its hash, a conjunction, a disjunction, or a list of documents. */
export type Expression =
  | string
  | { name: number }
  | { all: readonly Expression[] }
  | { any: readonly Expression[] }
  | { docs: readonly number[] };

/** Returns the matching documents in a destination or in the world. */
export function docsIn(index: OpenIndex, scope: number, expression: Expression): Docs {
  if (typeof expression === 'string') return listDocs(index.store, destinationKey(scope) + expression);
  if ('name' in expression) return docsOf(namedDocs(index.names.find(expression.name), scope));
  if ('docs' in expression) return docsOf(expression.docs);
  if ('all' in expression) return allOf(expression.all.map((one) => docsIn(index, scope, one)));
  return anyOf(expression.any.map((one) => docsIn(index, scope, one)));
}

function namedDocs(spots: readonly Spot[], scope: number): number[] {
  if (scope !== WORLD) return spots.filter((spot) => spot.destination === scope).map(({ doc }) => doc);
  return spots.map(worldDoc).sort((a, b) => a - b);
}

/** Returns the document of a place in the world, where it has the same score as in its destination. */
export function worldDoc({ doc, world }: Spot): number {
  return docOf(scoreIn(doc), world);
}

/** Returns the matching documents, or undefined when there are more than `max`. */
export function fewDocs(
  index: OpenIndex,
  scope: number,
  expression: Expression,
  max: number,
): number[] | undefined {
  const docs = docsIn(index, scope, expression);
  const few: number[] = [];
  for (let doc = docs.seek(0); doc !== END; doc = docs.seek(doc + 1))
    if (few.push(doc) > max) return undefined;
  return few;
}

/** Yields matches after a document of the scope, best first. */
export function* spotsOf(
  index: OpenIndex,
  expression: Expression,
  scope: number,
  after: number,
): Generator<{ destination: number; doc: number; rank: number }> {
  const docs = docsIn(index, scope, expression);
  for (let rank = docs.seek(after + 1); rank !== END; rank = docs.seek(rank + 1)) {
    if (scope !== WORLD) yield { destination: scope, doc: rank, rank };
    else {
      const spot = index.spotAt(rank);
      if (spot !== undefined) yield { destination: spot.destination, doc: spot.doc, rank };
    }
  }
}

/** Disjunction of alternatives; undefined when there are none. */
export function any(alternatives: readonly Expression[]): Expression | undefined {
  return alternatives.length <= 1 ? alternatives[0] : { any: alternatives };
}

/** Conjunction of conditions; undefined when there are none. */
export function all(parts: readonly Expression[]): Expression | undefined {
  return parts.length <= 1 ? parts[0] : { all: parts };
}
