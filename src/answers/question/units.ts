import { fold } from '../../core/text/fold.ts';

/** One word of a question, or one character in scripts written without spaces. */
export interface Unit {
  from: number;
  to: number;
  /** True when a comma or similar punctuation precedes it. */
  apart: boolean;
}

/** A folded question split into units. Each phrase is a slice of the text. */
export interface Units {
  text: string;
  units: readonly Unit[];
}

/** Elided words in French and Italian. Folding would otherwise join them to the next word. */
const ELISION = /(?<!\p{L})(l|d|j|t|m|n|s|c|qu|all|dell|nell|sull|dall|un|quell)['’](?=\p{L})/giu;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}ー]/u;
const ASCII = /^[\u0020-\u007e]*$/;

export function foldWords(text: string): string {
  return fold(text.replace(ELISION, '$1 '));
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

/** Splits an unspaced word, keeping runs of digits and of Latin letters together: 19時 is a number and a character. */
function addCharacters(units: Unit[], word: string, start: number, apart: boolean): void {
  for (const { 0: piece, index } of word.matchAll(/[0-9]+|[a-z]+|./gsu))
    units.push({ from: start + index, to: start + index + piece.length, apart: apart && index === 0 });
}

export function wordAt({ text, units }: Units, at: number): string {
  const unit = units[at];
  return unit === undefined ? '' : text.slice(unit.from, unit.to);
}

/** Returns the text from one unit up to another, exclusive. */
export function phraseOf({ text, units }: Units, from: number, to: number): string {
  const [first, last] = [units[from], units[to - 1]];
  return first === undefined || last === undefined ? '' : text.slice(first.from, last.to);
}

/** A range of consecutive units, `to` exclusive. */
export interface UnitSpan {
  from: number;
  to: number;
}

/** Returns folded words as written in the original text, or unchanged when they do not occur there in sequence. */
export function asWritten(text: string, folded: string): string {
  const characters = Array.from(text);
  // Maps each character of the folded text to its source position.
  const sources = characters.flatMap((character, at) => Array.from(foldWords(character), () => at));
  const plain = characters.map(foldWords).join('');
  const words = folded.replaceAll(' ', '');
  const isLetter = (at: number) =>
    /[\p{L}\p{N}]/u.test(characters[at] ?? '') && !UNSPACED.test(characters[at] ?? '');
  for (let position = plain.indexOf(words); position >= 0; position = plain.indexOf(words, position + 1)) {
    const [from, to] = [sources[position] ?? 0, sources[position + words.length - 1] ?? 0];
    const isWhole = (edge: number, beside: number) => !isLetter(edge) || !isLetter(beside);
    if (isWhole(from, from - 1) && isWhole(to, to + 1)) return characters.slice(from, to + 1).join('');
  }
  return folded;
}

/** True when every word is capitalized, as in names. */
export function isCapital(text: string, folded: string): boolean {
  return folded.split(' ').every((word) => /^\p{Lu}/u.test(asWritten(text, word)));
}
