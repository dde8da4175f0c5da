import { fold } from '../../core/text/fold.ts';

/** One word of a question; of a script that is written without spaces, one character. */
export interface Unit {
  from: number;
  to: number;
  /** Whether a comma or the like stands before it. */
  apart: boolean;
}

/** A question in its searchable form, cut into units. A phrase of it is a slice of the text. */
export interface Units {
  text: string;
  units: readonly Unit[];
}

/** French and Italian words that lean on the next one; folding would otherwise glue the two together. */
const LEANING = /(?<!\p{L})(l|d|j|t|m|n|s|c|qu|all|dell|nell|sull|dall|un|quell)['’](?=\p{L})/giu;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}ー]/u;
const ASCII = /^[\u0020-\u007e]*$/;

export function foldWords(text: string): string {
  return fold(text.replace(LEANING, '$1 '));
}

const BREAKS = /[,;.!?。、，？！…\n]+(?=\s|$|[^\u0020-\u007e])/u;

export function unitsOf(text: string): Units {
  const units: Unit[] = [];
  let folded = '';
  for (const part of text.split(BREAKS)) {
    const words = foldWords(part);
    if (words === '') continue;
    if (folded !== '') folded += ' ';
    addUnits(units, words, folded.length);
    folded += words;
  }
  return { text: folded, units };
}

function addUnits(units: Unit[], words: string, start: number): void {
  const spaced = ASCII.test(words);
  let from = start;
  let apart = start > 0;
  for (const word of words.split(' ')) {
    if (spaced || !UNSPACED.test(word)) units.push({ from, to: from + word.length, apart });
    else addCharacters(units, word, from, apart);
    from += word.length + 1;
    apart = false;
  }
}

/** Digits and Latin letters inside such a text stay together: 19時 is a number and a character. */
function addCharacters(units: Unit[], word: string, start: number, apart: boolean): void {
  for (const { 0: piece, index } of word.matchAll(/[0-9]+|[a-z]+|./gsu))
    units.push({ from: start + index, to: start + index + piece.length, apart: apart && index === 0 });
}

export function wordAt({ text, units }: Units, at: number): string {
  const unit = units[at];
  return unit === undefined ? '' : text.slice(unit.from, unit.to);
}

/** The text from one unit up to, and without, another. */
export function phraseOf({ text, units }: Units, from: number, to: number): string {
  const [first, last] = [units[from], units[to - 1]];
  return first === undefined || last === undefined ? '' : text.slice(first.from, last.to);
}

/** Some units that follow each other, the last excluded. */
export interface Span {
  from: number;
  to: number;
}

/** Folded words as a text itself writes them; as they are where it does not have them in a row. */
export function asWritten(text: string, folded: string): string {
  const characters = Array.from(text);
  // Where each character of the folded text comes from.
  const sources = characters.flatMap((character, at) => Array.from(foldWords(character), () => at));
  const plain = characters.map(foldWords).join('');
  const words = folded.replaceAll(' ', '');
  const isLetter = (at: number) =>
    /[\p{L}\p{N}]/u.test(characters[at] ?? '') && !UNSPACED.test(characters[at] ?? '');
  for (let found = plain.indexOf(words); found >= 0; found = plain.indexOf(words, found + 1)) {
    const [from, to] = [sources[found] ?? 0, sources[found + words.length - 1] ?? 0];
    const isWhole = (edge: number, beside: number) => !isLetter(edge) || !isLetter(beside);
    if (isWhole(from, from - 1) && isWhole(to, to + 1)) return characters.slice(from, to + 1).join('');
  }
  return folded;
}

/** Whether every word is written with a capital, as names are. */
export function isCapital(text: string, folded: string): boolean {
  return folded.split(' ').every((word) => /^\p{Lu}/u.test(asWritten(text, word)));
}
