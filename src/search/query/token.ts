/**
 * The tokens of the index. Each begins with the mark of its kind and, where it holds in one destination only, that
 * destination's number; an underscore ends both. Folded words hold letters and digits of any script and no underscore,
 * so whatever a name says, no token of one kind is one of another, nor the beginning of one.
 *
 *   w_word      a word of a name              w5_word           in destination 5
 *   k_pizza     a category or cuisine         k5_pizza          in the destination
 *   p_canggu    a word of an area or city     p5_canggu         in the destination
 *   n_wholename the whole name                d5_               the destination itself
 *   a5_canggu   an area                       m5_canggu__bar    a category in an area
 *   u5_         hours nobody has verified     c_id, g_13x…y…    country, square of the map
 */
type Scope = number | undefined;

export const WORD_MARK = 'w_';

export function wordToken(word: string, destination?: Scope): string {
  return destination === undefined ? WORD_MARK + word : `w${destination}_${word}`;
}

/** The key is that of synonyms.ts. */
export function kindToken(key: string, destination?: Scope): string {
  return `k${destination ?? ''}_${key}`;
}

export function placeWordToken(word: string, destination?: Scope): string {
  return `p${destination ?? ''}_${word}`;
}

/** The name is folded. Without its spaces, because "Star Bucks" is Starbucks and "beefbar" may be the Beef Bar. */
export function wholeNameToken(folded: string): string {
  return `n_${folded.replaceAll(' ', '')}`;
}

export function destinationToken(destination: number): string {
  return `d${destination}_`;
}

export function areaToken(key: string, destination: number): string {
  return `a${destination}_${key}`;
}

/** A key has single underscores inside and none at its ends, so that two of them part the keys. */
export function kindInAreaToken(kind: string, area: string, destination: number): string {
  return `m${destination}_${area}__${kind}`;
}

export function unverifiedToken(destination: number): string {
  return `u${destination}_`;
}

export function countryToken(country: string): string {
  return `c_${country.toLowerCase()}`;
}

export function cellToken(level: number, x: number, y: number): string {
  return `g_${level}x${x.toString(36)}y${y.toString(36)}`;
}
