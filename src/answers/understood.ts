import type { ConciergeAnswer } from './answer-question.ts';
import { PRICES } from './question/read-question.ts';
import { localTimeText } from './question/time/read-time.ts';

/** Serializes the understood question for the API. Alternatives are joined by a bar. */
export function describeQuestion({ question, unanswered }: Pick<ConciergeAnswer, 'question' | 'unanswered'>) {
  const joined = (values: readonly string[]) => (values.length === 0 ? null : values.join('|'));
  const { time, landmark, prices } = question;
  const price = Object.keys(PRICES).find((word) => PRICES[word]?.join('|') === prices.join('|'));
  return {
    language: question.language,
    category: joined(question.categories),
    cuisine: joined(question.cuisines),
    dish: joined(question.dishes),
    diet: joined(question.diets),
    area: joined(question.areas),
    near: landmark === undefined ? null : { place_id: landmark.place_id, name: landmark.name },
    open_at: time === undefined ? null : localTimeText(time.minute),
    price: price ?? joined(prices),
    party: question.party ?? null,
    wishes: question.wishes,
    without: question.without,
    not_in_directory: [...unanswered],
  };
}
