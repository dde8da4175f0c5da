import { fold, latinForm, wordsIn, wordsOf } from '../../core/text/fold.ts';
import { otherNames, type PlaceRow } from '../build/document.ts';
import { cellsOf, finestCell } from '../store/geo-cells.ts';
import { categoryKey } from './synonyms.ts';
import type { TermList } from '../store/term-list.ts';
import { TermPairs } from '../store/term-pairs.ts';
import type { Terms } from './terms.ts';
import {
  areaToken,
  countryToken,
  destinationToken,
  kindInAreaToken,
  kindToken,
  placeWordToken,
  unverifiedToken,
  wholeNameToken,
  wordToken,
} from './token.ts';

/**
 * The terms of places. Every filter is a token, and filters that are asked for together are one token together: a word
 * in a destination stands beside the word, so that the most frequent searches read a single list.
 */
export class PlaceTerms {
  readonly #terms: Terms;
  readonly #list: TermList;
  readonly #areas: Map<string | null, Map<string | null, Setting>>[] = [];
  readonly #cells = new Map<number, readonly number[]>();
  readonly #words = new Map<string, number>();
  readonly #kinds = new Map<string, number>();
  readonly #inDestination = new TermPairs();
  readonly #inArea = new TermPairs();

  constructor(terms: Terms, list: TermList) {
    this.#terms = terms;
    this.#list = list;
  }

  /** Adds the terms of a place to the list; one may come twice. What places share is looked up once and kept. */
  add(place: PlaceRow, destination: number, unverified: boolean): void {
    const setting = this.#settingOf(place, destination);
    for (const term of setting.terms) this.#list.push(term);
    if (unverified) this.#list.push(setting.unverified);
    this.#addKind(setting, place.vertical);
    if (place.category !== place.vertical) this.#addKind(setting, place.category);
    for (const kind of place.categories) this.#addKind(setting, kind);
    for (const kind of place.cuisine) this.#addKind(setting, kind);
    const words: string[] = [];
    this.#addName(words, place.name);
    for (const name of otherNames(place)) this.#addName(words, name);
    for (const word of words) this.#addWord(destination, word);
    for (const cell of this.#cellsAt(place.lat, place.lng)) this.#list.push(cell);
    this.#list.endRow();
  }

  #addWord(destination: number, word: string): void {
    const term = this.#words.get(word) ?? keep(this.#words, word, this.#terms.numberOf(wordToken(word)));
    this.#list.push(term);
    this.#list.push(
      this.#inDestination.get(term, destination) ??
        this.#inDestination.set(term, destination, this.#terms.numberOf(wordToken(word, destination))),
    );
  }

  #addKind({ destination, area }: Setting, kind: string): void {
    const term =
      this.#kinds.get(kind) ?? keep(this.#kinds, kind, this.#terms.numberOf(kindToken(categoryKey(kind))));
    this.#list.push(term);
    const inTown = () => this.#terms.numberOf(kindToken(categoryKey(kind), destination));
    this.#list.push(
      this.#inDestination.get(term, destination) ?? this.#inDestination.set(term, destination, inTown()),
    );
    if (area === undefined) return;
    const here = () => this.#terms.numberOf(kindInAreaToken(categoryKey(kind), area.key, destination));
    this.#list.push(this.#inArea.get(term, area.term) ?? this.#inArea.set(term, area.term, here()));
  }

  #addName(words: string[], name: string): void {
    this.#addFolded(words, fold(name));
    const latin = latinForm(name);
    if (latin !== undefined) this.#addFolded(words, fold(latin));
  }

  #addFolded(words: string[], folded: string): void {
    this.#list.push(this.#terms.numberOf(wholeNameToken(folded)));
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

  #settingOf(place: PlaceRow, destination: number): Setting {
    const areas = (this.#areas[destination] ??= new Map<string | null, Map<string | null, Setting>>());
    const cities = areas.get(place.area) ?? keep(areas, place.area, new Map<string | null, Setting>());
    const known = cities.get(place.city);
    return known?.country === place.country
      ? known
      : keep(cities, place.city, this.#newSetting(place, destination));
  }

  #newSetting({ country, area, city }: PlaceRow, destination: number): Setting {
    const tokens = new Set([destinationToken(destination), countryToken(country)]);
    const key = area === null ? undefined : categoryKey(area);
    if (key !== undefined) tokens.add(areaToken(key, destination));
    for (const word of [area, city].flatMap((text) => (text === null ? [] : wordsOf(text))))
      tokens.add(placeWordToken(word)).add(placeWordToken(word, destination));
    return {
      destination,
      country,
      terms: [...tokens].map((token) => this.#terms.numberOf(token)),
      unverified: this.#terms.numberOf(unverifiedToken(destination)),
      area: key === undefined ? undefined : { key, term: this.#terms.numberOf(areaToken(key, destination)) },
    };
  }
}

/** What the places of one area have in common. */
interface Setting {
  destination: number;
  country: string;
  terms: readonly number[];
  unverified: number;
  area: { key: string; term: number } | undefined;
}

/** So many of a kind are kept; past that it begins again, because a directory may have any number of words. */
const KEPT_MAX = 50_000;

function keep<Key, Value>(kept: Map<Key, Value>, key: Key, value: Value): Value {
  if (kept.size >= KEPT_MAX) kept.clear();
  kept.set(key, value);
  return value;
}
