import { linkWords, type Language } from '../lexicon/lexicon.ts';
import type { KnownPhrase } from '../phrase.ts';
import { wordAt, type TokenSpan, type Tokens } from '../tokens.ts';

export type PhraseLookup = (phrase: string) => KnownPhrase;

/** A question split into tokens, and the language used to read its stop words. */
export interface Wording {
  tokens: Tokens;
  language: Language;
}

/** Maximum distance in tokens between two joined phrases: "or", an article and one more stop word. */
const REACH = 3;

/** True when "or" or "and" joins two phrases that are at most an article apart. */
export function areLinked(
  { tokens, language }: Wording,
  first: TokenSpan,
  second: TokenSpan,
  ...links: readonly ('or' | 'and')[]
): boolean {
  if (second.from <= first.to || second.from - first.to > REACH) return false;
  const conjunctions = links.flatMap((link) => linkWords(language, link));
  for (let at = first.to; at < second.from; at++) if (conjunctions.includes(wordAt(tokens, at))) return true;
  return false;
}
