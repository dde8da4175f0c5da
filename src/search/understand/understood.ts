import { z } from 'zod';
import { fold } from '../../core/text/fold.ts';
import { quoteUntrusted } from '../../core/text/tool-text.ts';
import { formatLocalMinute } from '../../directory/hours/compile/compiled-hours.ts';
import { priceWishSet, wishSet } from '../../directory/sets/fact-sets.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { namesOfArea } from '../areas/area-names.ts';
import { brandName } from './lexicon/vocabulary.ts';
import type { Part } from './phrase.ts';
import { PRICES, type Question } from './question/read-question.ts';
import type { TextReading } from './read-text.ts';
import { openingText } from './opening.ts';
import { asWritten } from './tokens.ts';

const landmarkSchema = z
  .object({ place_id: z.string(), name: z.string(), lat: z.number(), lng: z.number() })
  .partial({ place_id: true })
  .describe('A place; without place_id an area, street or corner.');

/** Interpretation of a text, as returned by the API: of a search and of a question. A field that was not read is absent. */
export const understoodSchema = z
  .object({
    destination: z
      .string()
      .describe('The slug of a destination that the text names; only its places are listed.'),
    area: z.string().describe('An area that the text names; only places in it are listed.'),
    near: landmarkSchema,
    near_others: z.array(landmarkSchema).describe('Others of its name.'),
    kind: z.string().describe('Kinds of place; alternatives are joined by |.'),
    cuisine: z.string().describe('Cuisines; alternatives are joined by |.'),
    dish: z.string(),
    diet: z.string(),
    brand: z.string(),
    price: z
      .string()
      .describe('cheap ($), moderate ($$), expensive ($$$ or $$$$), or levels of price_range.'),
    wishes: z.array(z.union([wishSet.word, priceWishSet.word])).describe('What places must offer.'),
    without: z.array(z.string()).describe('What was ruled out.'),
    stars: z.string().describe('Hotel stars: 4 means exactly four, 4+ at least four.'),
    open_now: z.boolean(),
    open: z
      .array(z.string())
      .describe(
        'Regular hours that a search requests: mon to sun, weekend, late, around_clock, until 04:00.',
      ),
    open_at: z.string().describe('YYYY-MM-DDTHH:mm on the clocks of the destination.'),
    party: z.int(),
    corrected: z.record(z.string(), z.string()).describe('Corrected words, by the word as sent.'),
    left_out: z
      .array(z.string())
      .describe('Words that no listed place matches together with the others; they were ignored.'),
    left_nothing: z
      .array(z.string())
      .describe('If nothing was found: the arguments that exclude every place. hint explains.'),
  })
  .partial()
  .describe('How the text was understood. Absent if it was found as a name.');

export type Understood = z.infer<typeof understoodSchema>;

type ReadFields = { [Name in keyof Understood]?: Exclude<Understood[Name], undefined> };

/** Removes fields that were not read. Undefined when none was. */
function readFields(fields: Understood): ReadFields | undefined {
  const isRead = ([, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
  const read = Object.entries(fields).filter(isRead);
  return read.length === 0 ? undefined : Object.fromEntries(read);
}

function joined(values: readonly string[]): string {
  return [...new Set(values)].join('|');
}

interface UnderstoodParts {
  parts: readonly Part[];
  corrected?: readonly (readonly [string, string])[];
  leftOut?: readonly Part[];
}

/** Describes how a search text was understood: the parts that were matched, corrected and left out. */
export function understoodOf(
  index: OpenIndex,
  read: TextReading,
  { parts, corrected = [], leftOut = [] }: UnderstoodParts,
): Understood | undefined {
  const valuesOf = (is: Part['is']) => parts.filter((part) => part.is === is).flatMap(({ values }) => values);
  const typed = (text: string) => asWritten(read.text, text);
  const [brand] = valuesOf('brand');
  const openings = [...new Set(valuesOf('open'))];
  return readFields({
    destination: read.destination?.slug,
    area: joined(valuesOf('area').map((key) => fold(namesOfArea(index.store, key)?.name ?? key))),
    kind: joined(valuesOf('kind')),
    cuisine: joined(valuesOf('cuisine')),
    brand: brand && brandName(index.store, brand),
    wishes: [
      ...valuesOf('wish'),
      ...valuesOf('price').map((price) => (price === '$' ? 'cheap' : 'expensive')),
    ],
    stars: valuesOf('stars')[0],
    open_now: openings.length > 0 && openings.every((one) => one === 'now'),
    open: openings.filter((one) => one !== 'now').map(openingText),
    corrected: Object.fromEntries(
      [...read.corrected, ...corrected].map(([word, other]) => [typed(word), other]),
    ),
    left_out: wordsLeftOut(read.text, leftOut).map(typed),
  });
}

/** Describes how a question was understood. `unanswered` are the parts that its answer does not cover. */
export function understoodQuestion(question: Question, unanswered: readonly string[]) {
  const { language, time, landmark, prices, wishes, without } = question;
  return {
    ...readFields({
      kind: joined(question.categories),
      cuisine: joined(question.cuisines),
      dish: joined(question.dishes),
      diet: joined(question.diets),
      area: joined(question.areas),
      near: landmark?.landmark,
      near_others: landmark?.others,
      open_now: time?.now,
      open_at: time && formatLocalMinute(time.minute),
      price: priceOf(prices),
      party: question.party,
    }),
    ...{ language, wishes, without, not_in_directory: [...unanswered] },
  };
}

/** Returns the word for levels of price_range, or the levels if no word means exactly these. */
function priceOf(levels: readonly string[]): string {
  return Object.keys(PRICES).find((word) => joined(PRICES[word] ?? []) === joined(levels)) ?? joined(levels);
}

/** Returns dropped words in the order of the text. Pieces of one word that were dropped together are joined again. */
function wordsLeftOut(text: string, parts: readonly Part[]): string[] {
  const folded = fold(text);
  const words: string[] = [];
  for (const part of parts.toSorted((a, b) => folded.indexOf(a.text) - folded.indexOf(b.text))) {
    const last = words.at(-1);
    if (last !== undefined && folded.includes(last + part.text)) words[words.length - 1] = last + part.text;
    else words.push(part.text);
  }
  return words;
}

type NearLandmark = z.output<typeof landmarkSchema>;

/** The name with its position, which tells places of one name apart. */
function landmarkWords({ name, lat, lng }: NearLandmark): string {
  return `${quoteUntrusted(name)} (${lat},${lng})`;
}

export function understoodWords(understood: Understood, nameOf = landmarkWords): string {
  const { corrected = {}, left_out = [], near, near_others = [] } = understood;
  const sentences = Object.entries(corrected).map(([word, other]) => `“${word}” was read as “${other}”.`);
  if (near !== undefined) sentences.unshift(`Nearest to ${quoteUntrusted(near.name)} first.`);
  if (near_others.length > 0)
    sentences.push(`Other places have this name: ${near_others.map(nameOf).join(', ')}.`);
  if (left_out.length > 0)
    sentences.push(
      `Nothing matches every word; left out: ${left_out.map((word) => `“${word}”`).join(', ')}.`,
    );
  return sentences.join(' ');
}
