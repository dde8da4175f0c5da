import { z } from 'zod';
import { priceWishSet, wishSet } from '../../directory/sets/fact-sets.ts';
import { fold } from '../../core/text/fold.ts';
import type { OpenIndex } from '../store/open-index.ts';
import type { Part } from './phrase.ts';
import type { TextReading } from './read-text.ts';
import { asTyped } from './tokens.ts';
import { brandName } from './vocabulary.ts';

/** Interpretation of a search text, as returned by the API. Alternatives are joined by a bar. */
export const understoodSchema = z
  .object({
    destination: z
      .string()
      .describe('The slug of a destination that the text names; only its places are listed.'),
    area: z.string().describe('An area that the text names; only places in it are listed.'),
    kind: z.string().describe('Kinds of place; alternatives are joined by |.'),
    cuisine: z.string().describe('Cuisines; alternatives are joined by |.'),
    brand: z.string(),
    wishes: z.array(z.union([wishSet.word, priceWishSet.word])).describe('What places must offer.'),
    open_now: z.boolean(),
    corrected: z.record(z.string(), z.string()).describe('Corrected words, by the word as sent.'),
    left_out: z
      .array(z.string())
      .describe('Words that no listed place matches together with the others; they were ignored.'),
  })
  .extend({
    left_nothing: z
      .array(z.string())
      .describe('If nothing was found: the arguments that exclude every place. hint explains.'),
  })
  .partial()
  .describe('How the text was understood. Absent if it was found as a name.');

export type Understood = z.infer<typeof understoodSchema>;

interface UnderstoodParts {
  parts: readonly Part[];
  corrected?: readonly (readonly [string, string])[];
  leftOut?: readonly Part[];
}

export function understoodOf(
  index: OpenIndex,
  read: TextReading,
  selection: UnderstoodParts,
): Understood | undefined {
  const { parts, leftOut = [] } = selection;
  const corrected = [...read.corrected, ...(selection.corrected ?? [])];
  const of = (is: Part['is']) => parts.filter((part) => part.is === is);
  const joined = (is: Part['is']) => [...new Set(of(is).flatMap(({ values }) => values))].join('|');
  const wishes = [...of('wish').flatMap(({ values }) => values), ...of('price').map(priceWord)];
  const [brand] = of('brand').flatMap(({ values }) => values);
  const typed = (text: string) => asTyped(read.text, text);
  const understood: Understood = {
    ...(read.destination && { destination: read.destination.slug }),
    ...(of('area').length > 0 && { area: joined('area').replaceAll('_', ' ') }),
    ...(of('kind').length > 0 && { kind: joined('kind') }),
    ...(of('cuisine').length > 0 && { cuisine: joined('cuisine') }),
    ...(brand !== undefined && { brand: brandName(index.store, brand) }),
    ...(wishes.length > 0 && { wishes }),
    ...(of('open').length > 0 && { open_now: true }),
    ...(corrected.length > 0 && {
      corrected: Object.fromEntries(corrected.map(([word, other]) => [typed(word), other])),
    }),
    ...(leftOut.length > 0 && { left_out: wordsLeftOut(read.text, leftOut).map(typed) }),
  };
  return Object.keys(understood).length === 0 ? undefined : understood;
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

function priceWord({ values: [price] }: Part): string {
  return price === '$' ? 'cheap' : 'expensive';
}

/** Renders corrections and dropped words as sentences. */
export function understoodWords(understood: Understood): string {
  const { corrected = {}, left_out = [] } = understood;
  const sentences = Object.entries(corrected).map(([word, other]) => `“${word}” was read as “${other}”.`);
  if (left_out.length > 0)
    sentences.push(
      `Nothing matches every word; left out: ${left_out.map((word) => `“${word}”`).join(', ')}.`,
    );
  return sentences.join(' ');
}
