import { keep, type OpenIndex } from '../store/open-index.ts';
import type { KnownPhrase } from './phrase.ts';
import { parseSenses } from './lexicon/senses.ts';
import { COMPOUND_HEADS } from './lexicon/kind-words.ts';
import { meaningsOf } from './lexicon/vocabulary.ts';

/** A phrase without a meaning, as most words are. */
export const NOTHING: KnownPhrase = {
  kinds: [],
  cuisines: [],
  implied: [],
  soldAt: [],
  isBuying: false,
  weak: [],
  brands: [],
  wishes: [],
  same: [],
  price: undefined,
  stars: undefined,
  code: undefined,
  openings: [],
  isStopWord: false,
  isPraise: false,
  isStreet: false,
  joins: false,
  longest: 1,
  senses: undefined,
  longestSense: 0,
};
/** Marks of meanings that only questions use. */
const SENSE_MARKS = /^[@^]/;
/** Plural and inflectional endings. */
const ENDINGS = [
  's',
  'es',
  'n',
  'en',
  'er',
  'e',
  't',
  'ar',
  'or',
  'i',
  'y',
  'ы',
  'и',
  'tje',
  'etje',
  'pje',
  'je',
];
const STEM_MIN = 4;
const COMPOUND_MIN = 3;

/** Returns the meanings of a phrase, cached until the kinds change, because nearly every search looks up its words. */
export function knownPhrase(index: OpenIndex, phrase: string): KnownPhrase {
  return index.phrases.get(phrase) ?? keep(index.phrases, phrase, read(index, phrase));
}

function read(index: OpenIndex, phrase: string): KnownPhrase {
  const all = meaningsOf(index.store, phrase);
  const meanings = all.filter((one) => !SENSE_MARKS.test(one));
  const key = phrase.replaceAll(' ', '_');
  const values = (mark: string) =>
    all.filter((one) => one.startsWith(mark)).map((one) => one.slice(mark.length));
  const chains = values('k').map((chain) => chain.split('>'));
  // The literal kind takes precedence over related ones: "doctor" does not include pharmacies. Phrases of
  // two words are an exception: "coffee shop" means cafés, although the kind of some snack bars is
  // coffee_shop.
  const own = ownKinds(index, key);
  const available = chains.filter((chain) => chain.some((kind) => index.hasKind(kind)));
  const isPhrase =
    phrase.includes(' ') && available.length > 0 && !available.flat().some((kind) => own.includes(kind));
  const kinds =
    isPhrase || own.length === 0
      ? available
      : [...own.map((kind) => [kind]), ...(phrase.includes(' ') ? available : [])];
  const dishes = values('c').map((chain) => chain.split('>'));
  const cuisines = dishes
    .map(([cuisine = '']) => cuisine)
    .filter((cuisine) => index.hasKind(cuisine) && !own.includes(cuisine));
  const implied = dishes.flatMap(([, ...others]) => others).filter((kind) => index.hasKind(kind));
  const nothingSure = kinds.length === 0 && cuisines.length === 0 && implied.length === 0;
  const weak = nothingSure
    ? [...values('~k'), ...values('~c'), ...(meanings.length === 0 ? stemMeanings(index, phrase) : [])]
        .flatMap((chain) => chain.split('>'))
        .filter((kind) => index.hasKind(kind))
    : [];
  if (all.length === 0 && kinds.length === 0 && weak.length === 0) return NOTHING;
  const senses = values('@');
  // Stop words of one language are nouns in another: "the" is a drink in French.
  const isStopWord = meanings.includes('s') && !meanings.includes('q');
  const isThing = !isStopWord || phrase.length > 3;
  return {
    kinds: isThing ? kinds : [],
    cuisines: isThing ? cuisines : [],
    implied: isThing ? implied : [],
    soldAt: values('$')
      .map((chain) => chain.split('>'))
      .filter((chain) => chain.some((kind) => index.hasKind(kind))),
    isBuying: meanings.includes('!'),
    weak,
    brands: values('b'),
    wishes: [...values('f'), ...(nothingSure ? values('~f') : [])],
    same: values('='),
    price: values('p')[0],
    stars: values('*')[0],
    code: values('d')[0],
    openings: values('o').map((one) => one || 'now'),
    isStopWord,
    isPraise: meanings.includes('q'),
    isStreet: meanings.includes('/'),
    joins: meanings.includes('+'),
    longest: Number(values('#')[0] ?? 1),
    senses: senses.length === 0 ? undefined : parseSenses(senses),
    longestSense: Number(values('^')[0] ?? 0),
  };
}

function ownKinds(index: OpenIndex, key: string): string[] {
  if (index.hasKind(key)) return [key];
  const singular = key.endsWith('s') ? key.slice(0, -1) : '';
  return singular !== '' && index.hasKind(singular) ? [singular] : [];
}

/** Returns the meanings of a word without its ending, or of a compound. */
function stemMeanings(index: OpenIndex, phrase: string): string[] {
  const stems = ENDINGS.filter(
    (ending) => phrase.endsWith(ending) && phrase.length - ending.length >= STEM_MIN,
  ).flatMap((ending) => kindMeanings(index, phrase.slice(0, -ending.length)));
  return stems.length > 0 ? stems : compoundMeanings(index, phrase);
}

/** Returns the meanings of a compound as two words (Cocktailbar), or else of its last one (Familienhotel). */
function compoundMeanings(index: OpenIndex, word: string): string[] {
  if (word.includes(' ')) return [];
  const heads = COMPOUND_HEADS.filter(
    (head) => word.endsWith(head) && word.length - head.length >= COMPOUND_MIN,
  );
  const pairs = heads.flatMap((head) => kindMeanings(index, `${word.slice(0, -head.length)} ${head}`));
  return pairs.length > 0 ? pairs : heads.flatMap((head) => kindMeanings(index, head));
}

function kindMeanings(index: OpenIndex, phrase: string): string[] {
  return meaningsOf(index.store, phrase)
    .filter((meaning) => meaning.startsWith('k') || meaning.startsWith('c'))
    .map((meaning) => meaning.slice(1));
}

/** True for a phrase that requests something, unlike a name or a stop word. */
export function hasMeaning({
  kinds,
  cuisines,
  implied,
  wishes,
  openings,
  price,
  stars,
}: KnownPhrase): boolean {
  return (
    kinds.length > 0 ||
    cuisines.length > 0 ||
    implied.length > 0 ||
    wishes.length > 0 ||
    openings.length > 0 ||
    price !== undefined ||
    stars !== undefined
  );
}

/** Returns the kinds and cuisines that a word matches as a filter. */
export function kindsFor(index: OpenIndex, text: string): string[] {
  const { kinds, cuisines, weak } = knownPhrase(index, text);
  return [...new Set([text.replaceAll(' ', '_'), ...kinds.flat(), ...cuisines, ...weak])];
}
