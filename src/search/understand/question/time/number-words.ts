import { NUMBER_PHRASES } from '../../lexicon/lexicon.ts';
import { foldWords } from '../../tokens.ts';

/** Numbers for hours. The lexicon omits them, because they do not count people or places. */
const MORE: Readonly<Record<string, string>> = {
  1: 'one|a|an|eins|ein|eine|einer|une|un|una|uno|uma|um|een|satu|la una',
  11: 'eleven|elf|onze|once|undici|sebelas',
};
const NUMBERS = new Map(
  [...NUMBER_PHRASES, ...Object.entries(MORE)].flatMap(([value, phrases]) =>
    phrases.split('|').map((phrase) => [foldWords(phrase), Number(value)] as const),
  ),
);
/** Number words as written, longest first. */
const WORDS = [...NUMBER_PHRASES, ...Object.entries(MORE)]
  .flatMap(([, phrases]) => phrases.split('|'))
  .sort((a, b) => b.length - a.length);

/** Regular expression source for a number in digits or words. */
export const NUMBER_WORD = `(?:${[...new Set(WORDS)].join('|')})`;
export const NUMBER = String.raw`(?:\d{1,2}|${NUMBER_WORD})`;

export function numberOf(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : NUMBERS.get(foldWords(text));
}
