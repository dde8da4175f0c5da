import { fold, isUnspaced } from '../../core/text/fold.ts';

/** One word of a text, or one character or known word in scripts written without spaces. */
export interface Token {
  from: number;
  to: number;
  /** True when a comma or similar punctuation precedes it. */
  apart: boolean;
}

/** A folded text split into tokens. Each phrase is a slice of the text. */
export interface Tokens {
  text: string;
  list: readonly Token[];
}

/** A range of consecutive tokens, `to` exclusive. */
export interface TokenSpan {
  from: number;
  to: number;
}

/** Elided words in French and Italian. Folding would otherwise join them to the next word. */
const ELISION = /(?<!\p{L})(l|d|j|t|m|n|s|c|qu|all|dell|nell|sull|dall|un|quell)['’](?=\p{L})/giu;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}ー]/u;
const HANGUL = /\p{Script=Hangul}/u;
const EMOJI = /\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic})*/gu;
const ASCII_ONLY = /^[\0-\x7f]*$/;
const BREAKS = /[,;.!?。、，？！…\n]+(?=\s|$|[^\u0020-\u007e])/u;
const KNOWN_WORD_MAX = 14;

export function foldWords(text: string): string {
  return fold(text.replace(ELISION, '$1 '));
}

/**
 * Splits a text into folded words. Scripts without spaces are split into characters, so that any phrase can be matched.
 */
export function tokensOf(text: string): Tokens {
  return splitText(text, foldWords, (word) => (UNSPACED.test(word) ? charactersOf(word) : undefined));
}

/**
 * Splits a text into words as names are indexed, so without elisions. Scripts without spaces are split at the longest
 * known words, and emoji are words of their own at the end.
 */
export function nameTokensOf(text: string, isKnown: (word: string) => boolean): Tokens {
  const tokens = splitText(text, fold, (word) =>
    isUnspaced(word) || HANGUL.test(word) ? splitKnown(word, isKnown) : undefined,
  );
  if (ASCII_ONLY.test(text)) return tokens;
  const pictures = Array.from(text.matchAll(EMOJI), ([picture]) => picture.replaceAll('\ufe0f', ''));
  return pictures.length === 0 ? tokens : joinTokens([...wordsOfTokens(tokens), ...pictures]);
}

function splitText(
  text: string,
  foldPart: (part: string) => string,
  splitWord: (word: string) => readonly string[] | undefined,
): Tokens {
  const list: Token[] = [];
  let folded = '';
  for (const part of text.split(BREAKS)) {
    const words = foldPart(part);
    if (words === '') continue;
    if (folded !== '') folded += ' ';
    let from = folded.length;
    let apart = from > 0;
    folded += words;
    const isSpaced = ASCII_ONLY.test(words);
    for (const word of words.split(' ')) {
      for (const piece of (isSpaced ? undefined : splitWord(word)) ?? [word]) {
        list.push({ from, to: from + piece.length, apart });
        from += piece.length;
        apart = false;
      }
      from++;
    }
  }
  return { text: folded, list };
}

/** Returns tokens for words that need not be adjacent in a text. */
export function joinTokens(words: readonly string[]): Tokens {
  let from = 0;
  const list = words.map((word) => {
    const token = { from, to: from + word.length, apart: false };
    from = token.to + 1;
    return token;
  });
  return { text: words.join(' '), list };
}

/** Splits an unspaced word, keeping runs of digits and of Latin letters together: 19時 is a number and a character. */
function charactersOf(word: string): string[] {
  return word.match(/[0-9]+|[a-z]+|./gsu) ?? [];
}

/** Splits off the longest known word at each position from left to right; unknown characters stay together. */
function splitKnown(run: string, isKnown: (word: string) => boolean): string[] {
  const characters = Array.from(run);
  const pieces: string[] = [];
  let open = '';
  for (let at = 0; at < characters.length;) {
    let length = Math.min(KNOWN_WORD_MAX, characters.length - at);
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

export function wordAt({ text, list }: Tokens, at: number): string {
  const token = list[at];
  return token === undefined ? '' : text.slice(token.from, token.to);
}

export function wordsOfTokens(tokens: Tokens): string[] {
  return tokens.list.map(({ from, to }) => tokens.text.slice(from, to));
}

/** Returns the text from one token up to another, exclusive. */
export function phraseOf({ text, list }: Tokens, from: number, to: number): string {
  const [first, last] = [list[from], list[to - 1]];
  return first === undefined || last === undefined ? '' : text.slice(first.from, last.to);
}

/** Records the length in tokens of the longest phrase, by its first word. */
export function noteLength(longest: Map<string, number>, phrase: string): void {
  const tokens = tokensOf(phrase);
  const first = wordAt(tokens, 0);
  longest.set(first, Math.max(longest.get(first) ?? 0, tokens.list.length));
}

/**
 * Reads the longest phrases from left to right. At each token, `read` gets ever shorter phrases, beginning with
 * `longestAt` tokens, until it returns a meaning; `claim` gets each phrase, and a single word without a meaning.
 */
export function scanPhrases<Meaning>(
  tokens: Tokens,
  longestAt: (at: number) => number,
  read: (phrase: string, from: number, to: number) => Meaning | undefined,
  claim: (meaning: Meaning | undefined, from: number, to: number) => void,
): void {
  const end = tokens.list.length;
  for (let from = 0; from < end;) {
    let to = Math.min(end, from + Math.max(1, longestAt(from)));
    let meaning = read(phraseOf(tokens, from, to), from, to);
    while (meaning === undefined && to - from > 1) meaning = read(phraseOf(tokens, from, --to), from, to);
    claim(meaning, from, to);
    from = to;
  }
}

/** Returns folded words as written in the original text, or unchanged when they do not occur there in sequence. */
export function asWritten(text: string, folded: string): string {
  const characters = Array.from(text);
  const folds = characters.map(fold);
  // Maps each character of the folded text to its source position.
  const sources = folds.flatMap((one, at) => Array.from(one, () => at));
  const plain = folds.join('');
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
