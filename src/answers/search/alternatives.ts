import type { Question } from '../../search/understand/question/read-question.ts';
import type { AnswerCandidate } from './candidate.ts';
import type { Wish } from '../../directory/place/facts.ts';
import type { Relaxed } from '../answer-sets.ts';
import { factForWish } from './wishes.ts';
import { isOfKind } from './find-candidates.ts';

/** One of several requested things of the same sort: "a museum and a wine bar". */
export interface Alternative {
  value: string;
  fits: (candidate: AnswerCandidate) => boolean;
}

/** Returns the alternatives that the answer should have a place for. Relaxed constraints are reported separately. */
export function alternativesOf(question: Question, relaxed: readonly Relaxed[]): Alternative[] {
  const { categories, cuisines, dishes, areas, nearArea } = question;
  const kind = (value: string): Alternative => ({
    value,
    fits: ({ hit, card }) => isOfKind(hit, card, value),
  });
  const area = (value: string): Alternative => ({
    value,
    // People may call an area by another name than its places do.
    fits: ({ hit, card }) => card.area === value || hit.isIn(value),
  });
  return [
    ...(relaxed.includes('category') ? [] : categories.map(kind)),
    ...(relaxed.includes('cuisine') ? [] : cuisines.map(kind)),
    ...dishes.map(kind),
    ...(relaxed.includes('area') || (nearArea && areas.length === 1) ? [] : areas.map(area)),
  ];
}

/** Chooses the best place for each alternative, then the best of the others. */
export function chooseCovering(
  ranked: readonly AnswerCandidate[],
  alternatives: readonly Alternative[],
  max: number,
): AnswerCandidate[] {
  const chosen = new Set<AnswerCandidate>();
  for (const { fits } of alternatives) {
    const best = [...chosen].some(fits) ? undefined : ranked.find(fits);
    if (best !== undefined) chosen.add(best);
  }
  for (const candidate of ranked) if (chosen.size < max) chosen.add(candidate);
  return [...chosen].slice(0, max);
}

/** True when the facts of every place answer a wish. */
export function isWishAnswered(wish: Wish, places: readonly AnswerCandidate[]): boolean {
  return places.every(({ hit }) => factForWish(wish, hit.place.facts ?? {}) !== undefined);
}

/** Returns the wishes that the places of an answer do not satisfy, in the words of the question. */
export function missingWords(
  question: Question,
  relaxed: readonly Relaxed[],
  places: readonly AnswerCandidate[],
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
      .filter((wish) => !isWishAnswered(wish, places))
      .flatMap((wish) => words.byWish.get(wish) ?? []),
    ...relaxed.flatMap((wish) => words[wish]),
    ...missing.map(({ value }) => words.byValue.get(value) ?? value.replaceAll('_', ' ')),
  ];
}
