import { areLinked, type Wording } from './joints.ts';
import { verticalOf, type Language } from '../lexicon/lexicon.ts';
import type { Match } from './match-phrases.ts';
import type { Tokens } from '../tokens.ts';

/** Languages in which an adjective of nationality follows its noun. */
const BEHIND = new Set<Language>(['es', 'fr', 'it', 'pt', 'id']);
const FOOD_VERTICALS = new Set(['restaurant', 'cafe', 'bar', 'nightclub', 'market', 'hotel']);

/**
 * Removes adjectives of nationality that belong to a word other than food ("Thai massage", "Turkish bath") and so are
 * not a cuisine. No record holds them, so they are reported as unanswered. Returns the remaining matches.
 */
export function bindAdjectives(wording: Wording, matches: readonly Match[]): Match[] {
  const bound = new Set<Match>();
  const adjectives = matches.filter(({ section }) => section === 'cuisine');
  for (const adjective of adjectives) {
    const noun = nounOf(wording, adjective, matches);
    if (noun === undefined) continue;
    bound.add(adjective);
    // When the object is unknown too, both words are reported as one part.
    if (noun.section === 'ask') bound.add(noun);
  }
  for (const adjective of adjectives)
    if ([...bound].some((one) => one.section === 'cuisine' && areLinked(wording, adjective, one, 'or')))
      bound.add(adjective);
  return matches.filter((match) => !bound.has(match));
}

function nounOf(
  { tokens, language }: Wording,
  adjective: Match,
  matches: readonly Match[],
): Match | undefined {
  const behind = BEHIND.has(language);
  const noun = nounAt(tokens, adjective, matches, behind);
  // Questions mix word orders of several languages: "massage thaï".
  return noun === 'free' ? asNoun(nounAt(tokens, adjective, matches, !behind)) : asNoun(noun);
}

function asNoun(noun: Match | 'free' | 'table'): Match | undefined {
  return typeof noun === 'string' ? undefined : noun;
}

/** Returns the neighbour of an adjective on one side: its noun, something to eat ('table'), or nothing ('free'). */
function nounAt(
  tokens: Tokens,
  adjective: Match,
  matches: readonly Match[],
  behind: boolean,
): Match | 'free' | 'table' {
  const edge = behind ? adjective.from : adjective.to;
  if (tokens.list[edge]?.apart !== false) return 'free';
  const beside = matches.filter((match) => (behind ? match.to : match.from) === edge);
  if (beside.some(isFood)) return 'table';
  return (
    beside.find(
      ({ section, value }) => section === 'category' || (section === 'ask' && value === 'object'),
    ) ?? 'free'
  );
}

function isFood({ section, value }: Match): boolean {
  if (section === 'grammar') return value === 'food' || value === 'kitchen';
  return section === 'dish' || (section === 'category' && FOOD_VERTICALS.has(verticalOf(value) ?? ''));
}
