import cuisineEntries from './words/cuisines.json' with { type: 'json' };
import kindEntries from './words/kinds.json' with { type: 'json' };
import { byWeight, readWeights, type SeededRandom } from '../demo-random.ts';

export interface DemoKind {
  vertical: string;
  category: string;
  cuisine: readonly string[];
  /** Language of the name, when the cuisine is foreign. */
  speech: string | undefined;
  /** Key of the dishes on the menu; undefined when there is no menu. */
  kitchen: string | undefined;
  /** True when such places mostly have a name in the local language instead of English. */
  localWords: boolean;
  hours: string;
  booking: string;
}

interface KindEntry {
  share: number;
  hours: string;
  booking: string;
  categories: string;
  /** Categories that exist only by the sea. */
  coastal?: string;
}

const KINDS: Readonly<Record<string, KindEntry>> = kindEntries;
const CUISINES: Readonly<Record<string, { speech: string; kitchen: string; categories: string }>> =
  cuisineEntries;

const FOREIGN_SHARE = 0.36;
const FOREIGN = byWeight(
  readWeights(
    'italian 14|japanese 8|chinese 8|indian 7|mexican 5|thai 5|french 5|american 7|mediterranean 5|korean 3|vietnamese 3|' +
      'middle_eastern 4|greek 2|spanish 3|international 12',
  ),
);
// Inland destinations have some boats on rivers and lakes, but no beach.
const INLAND_BOATS = 3;

function verticalTable(coastal: boolean): readonly string[] {
  return byWeight(
    Object.entries(KINDS).map(([vertical, { share }]): [string, number] => {
      if (coastal) return [vertical, share];
      if (vertical === 'beach') return [vertical, 0];
      return [vertical, vertical === 'boat' ? INLAND_BOATS : share];
    }),
  );
}

function categoryTable({ categories, coastal }: KindEntry, atSea: boolean): readonly string[] {
  if (categories === '') return [];
  const weights = readWeights(categories);
  if (atSea) for (const category of coastal?.split('|') ?? []) weights.push([category, 3]);
  return byWeight(weights);
}

const VERTICALS = { sea: verticalTable(true), inland: verticalTable(false) };
const CATEGORIES = new Map(
  Object.entries(KINDS).map(([vertical, entry]) => [
    vertical,
    { sea: categoryTable(entry, true), inland: categoryTable(entry, false) },
  ]),
);
/** Many places share one list of cuisines, so each exists once. */
const RESTAURANTS = new Map(
  Object.entries(CUISINES).map(([cuisine, { categories, ...entry }]) => [
    cuisine,
    { ...entry, list: [cuisine], categories: byWeight(readWeights(categories)) },
  ]),
);

export function demoKind(random: SeededRandom, coastal: boolean, localCuisine: string): DemoKind {
  const where = coastal ? 'sea' : 'inland';
  const vertical = random.pick(VERTICALS[where]);
  const entry = KINDS[vertical];
  if (entry === undefined) throw new Error(`No kind of place is called ${vertical}.`);
  const { hours, booking } = entry;
  if (vertical === 'restaurant')
    return { vertical, hours, booking, localWords: true, ...restaurantKind(random, localCuisine) };
  const category = random.pick(CATEGORIES.get(vertical)?.[where] ?? []);
  const food = vertical === 'cafe' || vertical === 'bar';
  return {
    ...{ vertical, category, cuisine: [], speech: undefined, hours, booking },
    kitchen: food ? vertical : undefined,
    localWords: food || booking === 'room',
  };
}

function restaurantKind(random: SeededRandom, local: string) {
  const cuisine = random.chance(FOREIGN_SHARE) ? random.pick(FOREIGN) : local;
  const { speech, kitchen, list = [], categories = [] } = RESTAURANTS.get(cuisine) ?? {};
  return {
    category: random.pick(categories),
    cuisine: list,
    // Many restaurants with a foreign cuisine still have a local name.
    speech: cuisine !== local && random.chance(0.6) ? speech : undefined,
    kitchen,
  };
}
