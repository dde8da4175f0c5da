import { fold, isUnspaced } from '../../core/text/fold.ts';

const EMOJI = /\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic})*/gu;
const ASCII_ONLY = /^[\0-\x7f]*$/;
const SEGMENT_MAX = 14;

/**
 * The words of a text as they are understood: folded, with pictures as words of their own. Scripts that write without
 * spaces are cut where a longest known word begins or ends.
 */
export function tokensOf(text: string, folded: string, isKnown: (word: string) => boolean): string[] {
  const words = folded === '' ? [] : folded.split(' ');
  if (ASCII_ONLY.test(text)) return words;
  const tokens = words.flatMap((word) => (mayRunOn(word) ? cut(word, isKnown) : [word]));
  for (const [picture] of text.matchAll(EMOJI)) tokens.push(picture.replaceAll('\ufe0f', ''));
  return tokens;
}

const HANGUL = /\p{Script=Hangul}/u;

function mayRunOn(word: string): boolean {
  return !ASCII_ONLY.test(word) && (isUnspaced(word) || HANGUL.test(word));
}

/** From the left, the longest known word at each place; what no word begins in stays together. */
function cut(run: string, isKnown: (word: string) => boolean): string[] {
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

/** The words of a piece that nothing known begins in, by the dictionaries of the platform. */
export function segmentsOf(piece: string): string[] {
  if (!isUnspaced(piece)) return [piece];
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return Array.from(segmenter.segment(piece), ({ segment }) => segment);
}

/** A folded word as it stands in the text, for a sentence about it. */
export function asTyped(text: string, folded: string): string {
  const typed = text.split(/[\s,;]+/).find((word) => fold(word) === folded);
  return typed ?? folded;
}
