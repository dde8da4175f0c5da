import { tiedByOr, type Wording } from './joints.ts';
import { DISHES, kitchensOf } from './lexicon.ts';
import type { Match } from './match-phrases.ts';
import type { Span, Units } from './units.ts';

export interface Negations {
  /** What is left of the matches. */
  wanted: Match[];
  /** What is not wanted, and what is all the same to somebody. */
  denied: Match[];
  /** Kinds, kitchens, diets and areas that are not wanted. */
  without: string[];
  /** Words after a negation that nothing else explains: perhaps a name. */
  names: Span[];
  /** What is not wanted and cannot be kept to, because no record says it. */
  unknown: Match[];
}

const REACH = 3;
const NAME_WORDS_MAX = 3;
const DENIED = new Set(['category', 'cuisine', 'dish', 'area', 'diet', 'ask', 'price', 'time']);
const LEFT_OUT = new Set(['category', 'cuisine', 'dish', 'area', 'diet']);
/** Words that say that it is about eating, and nothing more. */
const FOOD = new Set(['food', 'kitchen']);
const OTHER_PRICE: Readonly<Record<string, string>> = { cheap: 'expensive', expensive: 'cheap' };

/** "not sushi or ramen": a negation takes the next thing that can be left out, and what "or" ties to it. */
export function readNegations(
  wording: Wording,
  matches: readonly Match[],
  open: ReadonlyMap<number, boolean>,
): Negations {
  const wanted: Match[] = [];
  const denied: Match[] = [];
  const indifferent: Match[] = [];
  const names: Span[] = [];
  let pending: number | undefined;
  let previous: Match | undefined;
  for (const match of matches) {
    if (match.section === 'grammar' || (pending !== undefined && hasAdjective(wording, match, matches))) {
      if (match.value === 'not') {
        const name = nameAfter(match.to, open);
        const behind = name?.to ?? match.to;
        // "not outrageously expensive": what stands between is no name.
        const isPriced = matches.some(({ section, from }) => section === 'price' && from === behind);
        if (name !== undefined && !isPriced) names.push(name);
        // "sans rendez-vous mercredi": it has taken its word, and Wednesday is wanted.
        pending = name === undefined || isPriced ? behind : undefined;
      } else if (match.value === 'not_after') moveLast(wanted, denied, match.from);
      else if (match.value === 'any_after') moveLast(wanted, indifferent, match.from);
      // "no comida francesa": a word for food is never what is left out.
      else if (match.section !== 'grammar' || (FOOD.has(match.value) && pending === match.from))
        pending = match.to;
      wanted.push(match);
    } else if (
      pending === undefined ||
      !DENIED.has(match.section) ||
      !reaches(wording.units, pending, match.from)
    ) {
      const last = denied.at(-1);
      const tied =
        last !== undefined &&
        last === previous &&
        (last.section === match.section || (LEFT_OUT.has(last.section) && LEFT_OUT.has(match.section))) &&
        (last.from === match.from || tiedByOr(wording, last, match));
      (tied ? denied : wanted).push(match);
    } else {
      denied.push(match);
      pending = undefined;
    }
    if (match.section !== 'grammar') previous = match;
  }
  const turned = denied.flatMap(turn);
  const isTurned = ({ from }: Match) => turned.some((one) => one.from === from);
  const isKept = (match: Match) => LEFT_OUT.has(match.section) && !isContradicted(match, wanted);
  return {
    wanted: [...wanted, ...turned],
    denied: [...denied, ...indifferent],
    without: [...new Set(denied.filter(isKept).flatMap(leftOut))],
    names,
    unknown: denied.filter((match) => !isKept(match) && !isTurned(match)),
  };
}

/** What must not be, so that a thing is left out for certain: who wants no pasta gets no Italian kitchen. */
function leftOut({ section, value }: Match): string[] {
  if (section === 'cuisine') return kitchensOf(value);
  const { category, cuisine } = (section === 'dish' ? DISHES[value] : undefined) ?? {};
  return [value, category ?? cuisine].filter((one) => one !== undefined);
}

/** "Turkish, but no kebab": the kitchen that stands for the dish is wanted. */
function isContradicted(match: Match, wanted: readonly Match[]): boolean {
  const stand = leftOut(match).slice(1);
  return match.section === 'dish' && wanted.some(({ value }) => stand.includes(value));
}

/** "no Chinese restaurants" in languages that put it behind: the kitchen is what is left out. */
function hasAdjective({ units }: Wording, { section, value, to }: Match, matches: readonly Match[]): boolean {
  return (
    section === 'category' &&
    value === 'restaurant' &&
    units.units[to]?.apart === false &&
    matches.some((next) => next.from === to && (next.section === 'cuisine' || next.section === 'diet'))
  );
}

/** A negation ends at a comma: "not spicy, Indian". */
function reaches({ units }: Units, from: number, to: number): boolean {
  return to - from <= REACH && !units.slice(from, to + 1).some(({ apart }) => apart);
}

/** Takes what stands right before out of what is wanted. */
function moveLast(wanted: Match[], target: Match[], at: number): void {
  const last = wanted.findLastIndex(({ section, to }) => DENIED.has(section) && at - to <= 1 && to <= at);
  if (last >= 0) target.push(...wanted.splice(last, 1));
}

/** What is not dear is cheap. */
function turn(match: Match): Match[] {
  const value = match.section === 'price' ? OTHER_PRICE[match.value] : undefined;
  return value === undefined ? [] : [{ ...match, value }];
}

function nameAfter(at: number, open: ReadonlyMap<number, boolean>): Span | undefined {
  let to = at;
  while (to - at < NAME_WORDS_MAX && open.get(to) === false) to++;
  return to === at ? undefined : { from: at, to };
}
