import { areLinked, type Wording } from './joints.ts';
import { LANGUAGES, linkWords, verticalOf, type Language } from '../lexicon/lexicon.ts';
import type { Match } from './match-phrases.ts';
import type { Negations } from './read-negations.ts';
import { wordAt, type Tokens } from '../tokens.ts';

export interface Kinds {
  /** Alternatives to search for. The answer should have a place for each. */
  categories: string[];
  /** Kinds that describe what a place should have or where it should be, which no record holds. */
  facilities: Match[];
  /** True when the question is about eating or drinking. */
  serves: boolean;
  /** Meals that the kinds cover. */
  meals: Set<string>;
}

/** Kind to search for when only a meal is named. */
const MEAL_KINDS: Readonly<Record<string, string>> = {
  lunch: 'restaurant',
  dinner: 'restaurant',
  breakfast: 'cafe',
};
const SERVING = new Set(['restaurant', 'cafe', 'bar', 'nightclub', 'market']);
const LODGING = new Set(['hotel', 'guesthouse', 'hostel']);
const VENUE_WORDS = new Set(['shop', 'bar', 'restaurant']);
const FOOD_SECTIONS = new Set(['cuisine', 'dish', 'diet']);
/** Words for "and" in any language. */
const AND = new Set(LANGUAGES.flatMap((language) => linkWords(language, 'and')));
const AT_REACH = 2;

/**
 * Reads the kinds to search for. A kind after "with" is a wish about the others, and pizza is more specific than
 * restaurant.
 */
export function readKinds(
  wording: Wording,
  { wanted, denied }: Pick<Negations, 'wanted' | 'denied'>,
  timeWords: ReadonlySet<string>,
  recordKinds: readonly string[],
): Kinds {
  const { tokens, language } = wording;
  const kinds = wanted.filter((match) => match.section === 'category' && !isVenueWord(match, wanted));
  const namesFood = wanted.some(({ section }) => FOOD_SECTIONS.has(section));
  const meals = Object.keys(MEAL_KINDS).filter((meal) => timeWords.has(meal));
  const serves = namesFood || [...kinds.map(({ value }) => value), ...recordKinds].some(isServing);
  const facilities: Match[] = [];
  const categories = [...recordKinds];
  for (const kind of kinds) {
    const isFacility =
      categories.length > 0 && (follows(wanted, kind) || continues(tokens, facilities.at(-1), kind));
    const isWhere = (serves || meals.length > 0) && !isServing(kind.value) && isAt(tokens, language, kind);
    if (isFacility || isWhere || isAttribute(tokens, kind, kinds)) facilities.push(kind);
    else categories.push(kind.value);
  }
  if (!serves && !categories.some(isLodgingKind))
    for (const meal of meals) categories.push(MEAL_KINDS[meal] ?? '');
  if (!serves && meals.length === 0) categories.push(...impliedKinds(wanted, denied, categories));
  // "Thai or a museum": a museum has no cuisine.
  const namesCuisine = wanted.some(({ section }) => section === 'cuisine' || section === 'dish');
  if (namesCuisine && categories.length > 0 && !categories.some(isServing)) categories.push('restaurant');
  const joined = joinedKinds(wording, kinds);
  const isGeneral = (kind: string) =>
    !joined.has(kind) && categories.some((other) => other !== kind && verticalOf(other) === kind);
  return {
    categories: [...new Set(categories.filter((kind) => !isGeneral(kind)))],
    facilities,
    serves: namesFood || categories.some(isServing),
    meals: new Set(categories.some(isLodgingKind) ? [] : meals),
  };
}

/** Infers a kind when none is named: a question for food, or against certain food, is about eating. */
function impliedKinds(
  matches: readonly Match[],
  denied: readonly Match[],
  categories: readonly string[],
): string[] {
  const mentions = (section: Match['section'], value: string) =>
    matches.some((match) => match.section === section && match.value === value);
  if (mentions('grammar', 'food')) return ['restaurant'];
  // A hostel has a kitchen too, which does not make it a restaurant.
  if (categories.length > 0) return [];
  if (mentions('grammar', 'kitchen')) return ['restaurant'];
  const deniesFood = denied.some(
    ({ section, value }) => FOOD_SECTIONS.has(section) || (section === 'category' && isServing(value)),
  );
  if (deniesFood || mentions('ask', 'food')) return ['restaurant'];
  return mentions('ask', 'music') ? ['bar'] : [];
}

/** Kinds joined by "or" or "and", as in "a gym or yoga": the general one is wanted as well as the narrower one. */
function joinedKinds(wording: Wording, kinds: readonly Match[]): Set<string> {
  const joined = new Set<string>();
  for (const [at, one] of kinds.entries()) {
    const other = kinds[at + 1];
    if (other !== undefined && areLinked(wording, one, other, 'or', 'and'))
      joined.add(one.value).add(other.value);
  }
  return joined;
}

function isServing(kind: string): boolean {
  return SERVING.has(verticalOf(kind) ?? '') || kind === 'beach_club';
}

/** True when only lodging is wanted. Beds are let by the night, so the opening hours of the reception do not apply. */
export function isLodging({ categories }: Pick<Kinds, 'categories'>): boolean {
  return categories.length > 0 && categories.every(isLodgingKind);
}

function isLodgingKind(kind: string): boolean {
  return LODGING.has(verticalOf(kind) ?? '');
}

/** True for the venue word of a compound: "ramen shop", "sushi bar". */
function isVenueWord({ value, from, to }: Match, matches: readonly Match[]): boolean {
  // Languages that put the venue word first: "toko es krim", "tienda de helados".
  const isBehind = (match: Match) => match.from >= to && match.from - to <= 1;
  const isFood = ({ section, value: kind }: Match) =>
    section === 'dish' || (section === 'category' && isServing(kind));
  return (
    VENUE_WORDS.has(value) &&
    matches.some((match) => (match.to === from || (value === 'shop' && isBehind(match))) && isFood(match))
  );
}

/** True when the kind directly follows "with". */
function follows(matches: readonly Match[], { from }: Match): boolean {
  return matches.some(
    ({ section, value, to }) => section === 'grammar' && value === 'with' && from >= to && from - to <= 1,
  );
}

/**
 * True for the first word of "beach restaurant" or "spa hotel", which describes what the second should have or where it
 * should be.
 */
function isAttribute({ list }: Tokens, { value, to }: Match, kinds: readonly Match[]): boolean {
  return !isServing(value) && list[to]?.apart === false && kinds.some(({ from }) => from === to);
}

/** True when only "and" and an article are between the previous facility and this one: "with a spa and a gym". */
function continues(tokens: Tokens, last: Match | undefined, { from }: Match): boolean {
  return (
    last !== undefined && from - last.to <= AT_REACH && from > last.to && AND.has(wordAt(tokens, last.to))
  );
}

/** True when a preposition turns the kind into a location: "dinner on the beach". */
function isAt(tokens: Tokens, language: Language, { from }: Match): boolean {
  const words = linkWords(language, 'at');
  for (let at = from - 1; at >= Math.max(0, from - AT_REACH); at--)
    if (words.includes(wordAt(tokens, at))) return true;
  return false;
}
