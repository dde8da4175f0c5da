import { verticalOf, type Language } from './lexicon.ts';
import type { Match } from './match-phrases.ts';
import { wordAt, type Units } from './units.ts';

export interface Kinds {
  /** What is looked for. Each is an alternative that the answer should have a place for. */
  categories: string[];
  /** Kinds that say what a place should have or where it should lie, which no record does. */
  facilities: Match[];
  /** Meals that the kinds stand for. */
  meals: Set<string>;
  /** Whether a word for a kitchen stands for restaurants. */
  kitchen: boolean;
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
  { units, language }: { units: Units; language: Language },
  wanted: readonly Match[],
  said: ReadonlySet<string>,
  found: readonly string[],
): Kinds {
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
  const kitchen = !eats && categories.length === 0 && wanted.some(isKitchen);
  if (kitchen) categories.push('restaurant');
  // "Thai or a museum": no museum has a kitchen.
  const cooks = wanted.some(({ section }) => section === 'cuisine' || section === 'dish');
  if (cooks && categories.length > 0 && !categories.some(isServing)) categories.push('restaurant');
  const isGeneral = (kind: string) =>
    categories.some((other) => other !== kind && verticalOf(other) === kind);
  return {
    categories: [...new Set(categories.filter((kind) => !isGeneral(kind)))],
    facilities,
    kitchen,
    meals: new Set(categories.some(letsBeds) ? [] : meals),
  };
}

/** A word for a kitchen says that somebody wants to eat; beside its country it says nothing more. */
function isKitchen({ section, value }: Match): boolean {
  return section === 'grammar' && value === 'kitchen';
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
function isHouse({ value, from }: Match, wanted: readonly Match[]): boolean {
  const isFood = ({ section, value: kind }: Match) =>
    section === 'dish' || (section === 'category' && isServing(kind));
  return HOUSES.has(value) && wanted.some((match) => match.to === from && isFood(match));
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
