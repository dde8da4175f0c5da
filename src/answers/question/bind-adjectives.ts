import { tiedByOr, type Wording } from './joints.ts';
import { verticalOf, type Language } from './lexicon.ts';
import type { Match } from './match-phrases.ts';
import type { Units } from './units.ts';

/** Where the adjective of a country stands behind its noun. */
const BEHIND = new Set<Language>(['es', 'fr', 'it', 'pt', 'id']);
const TABLES = new Set(['restaurant', 'cafe', 'bar', 'nightclub', 'market', 'hotel']);

/**
 * "Thai massage", "Turkish bath": the adjective of a country beside a word that is no food belongs to that word and is
 * no kitchen. No record says it, so it is named. Gives the matches that are left.
 */
export function bindAdjectives(wording: Wording, matches: readonly Match[]): Match[] {
  const bound = new Set<Match>();
  const adjectives = matches.filter(({ section }) => section === 'cuisine');
  for (const adjective of adjectives) {
    const noun = nounOf(wording, adjective, matches);
    if (noun === undefined) continue;
    bound.add(adjective);
    // Of an object that nobody knows either, both words are named as one.
    if (noun.section === 'ask') bound.add(noun);
  }
  for (const adjective of adjectives)
    if ([...bound].some((one) => one.section === 'cuisine' && tiedByOr(wording, adjective, one)))
      bound.add(adjective);
  return matches.filter((match) => !bound.has(match));
}

function nounOf(
  { units, language }: Wording,
  adjective: Match,
  matches: readonly Match[],
): Match | undefined {
  const behind = BEHIND.has(language);
  const noun = nounAt(units, adjective, matches, behind);
  // Other languages mix their words in: "massage thaï".
  return noun === 'free' ? asNoun(nounAt(units, adjective, matches, !behind)) : asNoun(noun);
}

function asNoun(noun: Match | 'free' | 'table'): Match | undefined {
  return typeof noun === 'string' ? undefined : noun;
}

/** What stands on one side of an adjective: its noun, something to eat, or nothing. */
function nounAt(
  units: Units,
  adjective: Match,
  matches: readonly Match[],
  behind: boolean,
): Match | 'free' | 'table' {
  const edge = behind ? adjective.from : adjective.to;
  if (units.units[edge]?.apart !== false) return 'free';
  const beside = matches.filter((match) => (behind ? match.to : match.from) === edge);
  if (beside.some(isTable)) return 'table';
  return (
    beside.find(
      ({ section, value }) => section === 'category' || (section === 'ask' && value === 'object'),
    ) ?? 'free'
  );
}

function isTable({ section, value }: Match): boolean {
  if (section === 'grammar') return value === 'food' || value === 'kitchen';
  return section === 'dish' || (section === 'category' && TABLES.has(verticalOf(value) ?? ''));
}
