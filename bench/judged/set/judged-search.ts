/**
 * What is right: objects of the map by their references (`n1 w2`), or all named objects that a rule fits.
 * A rule's `tags` are alternatives, each a list of conditions: `cuisine=sushi & wheelchair=yes,limited`.
 * `cuisine` and other lists fit when one of their values does, `open=now` asks the opening hours.
 */
export interface Rule {
  tags: readonly string[];
  /** The reference of a boundary that the object lies in. */
  inside?: string;
  /** Latitude, longitude, metres. */
  near?: readonly [number, number, number];
  /** Alternative to the position: a text that the object's name or address contains. */
  or?: RegExp;
}

type Language =
  'ar' | 'ca' | 'de' | 'en' | 'es' | 'fi' | 'fr' | 'it' | 'ja' | 'ko' | 'pt' | 'ru' | 'sv' | 'zh' | 'any';

type Sort =
  | 'name'
  | 'part of a name'
  | 'name in another language'
  | 'name in Latin letters'
  | 'typo'
  | 'joined or split'
  | 'abbreviation'
  | 'begun'
  | 'name and street'
  | 'kind'
  | 'kind in an area'
  | 'kind and cuisine'
  | 'brand'
  | 'wish'
  | 'emoji'
  | 'question'
  | 'code';

/** The text, the settlement whose destination is given (or none), what is right, the language, the sort. */
export type JudgedSearch = readonly [
  text: string,
  settlement: string,
  right: string | Rule,
  language: Language,
  sort: Sort,
];
