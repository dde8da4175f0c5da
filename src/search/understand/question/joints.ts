import { linkWords, type Language } from '../lexicon/lexicon.ts';
import type { KnownPhrase } from '../phrase.ts';
import { wordAt, type TokenSpan, type Tokens } from '../tokens.ts';

/** Looks up a phrase in the vocabulary. */
export type PhraseLookup = (phrase: string) => KnownPhrase;

/** A question split into tokens, and the language used to read its stop words. */
export interface Wording {
  tokens: Tokens;
  language: Language;
}

/** Room for "or", an article and one more stop word. */
const REACH = 3;

/** True when "or" joins two phrases that are at most an article apart. */
export function tiedByOr(wording: Wording, first: TokenSpan, second: TokenSpan): boolean {
  return tied(wording, first, second, 'or');
}

export function tiedByAnd(wording: Wording, first: TokenSpan, second: TokenSpan): boolean {
  return tied(wording, first, second, 'and');
}

function tied(
  { tokens, language }: Wording,
  first: TokenSpan,
  second: TokenSpan,
  link: 'or' | 'and',
): boolean {
  if (second.from <= first.to || second.from - first.to > REACH) return false;
  const conjunctions = linkWords(language, link);
  for (let at = first.to; at < second.from; at++) if (conjunctions.includes(wordAt(tokens, at))) return true;
  return false;
}
