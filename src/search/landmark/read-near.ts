import { asWritten, phraseOf, wordAt, type Tokens, type TokenSpan } from '../understand/tokens.ts';
import type { NearWords } from './near-words.ts';

/** One way to divide a text: the name of a landmark, and the words that describe the places near it. */
export interface NearReading {
  landmark: TokenSpan;
  /** The other words, as written. */
  rest: string;
}

/**
 * Returns the ways to divide a text at its words for nearness, the longest name first: wishes may follow it, and in
 * "apteekki rautatieaseman lähellä" the kind precedes it. `isKind` tells a phrase that describes places.
 */
export function nearReadings(
  raw: string,
  tokens: Tokens,
  near: NearWords,
  isKind: (phrase: string) => boolean,
): NearReading[] {
  const end = tokens.list.length;
  const isBefore = near.form === 'before' || (near.form === 'either' && standsBefore(tokens, near, isKind));
  if (isBefore) {
    const lengths = Array.from({ length: end - near.to }, (_, at) => end - at);
    return lengths.map((to) => ({
      landmark: { from: near.to, to },
      rest: joinRest(raw, tokens, [0, near.from], [to, end]),
    }));
  }
  const starts = Array.from({ length: near.from }, (_, at) => at);
  const hasKindBehind = near.to < end;
  // A kind in front is not a part of the name when nothing follows it.
  const ordered = hasKindBehind
    ? starts
    : [...starts.filter((from) => from > 0 && isKind(phraseOf(tokens, 0, from))), 0];
  return ordered.map((from) => ({
    landmark: { from, to: near.from },
    rest: joinRest(raw, tokens, [0, from], [near.to, end]),
  }));
}

function standsBefore(tokens: Tokens, { from, to }: NearWords, isKind: (phrase: string) => boolean): boolean {
  if (from === 0) return true;
  if (to === tokens.list.length) return false;
  return isKind(phraseOf(tokens, 0, from)) || isKind(wordAt(tokens, 0));
}

function joinRest(raw: string, tokens: Tokens, ...spans: readonly (readonly [number, number])[]): string {
  const texts = spans.map(([from, to]) => (from < to ? asWritten(raw, phraseOf(tokens, from, to)) : ''));
  return texts.filter((text) => text !== '').join(' ');
}
