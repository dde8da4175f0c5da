import { visibleText } from './visible-text.ts';

/** Maximum lengths of a place's texts, from every source, in characters. The database enforces them too. */
export const NAME_MAX = 200;
export const ADDRESS_MAX = 300;
export const DESCRIPTION_MAX = 5_000;

/** Lengths of the name of the person or company that answers for an account. */
export const HOLDER_NAME_MIN = 2;
export const HOLDER_NAME_MAX = 120;

/** Cuts a text at the end of a word so that it has at most `max` characters. A shorter one is returned unchanged. */
export function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text;
  // A character takes at most two code units, so the rest of a huge text is never read.
  const characters = Array.from(text.slice(0, 2 * max + 2));
  if (characters.length <= max && text.length <= 2 * max) return text;
  const start = characters.slice(0, max).join('').toWellFormed();
  const endsWord = /\s/.test(characters[max] ?? '');
  const word = endsWord ? start.length : start.search(/\s\S*$/);
  return visibleText((word > 0 ? start.slice(0, word) : start).trim());
}
