import type { Match } from './match-phrases.ts';
import { wordAt, type Units } from './units.ts';

const PARTY_MAX = 99;

/** How many people: a number tied to a word for them, or a phrase that is one by itself. */
export function readParty(units: Units, matches: readonly Match[]): number | undefined {
  const alone = matches.find(({ section }) => section === 'party');
  if (alone !== undefined) return Number(alone.value);
  const before = new Set(ends(matches, 'party_before'));
  const after = new Set(matches.filter(({ value }) => value === 'party_after').map(({ from }) => from));
  const numbers = new Map(
    matches.filter(({ section }) => section === 'number').map(({ from, to, value }) => [from, { to, value }]),
  );
  for (let at = 0; at < units.units.length; at++) {
    const { to, value } = numbers.get(at) ?? { to: at + 1, value: wordAt(units, at) };
    if (!/^[1-9]\d?$/.test(value) || Number(value) > PARTY_MAX) continue;
    if (before.has(at) || after.has(to)) return Number(value);
  }
  return undefined;
}

function ends(matches: readonly Match[], value: string): number[] {
  return matches.filter((match) => match.section === 'grammar' && match.value === value).map(({ to }) => to);
}
