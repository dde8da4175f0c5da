import { fold, latinForm, wordsIn, wordsOf } from '../fold.ts';
import { cellsOf, finestCell } from './geo-cells.ts';
import { categoryKey } from './synonyms.ts';
import { TermPairs } from './term-pairs.ts';
import type { Terms } from './terms.ts';

/** What the index knows a place by. */
export interface PlaceWords {
  destination: number;
  country: string;
  name: string;
  otherNames: Iterable<string>;
  /** Its vertical, categories and cuisines as they are stored. */
  kinds: readonly string[];
  area: string | null;
  city: string | null;
  lat: number;
  lng: number;
  unverified: boolean;
}

/**
 * Every filter is a token, and filters that are asked for together are one token together: `5_pizza` stands beside
 * `pizza` for destination 5, so that the most frequent searches read a single list.
 *
 *   word            a word of a name                 5_word           in destination 5
 *   n_wholename     the whole name                   5                the destination itself
 *   k_pizza         a category or cuisine            5k_pizza         in the destination
 *   5a_canggu       an area                          5a_canggu_k_bar  a category in an area
 *   5w_canggu       a word of an area or city        c_id, g13x…      country, square of the map
 *   5u              hours that nobody has verified
 */
export class PlaceTerms {
  readonly #terms: Terms;
  readonly #areas: Map<string | null, Map<string | null, Setting>>[] = [];
  readonly #cells = new Map<number, readonly number[]>();
  readonly #words = new Map<string, number>();
  readonly #kinds = new Map<string, number>();
  readonly #inDestination = new TermPairs();
  readonly #inArea = new TermPairs();

  constructor(terms: Terms) {
    this.#terms = terms;
  }

  /** The numbers of its terms; one may come twice. What places share is looked up once and kept. */
  of(place: PlaceWords): number[] {
    const { destination, kinds } = place;
    const setting = this.#settingOf(place);
    const found = setting.terms.slice();
    for (const cell of this.#cellsAt(place.lat, place.lng)) found.push(cell);
    if (place.unverified) found.push(setting.unverified);
    for (let i = 0; i < kinds.length; i++) {
      const kind = kinds[i] ?? '';
      // A vertical is often the category too.
      if (kinds.indexOf(kind) === i) this.#addKind(found, setting, kind);
    }
    const words: string[] = [];
    this.#addName(found, words, place.name);
    for (const name of place.otherNames) this.#addName(found, words, name);
    for (const word of words) {
      const term = this.#words.get(word) ?? keep(this.#words, word, this.#terms.numberOf(word));
      found.push(
        term,
        this.#inDestination.get(term, destination) ??
          this.#inDestination.set(term, destination, this.#terms.numberOf(`${destination}_${word}`)),
      );
    }
    return found;
  }

  #addKind(found: number[], { destination, area }: Setting, kind: string): void {
    const term =
      this.#kinds.get(kind) ?? keep(this.#kinds, kind, this.#terms.numberOf(`k_${categoryKey(kind)}`));
    found.push(
      term,
      this.#inDestination.get(term, destination) ??
        this.#inDestination.set(
          term,
          destination,
          this.#terms.numberOf(`${destination}k_${categoryKey(kind)}`),
        ),
    );
    if (area === undefined) return;
    found.push(
      this.#inArea.get(term, area) ??
        this.#inArea.set(
          term,
          area,
          this.#terms.numberOf(`${this.#terms.textOf(area)}_k_${categoryKey(kind)}`),
        ),
    );
  }

  #addName(found: number[], words: string[], name: string): void {
    this.#addFolded(found, words, fold(name));
    const latin = latinForm(name);
    if (latin !== undefined) this.#addFolded(found, words, fold(latin));
  }

  #addFolded(found: number[], words: string[], folded: string): void {
    found.push(this.#terms.numberOf(wholeOf(folded)));
    // A name has few words: to look through them is quicker than a set.
    for (const word of wordsIn(folded)) if (!words.includes(word)) words.push(word);
  }

  #cellsAt(lat: number, lng: number): readonly number[] {
    const finest = finestCell(lat, lng);
    return (
      this.#cells.get(finest) ??
      keep(
        this.#cells,
        finest,
        cellsOf(lat, lng).map((cell) => this.#terms.numberOf(cell)),
      )
    );
  }

  #settingOf(place: PlaceWords): Setting {
    const areas = (this.#areas[place.destination] ??= new Map<string | null, Map<string | null, Setting>>());
    const cities = areas.get(place.area) ?? keep(areas, place.area, new Map<string | null, Setting>());
    const known = cities.get(place.city);
    return known?.country === place.country ? known : keep(cities, place.city, this.#newSetting(place));
  }

  #newSetting({ destination, country, area, city }: PlaceWords): Setting {
    const tokens = new Set([String(destination), `c_${country.toLowerCase()}`]);
    const areaToken = area === null ? undefined : `${destination}a_${categoryKey(area)}`;
    if (areaToken !== undefined) tokens.add(areaToken);
    for (const word of [area, city].flatMap((text) => (text === null ? [] : wordsOf(text))))
      tokens.add(`w_${word}`).add(`${destination}w_${word}`);
    return {
      destination,
      country,
      terms: [...tokens].map((token) => this.#terms.numberOf(token)),
      unverified: this.#terms.numberOf(`${destination}u`),
      area: areaToken === undefined ? undefined : this.#terms.numberOf(areaToken),
    };
  }
}

/** What the places of one area have in common. */
interface Setting {
  destination: number;
  country: string;
  terms: readonly number[];
  unverified: number;
  area: number | undefined;
}

/** So many of a kind are kept; past that it begins again, because a directory may have any number of words. */
const KEPT_MAX = 50_000;

function keep<Key, Value>(kept: Map<Key, Value>, key: Key, value: Value): Value {
  if (kept.size >= KEPT_MAX) kept.clear();
  kept.set(key, value);
  return value;
}

/** Without its spaces, because "Star Bucks" is Starbucks and "beefbar" may be the Beef Bar. */
export function wholeName(name: string): string {
  return wholeOf(fold(name));
}

function wholeOf(folded: string): string {
  return `n_${folded.replaceAll(' ', '')}`;
}
