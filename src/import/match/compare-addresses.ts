import lists from './match-words.json' with { type: 'json' };
import { latinWords } from './names/latin-words.ts';
import type { MatchRecord } from './match-record.ts';
import { letterPairSimilarity } from './names/text-similarity.ts';

export interface AddressParts {
  readonly numbers: readonly string[];
  /** True when the line begins with the house number, as in English and French. */
  readonly numberFirst: boolean;
  readonly street: string;
  readonly postcode: string;
  readonly city: string;
}

interface AddressComparison {
  readonly numbers: 'same' | 'different' | null;
  /** True when both lines share a number but differ in another: two units of one building. */
  readonly unitsClash: boolean;
  /** Similarity of the street's words, 0 to 1. */
  readonly street: number | null;
  readonly postcode: 'same' | 'different' | null;
  readonly city: 'same' | 'different' | null;
}

/** Street words that sources write in full or abbreviate, mapped to one form. */
const shortForms = new Map(
  Object.entries(lists.streetWords).flatMap(([short, words]) =>
    words.split(' ').map((word) => [word, short]),
  ),
);

export function addressParts(record: MatchRecord): AddressParts {
  const words = latinWords(
    (record.street ?? '')
      .replace(/(?<=[a-z]{3})str\b\.?/giu, ' str')
      .replace(/(?<=\p{L}{3})stra(ß|ss)e\b/giu, ' str'),
  );
  return {
    numberFirst: /^\d/.test(words[0] ?? ''),
    numbers: words
      .flatMap((word) => /^\d+/.exec(word)?.[0].replace(/^0+/, '') ?? [])
      .filter((digits) => digits !== ''),
    street: words
      .filter((word) => !/\d/.test(word))
      .map((word) => shortForms.get(word) ?? word)
      .join(' '),
    postcode: (record.postcode ?? '')
      .normalize('NFKC')
      .replace(/[^\p{L}\p{N}]/gu, '')
      .toLowerCase(),
    city: latinWords(record.city ?? '').join(''),
  };
}

export function compareAddresses(a: AddressParts, b: AddressParts): AddressComparison {
  const shared = sharedNumbers(a, b);
  return {
    numbers:
      a.numbers.length === 0 || b.numbers.length === 0 ? null : shared.length > 0 ? 'same' : 'different',
    unitsClash: shared.length > 0 && hasOther(a.numbers, shared) && hasOther(b.numbers, shared),
    street: a.street === '' || b.street === '' ? null : letterPairSimilarity(a.street, b.street),
    postcode: comparePostcodes(a.postcode, b.postcode),
    city: compareCities(a.city, b.city),
  };
}

/** Returns the shared numbers; leading ones must agree: "100 Church St" is not "1807 Church St, Suite 100". */
function sharedNumbers(a: AddressParts, b: AddressParts): string[] {
  if (a.numberFirst && b.numberFirst && a.numbers[0] !== b.numbers[0]) return [];
  return a.numbers.filter((number) => b.numbers.includes(number));
}

function hasOther(numbers: readonly string[], shared: readonly string[]): boolean {
  return numbers.some((number) => !shared.includes(number));
}

/** Postcodes are the same when one begins with the other: some sources have only the first half. */
function comparePostcodes(a: string, b: string): AddressComparison['postcode'] {
  if (a.length < 3 || b.length < 3) return null;
  return a.startsWith(b) || b.startsWith(a) ? 'same' : 'different';
}

function compareCities(a: string, b: string): AddressComparison['city'] {
  if (a === '' || b === '') return null;
  return a.includes(b) || b.includes(a) ? 'same' : 'different';
}
