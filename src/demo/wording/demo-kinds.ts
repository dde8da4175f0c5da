import cuisineEntries from './words/cuisines.json' with { type: 'json' };
import kindEntries from './words/kinds.json' with { type: 'json' };
import { byWeight, readWeights, type SeededRandom } from '../demo-random.ts';

/** What a place is and what follows from it. */
export interface DemoKind {
  vertical: string;
  category: string;
  cuisine: readonly string[];
  /** Whose words name it, where the kitchen comes from elsewhere. */
  speech: string | undefined;
  /** Whose dishes are on the menu; undefined where there is no menu. */
  kitchen: string | undefined;
  /** Whether such places mostly bear a name in the language of the region, not in English. */
  localWords: boolean;
  hours: string;
  booking: string;
}

interface KindEntry {
  share: number;
  hours: string;
  booking: string;
  categories: string;
  /** Categories that need the sea. */
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
// Sea, river and lake: an inland destination has some boats, but no beach.
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
  if (atSea) for (const word of coastal?.split('|') ?? []) weights.push([word, 3]);
  return byWeight(weights);
}

/** Chooses what places there are, by the shares that they have in the world. */
export class DemoKinds {
  readonly #random: SeededRandom;
  readonly #verticals = { sea: verticalTable(true), inland: verticalTable(false) };
  readonly #categories = new Map(
    Object.entries(KINDS).map(([vertical, entry]) => [
      vertical,
      { sea: categoryTable(entry, true), inland: categoryTable(entry, false) },
    ]),
  );
  readonly #dishes = new Map(
    Object.entries(CUISINES).map(([cuisine, { categories }]) => [cuisine, byWeight(readWeights(categories))]),
  );
  /** One list for each cuisine, however many places share it. */
  readonly #cuisineLists = new Map(Object.keys(CUISINES).map((cuisine) => [cuisine, [cuisine]]));

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  kind(coastal: boolean, localCuisine: string): DemoKind {
    const where = coastal ? 'sea' : 'inland';
    const vertical = this.#random.pick(this.#verticals[where]);
    const entry = KINDS[vertical];
    if (entry === undefined) throw new Error(`No kind of place is called ${vertical}.`);
    const { hours, booking } = entry;
    if (vertical === 'restaurant')
      return { vertical, hours, booking, localWords: true, ...this.#kitchen(localCuisine) };
    const category = this.#random.pick(this.#categories.get(vertical)?.[where] ?? []);
    const food = vertical === 'cafe' || vertical === 'bar';
    return {
      vertical,
      category,
      cuisine: [],
      speech: undefined,
      kitchen: food ? vertical : undefined,
      localWords: food || booking === 'room',
      hours,
      booking,
    };
  }

  #kitchen(local: string): Pick<DemoKind, 'category' | 'cuisine' | 'speech' | 'kitchen'> {
    const chosen = this.#random.chance(FOREIGN_SHARE) ? this.#random.pick(FOREIGN) : local;
    const { speech, kitchen } = CUISINES[chosen] ?? {};
    return {
      category: this.#random.pick(this.#dishes.get(chosen) ?? []),
      cuisine: this.#cuisineLists.get(chosen) ?? [],
      // Many who cook another country's food still give their house a local name.
      speech: chosen !== local && this.#random.chance(0.6) ? speech : undefined,
      kitchen,
    };
  }
}
