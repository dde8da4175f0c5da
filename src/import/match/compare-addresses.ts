import { latinWords } from './latin-words.ts';
import type { MatchRecord } from './match-record.ts';
import { letterPairSimilarity } from './text-similarity.ts';

export interface AddressParts {
  readonly numbers: readonly string[];
  readonly street: string;
  readonly postcode: string;
  readonly city: string;
}

export interface AddressComparison {
  readonly numbers: 'same' | 'different' | null;
  /** Both lines go on after the shared number, and differ there: two units of one building. */
  readonly unitsClash: boolean;
  /** Likeness of the street's words, 0 to 1. */
  readonly street: number | null;
  readonly postcode: 'same' | 'different' | null;
  readonly city: 'same' | 'different' | null;
}

const shortForms = new Map(
  Object.entries({
    street: 'st', str: 'st', strasse: 'st', road: 'rd', avenue: 'av', ave: 'av', avenida: 'av', avda: 'av', viale: 'av',
    boulevard: 'bd', blvd: 'bd', bvd: 'bd', drive: 'dr', lane: 'ln', highway: 'hwy', parkway: 'pkwy', court: 'ct', place: 'pl', square: 'sq',
    rua: 'r', rue: 'r', calle: 'c', carrer: 'c', carrera: 'cra', plaza: 'pl', piazza: 'pl', praca: 'pl', platz: 'pl', turnpike: 'tpke', route: 'rte',
    north: 'n', south: 's', east: 'e', west: 'w', northwest: 'nw', northeast: 'ne', southwest: 'sw', southeast: 'se',
    caddesi: 'cad', cd: 'cad', sokak: 'sk', sokagi: 'sk', mahallesi: 'mah', suite: 'ste', unit: 'ste', floor: 'fl',
  }),
);

export function addressParts(record: MatchRecord): AddressParts {
  const words = latinWords((record.street ?? '').replace(/(?<=[a-z]{3})str\b\.?/giu, ' str').replace(/(?<=\p{L}{3})stra(ß|ss)e\b/giu, ' str'));
  return {
    numbers: words.flatMap((word) => /^\d+/.exec(word)?.[0].replace(/^0+/, '') ?? []).filter((digits) => digits !== ''),
    street: words.filter((word) => !/\d/.test(word)).map((word) => shortForms.get(word) ?? word).join(' '),
    postcode: (record.postcode ?? '').normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '').toLowerCase(),
    city: latinWords(record.city ?? '').join(''),
  };
}

export function compareAddresses(a: AddressParts, b: AddressParts): AddressComparison {
  const shared = a.numbers.filter((number) => b.numbers.includes(number));
  return {
    numbers: a.numbers.length === 0 || b.numbers.length === 0 ? null : shared.length > 0 ? 'same' : 'different',
    unitsClash: shared.length > 0 && hasOther(a.numbers, shared) && hasOther(b.numbers, shared),
    street: a.street === '' || b.street === '' ? null : letterPairSimilarity(a.street, b.street),
    postcode: comparePostcodes(a.postcode, b.postcode),
    city: compareCities(a.city, b.city),
  };
}

function hasOther(numbers: readonly string[], shared: readonly string[]): boolean {
  return numbers.some((number) => !shared.includes(number));
}

/** One source often holds only the first half of a postcode, so the shorter one decides. */
function comparePostcodes(a: string, b: string): AddressComparison['postcode'] {
  if (a.length < 3 || b.length < 3) return null;
  return a.startsWith(b) || b.startsWith(a) ? 'same' : 'different';
}

function compareCities(a: string, b: string): AddressComparison['city'] {
  if (a === '' || b === '') return null;
  return a.includes(b) || b.includes(a) ? 'same' : 'different';
}
