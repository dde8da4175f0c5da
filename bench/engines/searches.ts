import { SeededRandom } from '../../src/demo/demo-random.ts';
import { JUDGED } from '../../test/search/judged-queries.ts';
import type { Search } from '../search/supply.ts';
import type { Row } from './collection.ts';
import { type Fits, REAL_SEARCHES } from './judged.ts';

export interface JudgedSearch {
  set: string;
  kind: string;
  search: Search;
  right: readonly string[] | Fits;
}

export const NEW_SET = 'written for this comparison';
export const OWN_SET = 'of our own tests';
export const MADE_SET = 'made from the demonstration';
const MADE = 120;

export function realSearches(): JudgedSearch[] {
  return [
    ...REAL_SEARCHES.map(([kind, q, city, right]) => ({ set: NEW_SET, kind, search: { q, city }, right })),
    ...JUDGED.map(({ kind, expect, every, ...search }) => ({
      ...{ set: OWN_SET, kind, search },
      right: expect ?? every ?? [],
    })),
  ];
}

/** Where there is no real data: names of the demonstration, whole, begun, and with two letters exchanged. */
export function madeSearches(rows: readonly Row[]): JudgedSearch[] {
  const random = new SeededRandom();
  random.restart(7, 0);
  return Array.from({ length: MADE }, (_, i) => {
    const { name, destination: city } = random.pick(rows);
    const at = 1 + random.below(Math.max(1, name.length - 3));
    const typo = name.slice(0, at) + (name[at + 1] ?? '') + (name[at] ?? '') + name.slice(at + 2);
    const ways = [
      { kind: 'exact name', q: name },
      { kind: 'begun word', q: name.slice(0, -2) },
      { kind: 'typo', q: typo },
    ] as const;
    const { kind, q } = ways[i % ways.length] ?? ways[0];
    return { set: MADE_SET, kind, search: { q, city }, right: [name] };
  });
}

export function isRight(row: Row | undefined, right: JudgedSearch['right']): boolean {
  if (row === undefined) return false;
  if (isNames(right)) return right.includes(row.name);
  const { cuisine, ...same } = right;
  const fits = Object.entries(same).every(([key, value]) => row[key as keyof Row] === value);
  return fits && (cuisine === undefined || row.cuisine.includes(cuisine));
}

function isNames(right: JudgedSearch['right']): right is readonly string[] {
  return Array.isArray(right);
}
