import type { Question } from '../question/read-question.ts';
import type { Candidate } from './candidate.ts';
import type { Wish } from '../../directory/place/facts.ts';
import type { Relaxed } from './constraints.ts';
import { saidOf } from './wishes.ts';
import { isOfKind } from './find-candidates.ts';

/** Something that was asked for beside other things of its sort: "a museum and a wine bar". */
export interface Alternative {
  value: string;
  fits: (candidate: Candidate) => boolean;
}

/** All that the answer should have a place for; what was given up is told otherwise. */
export function alternativesOf(question: Question, relaxed: readonly Relaxed[]): Alternative[] {
  const { categories, cuisines, dishes, areas, nearArea } = question;
  const kind = (value: string): Alternative => ({
    value,
    fits: ({ hit, card }) => isOfKind(hit, card, value),
  });
  const area = (value: string): Alternative => ({
    value,
    // People call an area by another name than its places do.
    fits: ({ hit, card }) => card.area === value || hit.isIn(value),
  });
  return [
    ...(relaxed.includes('category') ? [] : categories.map(kind)),
    ...(relaxed.includes('cuisine') ? [] : cuisines.map(kind)),
    ...dishes.map(kind),
    ...(relaxed.includes('area') || (nearArea && areas.length === 1) ? [] : areas.map(area)),
  ];
}

/** The best place for each alternative, then the best of the others. */
export function chooseCovering(
  ranked: readonly Candidate[],
  alternatives: readonly Alternative[],
  max: number,
): Candidate[] {
  const chosen = new Set<Candidate>();
  for (const { fits } of alternatives) {
    const best = [...chosen].some(fits) ? undefined : ranked.find(fits);
    if (best !== undefined) chosen.add(best);
  }
  for (const candidate of ranked) if (chosen.size < max) chosen.add(candidate);
  return [...chosen].slice(0, max);
}

/** Whether the facts of every place say something about a wish. */
export function isSaid(wish: Wish, places: readonly Candidate[]): boolean {
  return places.every(({ hit }) => saidOf(wish, hit.place.facts ?? {}) !== undefined);
}

/** What was asked for and the places of an answer are not, in the words of the question. */
export function missingWords(
  question: Question,
  relaxed: readonly Relaxed[],
  places: readonly Candidate[],
): string[] {
  const { words, count = 0 } = question;
  const all = alternativesOf(question, relaxed);
  const covered = new Set(all.filter(({ fits }) => places.some(fits)).map(({ value }) => value));
  const isEnough = (value: string) =>
    words.either.some((pair) => pair.includes(value) && pair.some((one) => covered.has(one)));
  const missing = all.filter(({ value }) => !covered.has(value) && !isEnough(value));
  return [
    ...(places.length < count ? words.count : []),
    ...question.wishes
      .filter((wish) => !isSaid(wish, places))
      .flatMap((wish) => words.byWish.get(wish) ?? []),
    ...relaxed.flatMap((wish) => words[wish]),
    ...missing.map(({ value }) => words.byValue.get(value) ?? value.replaceAll('_', ' ')),
  ];
}
