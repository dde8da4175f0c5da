import type { Spot } from '../store/hash-table.ts';
import { destinationKey, WORLD } from '../store/keys.ts';
import { allOf, anyOf, docsOf, END, listDocs, type Docs } from '../store/list.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { docOf, scoreIn } from '../store/rank.ts';

/** What places must have: a term, a whole name by its hash, all of something, or any of it; or which they are. */
export type Expression =
  | string
  | { name: number }
  | { all: readonly Expression[] }
  | { any: readonly Expression[] }
  | { docs: readonly number[] };

/** The documents that match, in a destination or in the world. */
export function docsIn(index: OpenIndex, scope: number, wanted: Expression): Docs {
  if (typeof wanted === 'string') return listDocs(index.store, destinationKey(scope) + wanted);
  if ('name' in wanted) return docsOf(namedDocs(index.names.find(wanted.name), scope));
  if ('docs' in wanted) return docsOf(wanted.docs);
  if ('all' in wanted) return allOf(wanted.all.map((one) => docsIn(index, scope, one)));
  return anyOf(wanted.any.map((one) => docsIn(index, scope, one)));
}

function namedDocs(spots: readonly Spot[], scope: number): number[] {
  if (scope !== WORLD) return spots.filter((spot) => spot.destination === scope).map(({ doc }) => doc);
  return spots.map(worldDoc).sort((a, b) => a - b);
}

/** The document of a place in the world: there it is as good as in its destination. */
export function worldDoc({ doc, world }: Spot): number {
  return docOf(scoreIn(doc), world);
}

/** The documents that match, if they are no more than so many. */
export function fewDocs(
  index: OpenIndex,
  scope: number,
  wanted: Expression,
  max: number,
): number[] | undefined {
  const docs = docsIn(index, scope, wanted);
  const few: number[] = [];
  for (let doc = docs.seek(0); doc !== END; doc = docs.seek(doc + 1))
    if (few.push(doc) > max) return undefined;
  return few;
}

/** What matches, best first, after a document of the scope. */
export function* spotsOf(
  index: OpenIndex,
  wanted: Expression,
  scope: number,
  after: number,
): Generator<{ destination: number; doc: number; rank: number }> {
  const docs = docsIn(index, scope, wanted);
  for (let rank = docs.seek(after + 1); rank !== END; rank = docs.seek(rank + 1)) {
    if (scope !== WORLD) yield { destination: scope, doc: rank, rank };
    else {
      const spot = index.spotAt(rank);
      if (spot !== undefined) yield { destination: spot.destination, doc: spot.doc, rank };
    }
  }
}

/** One of some alternatives; undefined where there are none. */
export function any(alternatives: readonly Expression[]): Expression | undefined {
  return alternatives.length <= 1 ? alternatives[0] : { any: alternatives };
}

/** All of some conditions; undefined where there are none. */
export function all(parts: readonly Expression[]): Expression | undefined {
  return parts.length <= 1 ? parts[0] : { all: parts };
}
