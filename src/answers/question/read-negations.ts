import type { Match } from './match-phrases.ts';
import { wordAt, type Units } from './units.ts';

export interface Negations {
  /** What is left of the matches. */
  wanted: Match[];
  without: string[];
  /** Words of names that are not wanted. */
  withoutNames: string[];
}

const REACH = 3;
const NAME_WORDS_MAX = 3;
const OR = new Set(['or', 'nor', 'o', 'ou', 'oder', 'atau', 'ni', 'noch', 'ne']);
const DENIED = new Set(['category', 'cuisine', 'dish', 'area', 'diet', 'ask', 'price']);
const OTHER_PRICE: Readonly<Record<string, string>> = { cheap: 'expensive', expensive: 'cheap' };

/** "not sushi or ramen": a negation takes the next thing that can be left out, and what "or" ties to it. */
export function readNegations(
  units: Units,
  matches: readonly Match[],
  open: ReadonlyMap<number, boolean>,
): Negations {
  const wanted: Match[] = [];
  const denied: Match[] = [];
  const withoutNames: string[] = [];
  let pending: number | undefined;
  for (const match of matches) {
    if (match.section === 'grammar') {
      if (match.value === 'not') pending = match.to;
      else if (match.value === 'not_after') denyLast(wanted, denied, match.from);
      wanted.push(match);
      continue;
    }
    if (pending === undefined || !DENIED.has(match.section) || !reaches(units, pending, match.from)) {
      const last = denied.at(-1);
      if (last !== undefined && last.section === match.section && tiedByOr(units, last.to, match.from))
        denied.push(match);
      else wanted.push(match);
      continue;
    }
    denied.push(match);
    pending = undefined;
  }
  for (const match of matches)
    if (match.section === 'grammar' && match.value === 'not') {
      const name = nameAfter(units, match.to, open);
      if (name !== '') withoutNames.push(name);
    }
  return { wanted: [...wanted, ...denied.flatMap(turned)], without: denied.flatMap(leftOut), withoutNames };
}

/** A negation ends at a comma: "not spicy, Indian". */
function reaches({ units }: Units, from: number, to: number): boolean {
  return to - from <= REACH && !units.slice(from, to + 1).some(({ apart }) => apart);
}

function denyLast(wanted: Match[], denied: Match[], at: number): void {
  const last = wanted.findLastIndex(({ section, to }) => DENIED.has(section) && at - to <= 1 && to <= at);
  if (last >= 0) denied.push(...wanted.splice(last, 1));
}

function tiedByOr(units: Units, from: number, to: number): boolean {
  return to - from === 1 && OR.has(wordAt(units, from));
}

/** What is not dear is cheap. A wish that nobody can check is dropped with its negation. */
function turned(match: Match): Match[] {
  const value = match.section === 'price' ? OTHER_PRICE[match.value] : undefined;
  return value === undefined ? [] : [{ ...match, value }];
}

function leftOut({ section, value }: Match): string[] {
  return section === 'price' || section === 'ask' || section === 'diet' ? [] : [value];
}

/** Words right after a negation that nothing else explains. */
function nameAfter(units: Units, at: number, open: ReadonlyMap<number, boolean>): string {
  const words: string[] = [];
  for (let i = at; words.length < NAME_WORDS_MAX && open.get(i) === false; i++) words.push(wordAt(units, i));
  return words.join(' ');
}
