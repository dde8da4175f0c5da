import { editDistance } from '../../core/text/edit-distance.ts';
import { fold, latinForm, wordsIn } from '../../core/text/fold.ts';
import { otherNames, type Described } from '../store/place-row.ts';
import type { Part } from '../understand/phrase.ts';

const KIND_MATCH = 0.3;
const MISSPELT = 0.2;

/**
 * Compares a place with the words: those of one name, as a share of that name, and those that its kind or area explains.
 * A kind without a name matches least.
 */
export function matchName(
  place: Described,
  parts: readonly Part[],
  isLoose: boolean,
  isKind: (part: Part) => boolean,
): number {
  let most = 0;
  for (const name of comparableNames(place)) {
    const words = new Set(wordsIn(name));
    let matched = 0;
    let kinds = 0;
    let outside = 0;
    // A word for a kind in a name is not enough: a police station is not a station.
    const named = parts.filter((part) => isInName(words, part, isLoose));
    const isNamed = named.some(isNamePart) || (named.length > 1 && named.length === parts.length);
    for (const part of parts) {
      if (isInName(words, part, isLoose) && (isNamed || isKind(part))) matched += part.words.length;
      else if (isKind(part)) kinds++;
      else if (isLoose && !liesIn(place, part)) outside = Infinity;
      else outside++;
    }
    if (outside === Infinity) continue;
    const covered = Math.min(1, matched / Math.max(1, [...words].filter(isTelling).length));
    const base = matched > 0 ? 2 + covered : outside > 0 && kinds > 0 ? 1.5 : outside > 0 ? 0 : 1;
    const share = base === 0 ? 0 : base + Math.min(1, kinds) * KIND_MATCH - outside * KIND_MATCH;
    most = Math.max(most, share);
  }
  return isLoose && most > 0 ? most - MISSPELT : most;
}

export function isNamePart({ is }: Part): boolean {
  return is === 'name' || is === 'brand' || is === 'area';
}

function isInName(name: ReadonlySet<string>, { is, words }: Part, isLoose: boolean): boolean {
  return words.every((word) => hasWord(name, word, isLoose && is === 'name'));
}

function liesIn({ area, areas, city }: Described, { words }: Part): boolean {
  const where = new Set([area ?? '', city ?? '', ...areas].flatMap((name) => wordsIn(fold(name))));
  return words.every((word) => hasWord(where, word, true));
}

/** "de" and "of" say nothing about how much of a name was typed. */
function isTelling(word: string): boolean {
  return word.length > 2 || /[^a-z]/.test(word);
}

export function comparableNames(place: Described): string[] {
  const names = [place.name, ...otherNames(place)];
  return names.flatMap((name) => {
    const latin = latinForm(name);
    return latin === undefined ? [fold(name)] : [fold(name), fold(latin)];
  });
}

const LONG = 8;

function hasWord(words: ReadonlySet<string>, word: string, isLoose: boolean): boolean {
  if (words.has(word)) return true;
  if (word === 'saint' || word === 'st') return words.has('st') || words.has('saint') || words.has('sankt');
  const limit = word.length >= LONG ? 2 : 1;
  return isLoose && word.length > 3 && [...words].some((one) => editDistance(word, one, limit) <= limit);
}
