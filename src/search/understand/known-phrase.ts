import type { OpenIndex } from '../store/open-index.ts';
import { meaningsOf } from './vocabulary.ts';

/** What a phrase may mean, whatever places there are. */
export interface KnownPhrase {
  /** Each with the broader ones behind it. */
  kinds: readonly (readonly string[])[];
  cuisines: readonly string[];
  /** Kinds that are meant where no place has the phrase in its name. */
  weak: readonly string[];
  brands: readonly string[];
  wishes: readonly string[];
  /** Other forms of the same word. */
  same: readonly string[];
  price: string | undefined;
  /** The slug of a destination. */
  code: string | undefined;
  openNow: boolean;
  isSmall: boolean;
  isPraise: boolean;
  joins: boolean;
  /** How many words the longest phrase has that begins with this one. */
  longest: number;
}

/** What most words mean: no more than themselves. */
export const NOTHING: KnownPhrase = {
  kinds: [],
  cuisines: [],
  weak: [],
  brands: [],
  wishes: [],
  same: [],
  price: undefined,
  code: undefined,
  openNow: false,
  isSmall: false,
  isPraise: false,
  joins: false,
  longest: 1,
};
const KEPT_MAX = 20_000;
/** Of the languages that form the plural by an ending, and of some that bend their nouns. */
const ENDINGS = ['s', 'es', 'n', 'en', 'er', 'e', 't', 'ar', 'or', 'i', 'y', 'ы', 'и'];
const STEM_MIN = 4;

/** Kept for as long as there are the same kinds: nearly every search asks for its words. */
export function knownPhrase(index: OpenIndex, phrase: string): KnownPhrase {
  let known = index.phrases.get(phrase);
  if (known === undefined) {
    known = read(index, phrase);
    if (index.phrases.size >= KEPT_MAX) index.phrases.clear();
    index.phrases.set(phrase, known);
  }
  return known;
}

function read(index: OpenIndex, phrase: string): KnownPhrase {
  const meanings = meaningsOf(index.store, phrase);
  const key = phrase.replaceAll(' ', '_');
  const values = (mark: string) =>
    meanings.filter((one) => one.startsWith(mark)).map((one) => one.slice(mark.length));
  const chains = values('k').map((chain) => chain.split('>'));
  // The word itself is meant before what it may stand for: somebody who says doctor can do without the pharmacies.
  // Two words are different: a coffee shop is a café, although some snack bars call themselves so.
  const own = ownKinds(index, key);
  const meant = chains.filter((chain) => chain.some((kind) => index.hasKind(kind)));
  const isPhrase =
    phrase.includes(' ') && meant.length > 0 && !meant.flat().some((kind) => own.includes(kind));
  const kinds =
    isPhrase || own.length === 0
      ? meant
      : [...own.map((kind) => [kind]), ...(phrase.includes(' ') ? meant : [])];
  const cuisines = values('c').filter((cuisine) => index.hasKind(cuisine) && !own.includes(cuisine));
  const nothingSure = kinds.length === 0 && cuisines.length === 0;
  const weak = nothingSure
    ? [...values('~k'), ...values('~c'), ...(meanings.length === 0 ? bent(index, phrase) : [])]
        .flatMap((chain) => chain.split('>'))
        .filter((kind) => index.hasKind(kind))
    : [];
  if (meanings.length === 0 && kinds.length === 0 && weak.length === 0) return NOTHING;
  // Short words of one language are things in another: "the" is a drink in French.
  const isSmall = meanings.includes('s') && !meanings.includes('q');
  const isThing = !isSmall || phrase.length > 3;
  return {
    kinds: isThing ? kinds : [],
    cuisines: isThing ? cuisines : [],
    weak,
    brands: values('b'),
    wishes: [...values('f'), ...(nothingSure ? values('~f') : [])],
    same: values('='),
    price: values('p')[0],
    code: values('d')[0],
    openNow: meanings.includes('o'),
    isSmall,
    isPraise: meanings.includes('q'),
    joins: meanings.includes('+'),
    longest: Number(values('#')[0] ?? 1),
  };
}

function ownKinds(index: OpenIndex, key: string): string[] {
  if (index.hasKind(key)) return [key];
  const singular = key.endsWith('s') ? key.slice(0, -1) : '';
  return singular !== '' && index.hasKind(singular) ? [singular] : [];
}

/** What a word means without its ending. */
function bent(index: OpenIndex, phrase: string): string[] {
  return ENDINGS.filter((ending) => phrase.endsWith(ending) && phrase.length - ending.length >= STEM_MIN)
    .flatMap((ending) => meaningsOf(index.store, phrase.slice(0, -ending.length)))
    .filter((meaning) => meaning.startsWith('k') || meaning.startsWith('c'))
    .map((meaning) => meaning.slice(1));
}

/** The kinds and cuisines that a word stands for as a filter. */
export function kindsFor(index: OpenIndex, text: string): string[] {
  const { kinds, cuisines, weak } = knownPhrase(index, text);
  return [...new Set([text.replaceAll(' ', '_'), ...kinds.flat(), ...cuisines, ...weak])];
}
