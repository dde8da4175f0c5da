import { tiedByAnd, tiedByOr, type Wording } from './joints.ts';
import { verticalOf, type Language } from './lexicon.ts';
import type { Match } from './match-phrases.ts';
import type { Negations } from './read-negations.ts';
import { wordAt, type Units } from './units.ts';

export interface Kinds {
  /** What is looked for. Each is an alternative that the answer should have a place for. */
  categories: string[];
  /** Kinds that say what a place should have or where it should lie, which no record does. */
  facilities: Match[];
  /** Whether it is about eating or drinking. */
  serves: boolean;
  /** Meals that the kinds stand for. */
  meals: Set<string>;
}

/** A meal says what is looked for, where nothing else that serves one does. */
const MEAL_KINDS: Readonly<Record<string, string>> = {
  lunch: 'restaurant',
  dinner: 'restaurant',
  breakfast: 'cafe',
};
const SERVING = new Set(['restaurant', 'cafe', 'bar', 'nightclub', 'market']);
const LODGING = new Set(['hotel', 'guesthouse', 'hostel']);
const HOUSES = new Set(['shop', 'bar', 'restaurant']);
const TABLE = new Set(['cuisine', 'dish', 'diet']);
/** "dinner on the beach": such a word before a kind makes it a place to be at. */
const AT: Readonly<Record<Language, string>> = {
  en: 'on at by in along beside inside',
  es: 'en sobre junto',
  fr: 'sur au aux dans en',
  de: 'am an auf im in neben beim',
  it: 'sulla sul sui in nel nella su al alla',
  pt: 'na no nas nos em a',
  nl: 'op in aan bij',
  id: 'di',
  ja: '',
};
const AND = new Set('and und et y e ed en dan'.split(' '));
const AT_REACH = 2;

/** The kinds that are looked for: what follows "with" is a wish about them, and pizza says more than restaurant. */
export function readKinds(
  wording: Wording,
  { wanted, denied }: Pick<Negations, 'wanted' | 'denied'>,
  said: ReadonlySet<string>,
  found: readonly string[],
): Kinds {
  const { units, language } = wording;
  const kinds = wanted.filter((match) => match.section === 'category' && !isHouse(match, wanted));
  const eats = wanted.some(({ section }) => TABLE.has(section));
  const meals = Object.keys(MEAL_KINDS).filter((meal) => said.has(meal));
  const serves = eats || [...kinds.map(({ value }) => value), ...found].some(isServing);
  const facilities: Match[] = [];
  const categories = [...found];
  for (const kind of kinds) {
    const isFacility =
      categories.length > 0 && (follows(wanted, kind) || continues(units, facilities.at(-1), kind));
    const isWhere = (serves || meals.length > 0) && !isServing(kind.value) && isAt(units, language, kind);
    if (isFacility || isWhere || isAttribute(units, kind, kinds)) facilities.push(kind);
    else categories.push(kind.value);
  }
  if (!serves && !categories.some(letsBeds))
    for (const meal of meals) categories.push(MEAL_KINDS[meal] ?? '');
  if (!serves && meals.length === 0) categories.push(...impliedKinds(wanted, denied, categories));
  // "Thai or a museum": no museum has a kitchen.
  const cooks = wanted.some(({ section }) => section === 'cuisine' || section === 'dish');
  if (cooks && categories.length > 0 && !categories.some(isServing)) categories.push('restaurant');
  const joined = joinedKinds(wording, kinds);
  const isGeneral = (kind: string) =>
    !joined.has(kind) && categories.some((other) => other !== kind && verticalOf(other) === kind);
  return {
    categories: [...new Set(categories.filter((kind) => !isGeneral(kind)))],
    facilities,
    serves: eats || categories.some(isServing),
    meals: new Set(categories.some(letsBeds) ? [] : meals),
  };
}

/** What somebody looks for who names no kind: who wants food, or not that food, wants to eat. */
function impliedKinds(
  wanted: readonly Match[],
  denied: readonly Match[],
  known: readonly string[],
): string[] {
  const speaksOf = (section: Match['section'], value: string) =>
    wanted.some((match) => match.section === section && match.value === value);
  if (speaksOf('grammar', 'food')) return ['restaurant'];
  // A hostel has a kitchen, and that is another matter.
  if (known.length > 0) return [];
  if (speaksOf('grammar', 'kitchen')) return ['restaurant'];
  const refuses = denied.some(
    ({ section, value }) => TABLE.has(section) || (section === 'category' && isServing(value)),
  );
  if (refuses || speaksOf('ask', 'food')) return ['restaurant'];
  return speaksOf('ask', 'music') ? ['bar'] : [];
}

/** "a gym or yoga": a general word that stands beside a narrower one by "or" or "and" is meant as well. */
function joinedKinds(wording: Wording, kinds: readonly Match[]): Set<string> {
  const joined = new Set<string>();
  for (const [at, one] of kinds.entries()) {
    const other = kinds[at + 1];
    if (other !== undefined && (tiedByOr(wording, one, other) || tiedByAnd(wording, one, other)))
      joined.add(one.value).add(other.value);
  }
  return joined;
}

function isServing(kind: string): boolean {
  return SERVING.has(verticalOf(kind) ?? '') || kind === 'beach_club';
}

/** A bed is let by the night: the hours of its reception say nothing about it. */
export function isLodging({ categories }: Pick<Kinds, 'categories'>): boolean {
  return categories.length > 0 && categories.every(letsBeds);
}

function letsBeds(kind: string): boolean {
  return LODGING.has(verticalOf(kind) ?? '');
}

/** "ramen shop", "sushi bar": a word for the house of what stands before it. */
function isHouse({ value, from, to }: Match, wanted: readonly Match[]): boolean {
  // "toko es krim", "tienda de helados".
  const isBehind = (match: Match) => match.from >= to && match.from - to <= 1;
  const isFood = ({ section, value: kind }: Match) =>
    section === 'dish' || (section === 'category' && isServing(kind));
  return (
    HOUSES.has(value) &&
    wanted.some((match) => (match.to === from || (value === 'shop' && isBehind(match))) && isFood(match))
  );
}

/** Whether it stands right after "with". */
function follows(wanted: readonly Match[], { from }: Match): boolean {
  return wanted.some(
    ({ section, value, to }) => section === 'grammar' && value === 'with' && from >= to && from - to <= 1,
  );
}

/** "beach restaurant", "spa hotel": the first word says what the second should have or where it should lie. */
function isAttribute({ units }: Units, { value, to }: Match, kinds: readonly Match[]): boolean {
  return !isServing(value) && units[to]?.apart === false && kinds.some(({ from }) => from === to);
}

/** Whether only "and" and an article stand between a facility and this one: "with a spa and a gym". */
function continues(units: Units, last: Match | undefined, { from }: Match): boolean {
  return (
    last !== undefined && from - last.to <= AT_REACH && from > last.to && AND.has(wordAt(units, last.to))
  );
}

function isAt(units: Units, language: Language, { from }: Match): boolean {
  const words = AT[language].split(' ');
  for (let at = from - 1; at >= Math.max(0, from - AT_REACH); at--)
    if (words.includes(wordAt(units, at))) return true;
  return false;
}
