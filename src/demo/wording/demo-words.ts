import { globSync, readFileSync } from 'node:fs';
import countryEntries from './words/countries.json' with { type: 'json' };
import { byWeight, readWeights } from '../demo-random.ts';

/** Word in Latin letters, and in the local script where there is one. */
export interface DemoWord {
  latin: string;
  local: string | undefined;
}

/** Name pattern, split into fixed text and slots: `Warung {n}` is `['Warung ', 'n']`, with slots at odd indexes. */
export interface Form {
  latin: readonly string[];
  local: readonly string[] | undefined;
  adjectives: readonly DemoWord[];
}

type WordLists = Readonly<Record<'n' | 'o' | 'a' | 'g' | 'f', readonly DemoWord[]>>;

/** Grammar for the names of places and streets in one language region. */
export interface DemoLanguage {
  /** Language tag of names in the local script, where the region has one. */
  language: string | undefined;
  words: WordLists;
  streets: readonly Form[];
  address: Form;
  /** Forms by category where a category has its own, by vertical otherwise. */
  forms: ReadonlyMap<string, readonly Form[]>;
}

interface LanguageFile {
  language?: string;
  nouns: string;
  of?: string;
  adjectives?: string;
  given: string;
  family: string;
  streets: string;
  address: string;
  forms: Record<string, string>;
}

function readWords(list: string | undefined): DemoWord[] {
  if (list === undefined) return [];
  return list.split('|').map((entry) => {
    const [latin = '', local] = entry.split('=');
    return { latin, local };
  });
}

function readForm(entry: string, adjectives: readonly DemoWord[]): Form {
  const [latin = '', local] = entry.split('=');
  return { latin: latin.split(/[{}]/), local: local?.split(/[{}]/), adjectives };
}

// Forms that yield many names get a higher weight, so that names seldom repeat.
const MANY_NAMES = 300;

function weighForms(list: string, words: WordLists): readonly Form[] {
  const sizes: Readonly<Record<string, number>> = {
    n: words.n.length,
    m: words.n.length,
    o: words.o.length,
    a: words.a.length,
    g: words.g.length,
    f: words.f.length,
    h: words.f.length,
  };
  return byWeight(
    list.split('|').map((entry): [Form, number] => {
      const form = readForm(entry, words.a);
      let names = 1;
      for (let i = 1; i < form.latin.length; i += 2) names *= sizes[form.latin[i] ?? ''] ?? 1;
      return [form, names < MANY_NAMES ? 1 : 5];
    }),
  );
}

/** Folder with one file per language, grouped by region. */
const LANGUAGE_FILES = new URL('./words/speech/', import.meta.url);

function readLanguage(name: string): DemoLanguage {
  const [path = name] = globSync(`*/${name}.json`, { cwd: LANGUAGE_FILES });
  const file = JSON.parse(readFileSync(new URL(path, LANGUAGE_FILES), 'utf8')) as LanguageFile;
  const nouns = readWords(file.nouns);
  const of = readWords(file.of);
  const lists = {
    n: nouns,
    o: of.length > 0 ? of : nouns,
    a: readWords(file.adjectives),
    g: readWords(file.given),
    f: readWords(file.family),
  };
  return {
    language: file.language,
    words: lists,
    streets: file.streets.split('|').map((entry) => readForm(entry, lists.a)),
    address: readForm(file.address, lists.a),
    forms: new Map(Object.entries(file.forms).map(([key, list]) => [key, weighForms(list, lists)])),
  };
}

const languages = new Map<string, DemoLanguage>();

export function languageNamed(name: string): DemoLanguage {
  return languages.getOrInsertComputed(name, readLanguage);
}

export interface CountryWords {
  /** Names of language files, repeated by weight. */
  languageFiles: readonly string[];
  cuisine: string;
  languages: readonly string[];
  currency: string;
  /** Price, in the local currency, of something that costs one dollar in a plain American diner. */
  dollar: number;
  /** Step to which prices are rounded. */
  step: number;
  /** Price formats of menus: the digits as `#`, with the local separators. */
  priceForms: readonly string[];
}

type CountryEntry = (typeof countryEntries)['*'];

function readCountry({ speech, languages, price, ...entry }: CountryEntry): CountryWords {
  return {
    ...entry,
    languageFiles: byWeight(readWeights(speech)),
    languages: languages.split(' '),
    priceForms: price.split('|'),
  };
}

const countries = new Map<string, CountryWords>(
  Object.entries(countryEntries).map(([country, entry]) => [country, readCountry(entry)]),
);

export function countryWords(country: string): CountryWords {
  return countries.get(country) ?? readCountry(countryEntries['*']);
}
