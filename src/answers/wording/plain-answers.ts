import type { Destination } from '../../directory/destinations.ts';
import type { Question } from '../../search/understand/question/read-question.ts';
import { dietName, outWords } from './notes.ts';
import { kindName, kitchenName } from './place-label.ts';

const ASK_INSTEAD = 'Ask for a kind of place, a kitchen, an area, a price or a time.';

/** Answer without places for questions out of scope. Never repeats the question: all wording comes from fixed lists. */
export function outOfScope({ out, intents }: Question, { name }: Destination): string {
  if (out.size > 0)
    return `This answers with places of the directory for ${name} and knows nothing about ${outWords(out)}. ${ASK_INSTEAD}`;
  if (intents.has('book'))
    return `Nothing can be booked, charged or ordered here, and no personal data is taken. Ask which places fit; booking_link then shows how to book at each venue.`;
  return `It is not clear which places of ${name} are meant. ${ASK_INSTEAD}`;
}

/** Answer for a name or thing that no record has. */
export function unknownSubject({ name }: Destination): string {
  return `The directory for ${name} has no data about this, so no place is named. ${ASK_INSTEAD}`;
}

export function noMatch(question: Question, { name }: Destination): string {
  const { categories, cuisines, dishes, diets, areas, prices, time } = question;
  const criteria = [
    ...categories.map(kindName),
    ...cuisines.map((one) => `${kitchenName(one)} kitchen`),
    ...dishes.map((dish) => dish.replaceAll('_', ' ')),
    ...diets.map(dietName),
    ...areas,
    ...(prices.length === 0 ? [] : ['in that price range']),
    ...(time === undefined ? [] : ['open at that time']),
  ];
  const what = criteria.length === 0 ? 'what was asked for' : criteria.join(', ');
  return `The directory for ${name} has no place that matches: ${what}. That does not mean there is none. ${ASK_INSTEAD}`;
}
