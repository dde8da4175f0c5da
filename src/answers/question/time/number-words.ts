import { NUMBER_PHRASES } from '../lexicon.ts';
import { foldWords } from '../units.ts';

/** Numbers that count hours and are no numbers of people or places, so that no lexicon has them. */
const MORE: Readonly<Record<string, string>> = {
  1: 'one|a|an|eins|ein|eine|einer|une|un|una|uno|uma|um|een|satu|la una',
  11: 'eleven|elf|onze|once|undici|sebelas',
};
const NUMBERS = new Map(
  [...NUMBER_PHRASES, ...Object.entries(MORE)].flatMap(([value, phrases]) =>
    phrases.split('|').map((phrase) => [foldWords(phrase), Number(value)] as const),
  ),
);
/** Words as they are written; the longest come first. */
const WORDS = [...NUMBER_PHRASES, ...Object.entries(MORE)]
  .flatMap(([, phrases]) => phrases.split('|'))
  .sort((a, b) => b.length - a.length);

/** A number in figures or in words, as part of a pattern. */
export const NUMBER_WORD = `(?:${[...new Set(WORDS)].join('|')})`;
export const NUMBER = String.raw`(?:\d{1,2}|${NUMBER_WORD})`;

export function numberOf(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : NUMBERS.get(foldWords(text));
}
