import { globSync, readFileSync } from 'node:fs';
import countryEntries from './words/countries.json' with { type: 'json' };
import { byWeight, readWeights } from '../demo-random.ts';

/** A word as people there say it in Latin letters, and in the local script where there is one. */
export interface Word {
  latin: string;
  local: string | undefined;
}

/** A name's pattern, cut into fixed text and slots: `Warung {n}` is `['Warung ', 'n']` with the slot at odd places. */
export interface Form {
  latin: readonly string[];
  local: readonly string[] | undefined;
  /** What fills the slot of an adjective. */
  adjectives: readonly Word[];
}

type WordLists = Readonly<Record<'n' | 'o' | 'a' | 'g' | 'f', readonly Word[]>>;

/** How one language region names places and streets. */
export interface Speech {
  /** The tag of the local script's name, where the region has one. */
  language: string | undefined;
  words: WordLists;
  streets: readonly Form[];
  address: Form;
  /** By category where a category has its own words, by vertical otherwise. */
  forms: ReadonlyMap<string, readonly Form[]>;
}

interface SpeechFile {
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

function readWords(list: string | undefined): Word[] {
  if (list === undefined) return [];
  return list.split('|').map((entry) => {
    const [latin = '', local] = entry.split('=');
    return { latin, local };
  });
}

function readForm(entry: string, adjectives: readonly Word[]): Form {
  const [latin = '', local] = entry.split('=');
  return { latin: latin.split(/[{}]/), local: local?.split(/[{}]/), adjectives };
}

// The forms that make many names are taken more often than those that make few, so that names seldom repeat.
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

/** One file for each language, in folders by where it is spoken. */
const SPEECHES = new URL('./words/speech/', import.meta.url);

function readSpeech(name: string): Speech {
  const [path = name] = globSync(`*/${name}.json`, { cwd: SPEECHES });
  const file = JSON.parse(readFileSync(new URL(path, SPEECHES), 'utf8')) as SpeechFile;
  const nouns = readWords(file.nouns);
  const of = readWords(file.of);
  const words = {
    n: nouns,
    o: of.length > 0 ? of : nouns,
    a: readWords(file.adjectives),
    g: readWords(file.given),
    f: readWords(file.family),
  };
  return {
    language: file.language,
    words,
    streets: file.streets.split('|').map((entry) => readForm(entry, words.a)),
    address: readForm(file.address, words.a),
    forms: new Map(Object.entries(file.forms).map(([key, list]) => [key, weighForms(list, words)])),
  };
}

const speeches = new Map<string, Speech>();

export function speechNamed(name: string): Speech {
  let speech = speeches.get(name);
  if (speech === undefined) {
    speech = readSpeech(name);
    speeches.set(name, speech);
  }
  return speech;
}

export interface CountryWords {
  /** The speeches heard there, each as often as its weight. */
  speeches: readonly string[];
  cuisine: string;
  languages: readonly string[];
  currency: string;
  /** What costs one dollar in a plain American diner costs this much here, in the currency's own unit. */
  dollar: number;
  /** Prices are multiples of this. */
  step: number;
  /** How menus write a price: the digits as `#`, with the separators that are used there. */
  priceForms: readonly string[];
}

type CountryEntry = (typeof countryEntries)['*'];

function readCountry(entry: CountryEntry): CountryWords {
  return {
    speeches: byWeight(readWeights(entry.speech)),
    cuisine: entry.cuisine,
    languages: entry.languages.split(' '),
    currency: entry.currency,
    dollar: entry.dollar,
    step: entry.step,
    priceForms: entry.price.split('|'),
  };
}

const countries = new Map<string, CountryWords>(
  Object.entries(countryEntries).map(([country, entry]) => [country, readCountry(entry)]),
);

export function countryWords(country: string): CountryWords {
  return countries.get(country) ?? readCountry(countryEntries['*']);
}
