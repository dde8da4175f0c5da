import type { Destination } from '../../directory/destinations.ts';
import type { Question } from '../../search/understand/question/read-question.ts';
import type { AnswerLanguage } from '../language/answer-language.ts';
import { outWords } from './notes.ts';

/** Answer without places for questions out of scope. Never repeats the question: all wording comes from fixed lists. */
export function outOfScope(
  language: AnswerLanguage,
  { out, intents }: Question,
  { name: place }: Destination,
): string {
  const { text } = language;
  if (out.size > 0)
    return `${text('plain.outOfScope', { place, topics: outWords(language, out) })} ${text('plain.askInstead')}`;
  if (intents.has('book')) return text('plain.book');
  return `${text('plain.unclear', { place })} ${text('plain.askInstead')}`;
}

/** Names everything that a question without a match asked for. */
export function criteriaOf(language: AnswerLanguage, question: Question): string {
  const { text, kind, cuisine, diet } = language;
  const { categories, cuisines, dishes, diets, areas, prices, time } = question;
  const criteria = [
    ...categories.map(kind),
    ...cuisines.map((one) => text('condition.cuisine', { cuisines: cuisine(one) })),
    ...dishes.map((dish) => (language.code === 'en' ? dish.replaceAll('_', ' ') : cuisine(dish))),
    ...diets.map(diet),
    ...areas,
    ...(prices.length === 0 ? [] : [text('condition.price')]),
    ...(time === undefined ? [] : [text('condition.time')]),
  ];
  return criteria.length === 0 ? text('plain.anything') : criteria.join(', ');
}
