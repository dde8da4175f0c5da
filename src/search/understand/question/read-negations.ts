import { ownValue } from '../../../core/input/own-value.ts';
import { areLinked, type Wording } from './joints.ts';
import { DISHES, SORTS_OF_PLACE, cuisinesOf } from '../lexicon/lexicon.ts';
import type { Match } from './match-phrases.ts';
import type { TokenSpan, Tokens } from '../tokens.ts';

export interface Negations {
  /** Matches that are not negated. */
  wanted: Match[];
  /** Matches that are negated or indifferent. */
  denied: Match[];
  /** Kinds, cuisines, diets and areas to exclude. */
  without: string[];
  /** Words after a negation that may be in a name: those without another meaning, and sorts of places. */
  names: TokenSpan[];
  /** Negated matches that cannot be excluded, because no record holds them. */
  unknown: Match[];
}

const REACH = 3;
const NAME_WORDS_MAX = 3;
const DENIED = new Set(['category', 'cuisine', 'dish', 'area', 'diet', 'ask', 'price', 'time']);
const EXCLUDABLE = new Set(['category', 'cuisine', 'dish', 'area', 'diet']);
/** Words that only mean that the question is about eating. */
const FOOD = new Set(['food', 'kitchen']);
const OTHER_PRICE: Readonly<Record<string, string>> = { cheap: 'expensive', expensive: 'cheap' };

/**
 * Applies negations: each takes the next match that can be excluded, and those joined to it by "or" ("not sushi or
 * ramen").
 */
export function readNegations(
  wording: Wording,
  matches: readonly Match[],
  open: ReadonlyMap<number, boolean>,
): Negations {
  const wanted: Match[] = [];
  const denied: Match[] = [];
  const indifferent: Match[] = [];
  const names: TokenSpan[] = [];
  let pending: number | undefined;
  let previous: Match | undefined;
  for (const match of matches) {
    if (match.section === 'grammar' || (pending !== undefined && hasAdjective(wording, match, matches))) {
      if (match.value === 'not') {
        const name = nameAfter(match.to, open);
        const behind = name?.to ?? match.to;
        // "not outrageously expensive": the word in between is not a name.
        const isPriced = matches.some(({ section, from }) => section === 'price' && from === behind);
        if (name !== undefined && !isPriced) names.push(name);
        // "sans rendez-vous mercredi": the negation is used up, so Wednesday is wanted.
        pending = name === undefined || isPriced ? behind : undefined;
      } else if (match.value === 'not_after') moveLast(wanted, denied, match.from);
      else if (match.value === 'any_after') moveLast(wanted, indifferent, match.from);
      // "no comida francesa": the negation skips a word for food.
      else if (match.section !== 'grammar' || (FOOD.has(match.value) && pending === match.from))
        pending = match.to;
      wanted.push(match);
    } else if (
      pending === undefined ||
      !DENIED.has(match.section) ||
      !reaches(wording.tokens, pending, match.from)
    ) {
      const last = denied.at(-1);
      const tied =
        last !== undefined &&
        last === previous &&
        (last.section === match.section || (EXCLUDABLE.has(last.section) && EXCLUDABLE.has(match.section))) &&
        (last.from === match.from || areLinked(wording, last, match, 'or'));
      (tied ? denied : wanted).push(match);
    } else {
      denied.push(match);
      pending = undefined;
    }
    if (match.section !== 'grammar') previous = match;
  }
  const inverted = denied.flatMap(invertPrice);
  const isInverted = ({ from }: Match) => inverted.some((one) => one.from === from);
  const isExcludable = (match: Match) => EXCLUDABLE.has(match.section) && !isContradicted(match, wanted);
  return {
    wanted: [...wanted, ...inverted],
    denied: [...denied, ...indifferent],
    without: [...new Set(denied.filter(isExcludable).flatMap(excludedValues))],
    names: [...names, ...denied.filter(({ value }) => ownValue(SORTS_OF_PLACE, value) !== undefined)],
    unknown: denied.filter((match) => !isExcludable(match) && !isInverted(match)),
  };
}

/** Returns the values to exclude so that a match is reliably excluded: "no pasta" excludes the Italian cuisine. */
function excludedValues({ section, value }: Match): string[] {
  if (section === 'cuisine') {
    const sort = ownValue(SORTS_OF_PLACE, value);
    if (sort !== undefined) return [...sort];
    const cuisines = cuisinesOf(value);
    // "Not Japanese" excludes places that are recorded as ramen only.
    const dishes = Object.keys(DISHES).filter((dish) => cuisines.includes(DISHES[dish]?.cuisine ?? ''));
    return [...cuisines, ...dishes];
  }
  const { category, cuisine } = (section === 'dish' ? DISHES[value] : undefined) ?? {};
  return [value, category ?? cuisine].filter((one) => one !== undefined);
}

/** True for "Turkish, but no kebab": the cuisine that represents the dish is wanted. */
function isContradicted(match: Match, wanted: readonly Match[]): boolean {
  const substitutes = excludedValues(match).slice(1);
  return match.section === 'dish' && wanted.some(({ value }) => substitutes.includes(value));
}

/**
 * True for "no Chinese restaurants" in languages where the adjective follows: the cuisine is excluded, not the
 * restaurants.
 */
function hasAdjective(
  { tokens }: Wording,
  { section, value, to }: Match,
  matches: readonly Match[],
): boolean {
  return (
    section === 'category' &&
    value === 'restaurant' &&
    tokens.list[to]?.apart === false &&
    matches.some((next) => next.from === to && (next.section === 'cuisine' || next.section === 'diet'))
  );
}

/** True when a negation extends this far. It ends at a comma: "not spicy, Indian". */
function reaches({ list }: Tokens, from: number, to: number): boolean {
  return to - from <= REACH && !list.slice(from, to + 1).some(({ apart }) => apart);
}

/** Moves the match directly before a position from the wanted ones to the target. */
function moveLast(wanted: Match[], target: Match[], at: number): void {
  const last = wanted.findLastIndex(({ section, to }) => DENIED.has(section) && at - to <= 1 && to <= at);
  if (last >= 0) target.push(...wanted.splice(last, 1));
}

/** Inverts a negated price: "not expensive" means cheap. */
function invertPrice(match: Match): Match[] {
  const value = match.section === 'price' ? OTHER_PRICE[match.value] : undefined;
  return value === undefined ? [] : [{ ...match, value }];
}

function nameAfter(at: number, open: ReadonlyMap<number, boolean>): TokenSpan | undefined {
  let to = at;
  while (to - at < NAME_WORDS_MAX && open.get(to) === false) to++;
  return to === at ? undefined : { from: at, to };
}
