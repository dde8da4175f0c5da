import { landMasks } from './demo-land.ts';
import { DemoPositions } from './demo-positions.ts';
import { byWeight, hashText, readWeights, type SeededRandom } from './demo-random.ts';
import { countryWords, type CountryWords } from './wording/demo-words.ts';
import type { Destination, DestinationExtent } from '../directory/destinations.ts';

/** Columns of table destination that the generator needs. */
export type DemoDestinationRow = Pick<
  Destination,
  'id' | 'slug' | 'name' | 'country' | 'timezone' | 'areas' | keyof DestinationExtent
>;

export interface DemoDestination {
  row: DemoDestinationRow;
  words: CountryWords;
  positions: DemoPositions;
  coastal: boolean;
  /** Prefixes of the list of spoken languages: the first language alone, the first two, and so on. */
  languages: readonly (readonly string[])[];
}

/** Weights of the most visited destinations. All others get a weight from two to six, from the hash of their slug. */
const PROMINENT = new Map(
  readWeights(
    'bali 44|bangkok 38|tokyo 38|paris 36|london 36|new-york 34|new-york-city 34|rome 28|barcelona 28|istanbul 28|singapore 26|' +
      'dubai 26|hong-kong 24|kyoto 20|phuket 20|lisbon 20|los-angeles 20|sydney 20|mexico-city 20|osaka 18|berlin 18|' +
      'amsterdam 18|madrid 18|milan 16|seoul 18|taipei 16|ho-chi-minh-city 16|hanoi 14|kuala-lumpur 16|san-francisco 16|' +
      'miami 16|melbourne 16|athens 14|vienna 14|prague 14|florence 12|venice 12|chiang-mai 14|cape-town 12|' +
      'rio-de-janeiro 14|buenos-aires 14|marrakech 12|budapest 12|copenhagen 12|delhi 14|mumbai 14|toronto 14',
  ),
);

/** Picks destinations weighted by how often they are visited. */
export class DemoDestinations {
  readonly #table: readonly DemoDestination[];

  constructor(rows: readonly DemoDestinationRow[]) {
    // The result must not depend on the order in which the database returns rows.
    const sorted = [...rows].sort((a, b) => (a.slug < b.slug ? -1 : 1));
    const masks = landMasks(sorted);
    this.#table = byWeight(
      sorted.map((row, at): [DemoDestination, number] => {
        const land = masks[at];
        if (land === undefined) throw new Error(`The land around ${row.slug} was not loaded.`);
        const words = countryWords(row.country);
        const destination = {
          row,
          words,
          positions: new DemoPositions(row, land),
          coastal: land.coastal,
          languages: words.languages.map((_, last) => words.languages.slice(0, last + 1)),
        };
        return [destination, PROMINENT.get(row.slug) ?? 2 + (hashText(row.slug) % 5)];
      }),
    );
  }

  pick(random: SeededRandom): DemoDestination {
    return random.pick(this.#table);
  }
}
