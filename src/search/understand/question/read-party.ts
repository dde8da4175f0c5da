import type { Match, Matched } from './match-phrases.ts';
import { wordAt, type TokenSpan, type Tokens } from '../tokens.ts';

/** The size of a party, or a number of places. */
export interface AskedParty extends TokenSpan {
  size: number;
}

/** Reads the party size: a number next to a word for people, or a phrase that is a party size by itself. */
export function readParty(tokens: Tokens, { matches, open }: Matched): AskedParty | undefined {
  const phrase = matches.find(({ section }) => section === 'party');
  if (phrase !== undefined) return { size: Number(phrase.value), from: phrase.from, to: phrase.to };
  const grammar = (name: string) =>
    matches.filter(({ section, value }) => section === 'grammar' && value === name);
  const before = new Set(grammar('party_before').map(({ to }) => to));
  const after = new Map(grammar('party_after').map(({ from, to }) => [from, to]));
  const kinds = new Set(matches.filter(({ section }) => section === 'category').map(({ from }) => from));
  for (const { size, from, to } of numbersIn(tokens, matches)) {
    const end = after.get(to);
    if (end !== undefined) return { size, from, to: end };
    // "for 3 museums" and "for 3 nights" are not party sizes.
    const isCounted = tokens.list[to]?.apart === false && (kinds.has(to) || open.get(to) === false);
    if (before.has(from) && !isCounted) return { size, from, to };
  }
  return undefined;
}

/** Reads the number of places in "the top 3" or "the five best". */
export function readCount(tokens: Tokens, { matches }: Matched): AskedParty | undefined {
  const best = matches.filter(({ section, value }) => section === 'intent' && value === 'best');
  return numbersIn(tokens, matches).find(({ from, to }) =>
    best.some((match) => match.to === from || match.from === to),
  );
}

/** Returns the numbers from 1 to 99, in digits or words. */
function numbersIn(tokens: Tokens, matches: readonly Match[]): AskedParty[] {
  const words = new Map(matches.filter(({ section }) => section === 'number').map((one) => [one.from, one]));
  return tokens.list.flatMap((_, from) => {
    const { to, value } = words.get(from) ?? { to: from + 1, value: wordAt(tokens, from) };
    return /^[1-9]\d?$/.test(value) ? [{ size: Number(value), from, to }] : [];
  });
}
