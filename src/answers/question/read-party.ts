import type { Matched } from './match-phrases.ts';
import { wordAt, type UnitSpan, type Units } from './units.ts';

const PARTY_MAX = 99;

export interface AskedParty extends UnitSpan {
  size: number;
}

/** Number of places requested. */
export type AskedCount = AskedParty;

/** Reads the party size: a number next to a word for people, or a phrase that is a party size by itself. */
export function readParty(units: Units, { matches, open }: Matched): AskedParty | undefined {
  const phrase = matches.find(({ section }) => section === 'party');
  if (phrase !== undefined) return { size: Number(phrase.value), from: phrase.from, to: phrase.to };
  const grammar = (name: string) =>
    matches.filter(({ section, value }) => section === 'grammar' && value === name);
  const before = new Set(grammar('party_before').map(({ to }) => to));
  const after = new Map(grammar('party_after').map(({ from, to }) => [from, to]));
  const numbers = new Map(
    matches.filter(({ section }) => section === 'number').map(({ from, to, value }) => [from, { to, value }]),
  );
  const kinds = new Set(matches.filter(({ section }) => section === 'category').map(({ from }) => from));
  for (let at = 0; at < units.units.length; at++) {
    const { to, value } = numbers.get(at) ?? { to: at + 1, value: wordAt(units, at) };
    if (!/^[1-9]\d?$/.test(value) || Number(value) > PARTY_MAX) continue;
    const end = after.get(to);
    if (end !== undefined) return { size: Number(value), from: at, to: end };
    // "for 3 museums" and "for 3 nights" are not party sizes.
    const isCounted = units.units[to]?.apart === false && (kinds.has(to) || open.get(to) === false);
    if (before.has(at) && !isCounted) return { size: Number(value), from: at, to };
  }
  return undefined;
}

/** Reads the number of places in "the top 3" or "the five best". */
export function readCount(units: Units, { matches }: Matched): AskedCount | undefined {
  const best = matches.filter(({ section, value }) => section === 'intent' && value === 'best');
  const numbers = new Map(
    matches.filter(({ section }) => section === 'number').map(({ from, to, value }) => [from, { to, value }]),
  );
  for (let at = 0; at < units.units.length; at++) {
    const { to, value } = numbers.get(at) ?? { to: at + 1, value: wordAt(units, at) };
    if (!/^[1-9]\d?$/.test(value)) continue;
    if (best.some((match) => match.to === at || match.from === to))
      return { size: Number(value), from: at, to };
  }
  return undefined;
}
