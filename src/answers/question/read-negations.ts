import type { Match } from './match-phrases.ts';
import { wordAt, type Span, type Units } from './units.ts';

export interface Negations {
  /** What is left of the matches. */
  wanted: Match[];
  /** Kinds, kitchens, diets and areas that are not wanted. */
  without: string[];
  /** Words after a negation that nothing else explains: perhaps a name. */
  names: Span[];
  /** What is not wanted and cannot be kept to, because no record says it. */
  unknown: Match[];
}

const REACH = 3;
const NAME_WORDS_MAX = 3;
const OR = new Set(['or', 'nor', 'o', 'ou', 'oder', 'atau', 'ni', 'noch', 'ne', 'of', 'か', 'や']);
const DENIED = new Set(['category', 'cuisine', 'dish', 'area', 'diet', 'ask', 'price', 'time']);
const LEFT_OUT = new Set(['category', 'cuisine', 'dish', 'area', 'diet']);
const OTHER_PRICE: Readonly<Record<string, string>> = { cheap: 'expensive', expensive: 'cheap' };

/** "not sushi or ramen": a negation takes the next thing that can be left out, and what "or" ties to it. */
export function readNegations(
  units: Units,
  matches: readonly Match[],
  open: ReadonlyMap<number, boolean>,
): Negations {
  const wanted: Match[] = [];
  const denied: Match[] = [];
  const names: Span[] = [];
  let pending: number | undefined;
  for (const match of matches) {
    if (match.section === 'grammar') {
      if (match.value === 'not') {
        const name = nameAfter(match.to, open);
        names.push(...name);
        // "sans rendez-vous mercredi": it has taken its word, and Wednesday is wanted.
        pending = name.length === 0 ? match.to : undefined;
      } else if (match.value === 'not_after') denyLast(wanted, denied, match.from);
      wanted.push(match);
    } else if (pending === undefined || !DENIED.has(match.section) || !reaches(units, pending, match.from)) {
      const last = denied.at(-1);
      const tied =
        last !== undefined &&
        (last.section === match.section || (LEFT_OUT.has(last.section) && LEFT_OUT.has(match.section))) &&
        tiedByOr(units, last.to, match.from);
      (tied ? denied : wanted).push(match);
    } else {
      denied.push(match);
      pending = undefined;
    }
  }
  const turned = denied.flatMap(turn);
  return {
    wanted: [...wanted, ...turned],
    without: denied.filter(({ section }) => LEFT_OUT.has(section)).map(({ value }) => value),
    names,
    unknown: denied.filter(
      (match) => !LEFT_OUT.has(match.section) && !turned.some(({ from }) => from === match.from),
    ),
  };
}

/** A negation ends at a comma: "not spicy, Indian". */
function reaches({ units }: Units, from: number, to: number): boolean {
  return to - from <= REACH && !units.slice(from, to + 1).some(({ apart }) => apart);
}

function denyLast(wanted: Match[], denied: Match[], at: number): void {
  const last = wanted.findLastIndex(({ section, to }) => DENIED.has(section) && at - to <= 1 && to <= at);
  if (last >= 0) denied.push(...wanted.splice(last, 1));
}

/** Whether "or" stands between two phrases. */
export function tiedByOr(units: Units, from: number, to: number): boolean {
  return to - from === 1 && OR.has(wordAt(units, from));
}

/** What is not dear is cheap. */
function turn(match: Match): Match[] {
  const value = match.section === 'price' ? OTHER_PRICE[match.value] : undefined;
  return value === undefined ? [] : [{ ...match, value }];
}

function nameAfter(at: number, open: ReadonlyMap<number, boolean>): Span[] {
  let to = at;
  while (to - at < NAME_WORDS_MAX && open.get(to) === false) to++;
  return to === at ? [] : [{ from: at, to }];
}
