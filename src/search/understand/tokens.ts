import { fold, isUnspaced } from '../../core/text/fold.ts';

const EMOJI = /\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic})*/gu;
const ASCII_ONLY = /^[\0-\x7f]*$/;
const SEGMENT_MAX = 14;

/**
 * Splits a text into folded words, with emoji as words of their own. Scripts without spaces are split at the longest
 * known words.
 */
export function tokensOf(text: string, folded: string, isKnown: (word: string) => boolean): string[] {
  const words = folded === '' ? [] : folded.split(' ');
  if (ASCII_ONLY.test(text)) return words;
  const tokens = words.flatMap((word) => (mayBeUnspaced(word) ? splitKnown(word, isKnown) : [word]));
  for (const [picture] of text.matchAll(EMOJI)) tokens.push(picture.replaceAll('\ufe0f', ''));
  return tokens;
}

const HANGUL = /\p{Script=Hangul}/u;

function mayBeUnspaced(word: string): boolean {
  return !ASCII_ONLY.test(word) && (isUnspaced(word) || HANGUL.test(word));
}

/** Splits off the longest known word at each position from left to right; unknown characters stay together. */
function splitKnown(run: string, isKnown: (word: string) => boolean): string[] {
  const characters = Array.from(run);
  const pieces: string[] = [];
  let open = '';
  for (let at = 0; at < characters.length;) {
    let length = Math.min(SEGMENT_MAX, characters.length - at);
    while (length > 0 && !isKnown(characters.slice(at, at + length).join(''))) length--;
    if (length === 0) {
      open += characters[at++] ?? '';
      continue;
    }
    if (open !== '') pieces.push(open);
    open = '';
    pieces.push(characters.slice(at, at + length).join(''));
    at += length;
  }
  if (open !== '') pieces.push(open);
  return pieces;
}

let segmenter: Intl.Segmenter | undefined;

/** Segments a piece without known words, using the platform's dictionaries. */
export function segmentsOf(piece: string): string[] {
  if (!isUnspaced(piece)) return [piece];
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return Array.from(segmenter.segment(piece), ({ segment }) => segment);
}

/** Returns a folded word as typed in the text, for use in a message. */
export function asTyped(text: string, folded: string): string {
  const typed = text.split(/[\s,;]+/).find((word) => fold(word) === folded);
  return typed ?? folded;
}
