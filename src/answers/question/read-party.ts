import type { Matched } from './match-phrases.ts';
import { wordAt, type Span, type Units } from './units.ts';

const PARTY_MAX = 99;

export interface AskedParty extends Span {
  size: number;
}

/** How many places were asked for. */
export type AskedCount = AskedParty;

/** How many people: a number tied to a word for them, or a phrase that is one by itself. */
export function readParty(units: Units, { matches, open }: Matched): AskedParty | undefined {
  const alone = matches.find(({ section }) => section === 'party');
  if (alone !== undefined) return { size: Number(alone.value), from: alone.from, to: alone.to };
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
    // "for 3 museums" is no party, and neither is "for 3 nights".
    const isCounted = units.units[to]?.apart === false && (kinds.has(to) || open.get(to) === false);
    if (before.has(at) && !isCounted) return { size: Number(value), from: at, to };
  }
  return undefined;
}

/** "the top 3", "the five best": a number beside a word for the best. */
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
