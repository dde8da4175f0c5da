import type { Spot } from '../store/hash-table.ts';
import { destinationKey } from '../store/keys.ts';
import { allOf, anyOf, docsOf, END, ListDocs, type Docs } from '../store/list.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { firstOf, gradeOf } from '../store/rank.ts';
import { destinationIn, gradeIn, readWord } from '../store/words.ts';

/** What places must have: a term, a whole name by its hash, all of something, or any of it. */
export type Expression =
  string | { name: number } | { all: readonly Expression[] } | { any: readonly Expression[] };

/** The documents of one destination that match. */
export function docsIn(index: OpenIndex, destination: number, wanted: Expression): Docs {
  if (typeof wanted === 'string') return ListDocs.of(index.store, destinationKey(destination) + wanted);
  if ('name' in wanted) {
    const spots = index.names.find(wanted.name).filter((spot) => spot.destination === destination);
    return docsOf(spots.map(({ doc }) => doc));
  }
  if ('all' in wanted) return allOf(wanted.all.map((one) => docsIn(index, destination, one)));
  return anyOf(wanted.any.map((one) => docsIn(index, destination, one)));
}

/** The destinations that may have matching places, with a grade that none of those exceeds. */
function gradesOf(index: OpenIndex, wanted: Expression): Map<number, number> {
  if (typeof wanted === 'string')
    return new Map(readWord(index.store, wanted)?.where.map((one) => [destinationIn(one), gradeIn(one)]));
  if ('name' in wanted) {
    // The best one comes last, so that it is the one that stays.
    const spots = index.names.find(wanted.name).reverse();
    return new Map(spots.map(({ destination, doc }) => [destination, gradeOf(doc)]));
  }
  if ('all' in wanted) {
    const [first = new Map<number, number>(), ...others] = wanted.all.map((one) => gradesOf(index, one));
    const common = new Map<number, number>();
    for (const [destination, grade] of first) {
      const worst = others.reduce((bound, one) => Math.max(bound, one.get(destination) ?? END), grade);
      if (worst !== END) common.set(destination, worst);
    }
    return common;
  }
  const all = new Map<number, number>();
  for (const one of wanted.any)
    for (const [destination, grade] of gradesOf(index, one))
      all.set(destination, Math.min(grade, all.get(destination) ?? END));
  return all;
}

/** A destination on its way through the merge. */
interface Lane {
  destination: number;
  docs: Docs;
  doc: number;
}

/**
 * What matches, best first, in one destination or in all. Of equally good places those of the destination with the
 * smaller number come first. A destination is opened only when its best place may be the next one.
 */
export function* spotsOf(
  index: OpenIndex,
  wanted: Expression,
  destination: number | undefined,
  after: Spot | undefined,
): Generator<Spot> {
  if (destination !== undefined) {
    const docs = docsIn(index, destination, wanted);
    for (let doc = docs.seek((after?.doc ?? -1) + 1); doc !== END; doc = docs.seek(doc + 1))
      yield { destination, doc };
    return;
  }
  const waiting = [...gradesOf(index, wanted)].sort((a, b) => b[1] - a[1] || b[0] - a[0]);
  const lanes: Lane[] = [];
  const open = (number: number) => {
    const docs = docsIn(index, number, wanted);
    const doc = docs.seek(after === undefined ? 0 : firstAfter(after, number));
    if (doc !== END) insert(lanes, { destination: number, docs, doc });
  };
  for (;;) {
    const next = waiting.at(-1);
    const grade = lanes.length === 0 ? END : gradeOf(lanes.at(-1)?.doc ?? 0);
    if (next !== undefined && next[1] <= grade) {
      waiting.pop();
      open(next[0]);
      continue;
    }
    const lane = lanes.pop();
    if (lane === undefined) return;
    yield { destination: lane.destination, doc: lane.doc };
    lane.doc = lane.docs.seek(lane.doc + 1);
    if (lane.doc !== END) insert(lanes, lane);
  }
}

/** The first document of a destination that comes after a place, whichever destination that is of. */
function firstAfter({ destination, doc }: Spot, number: number): number {
  if (number === destination) return doc + 1;
  const grade = gradeOf(doc);
  return firstOf(number < destination ? grade + 1 : grade);
}

/** The last is the next one. */
function insert(lanes: Lane[], lane: Lane): void {
  let at = lanes.length;
  while (at > 0 && comesBefore(lanes[at - 1] as Lane, lane)) at--;
  lanes.splice(at, 0, lane);
}

function comesBefore(a: Lane, b: Lane): boolean {
  const [gradeA, gradeB] = [gradeOf(a.doc), gradeOf(b.doc)];
  return gradeA < gradeB || (gradeA === gradeB && a.destination < b.destination);
}
