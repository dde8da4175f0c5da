import type { Relaxed } from '../answer-sets.ts';
import type { AnswerLanguage, AnswerValues } from '../language/answer-language.ts';
import type { Constraints } from '../search/constraints.ts';

/** Returns the names of what was asked for, as the sentences about it insert them. */
export function labelsOf(
  { or, kind, cuisine, diet }: AnswerLanguage,
  { areas, diets, cuisines, categories }: Constraints,
): AnswerValues {
  return {
    areas: or(areas),
    diets: or(diets.flat().map(diet)),
    cuisines: or(cuisines.map(cuisine)),
    kinds: or(categories.map(kind)),
  };
}

/** Names conditions of a question: "in that price range, open at that time". */
export function conditionTexts(
  language: AnswerLanguage,
  constraints: Constraints,
  conditions: readonly Relaxed[],
): string {
  const { text } = language;
  const { areas, diets, cuisines, kinds } = labelsOf(language, constraints);
  const words: Readonly<Record<Relaxed, () => string>> = {
    rating: () => text('condition.rating'),
    price: () => text('condition.price'),
    area: () => String(areas),
    near: () => text('condition.near'),
    diet: () => String(diets),
    time: () => text('condition.time'),
    cuisine: () => text('condition.cuisine', { cuisines: String(cuisines) }),
    category: () => String(kinds),
  };
  return conditions.map((one) => words[one]()).join(', ');
}
