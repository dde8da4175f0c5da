import { digitsInWord, isNumberFiller } from './number-words.ts';
import { foldedForm } from './plain-form.ts';

const DIGITS_MIN = 7;
/** Minimum for digits with letters between them: higher, because sizes and codes contain letters too. */
const LETTERED_MIN = 8;
/** Minimum with commas, colons, single letters or words such as "and" between digits, as lists have them. */
const LISTED_MIN = 9;
/** Lists of small increasing numbers, separated as in a sentence, may be longer: rooms, ages, tables. */
const PROSE_MIN = 12;
/** This many number words in a row only occur when somebody spells a number out, whatever is between them. */
const WORDS_MIN = 5;

const PIECES = /\d+|[\p{L}\p{M}]+|[^\p{L}\p{M}\d]+/gu;
const LIST_MARKS = /[,:;'"`´’‘“”،؛、]/u;
const PROSE_MARKS = /^[,;،؛、] $/u;
/** At most three digits, without a leading zero. */
const SMALL = /^[1-9]\d{0,2}$/;
const SINGLE_LETTER = /^[\p{Script=Latin}\p{Script=Cyrillic}]$/u;
/** Letters that are written for 0 and 1. */
const DIGIT_LIKE = /^[oоil]+$/u;

/** True when a text contains a telephone or card number, in digits of any script, in words, or mixed. */
export function holdsNumber(text: string): boolean {
  const pieces = withoutQuantities(foldedForm(text)).match(PIECES) ?? [];
  const run = new Run();
  return pieces.some((piece, at) => run.take(piece, pieces[at - 1] ?? '', pieces[at + 1] ?? ''));
}

/** Consecutive digits, up to the next unrelated word. */
class Run {
  #digits = 0;
  /** Digits since the last comma, letter or word: seven of them are a number whatever precedes them. */
  #close = 0;
  #lettered = false;
  #listed = false;
  #oneByOne = true;
  #words = 0;
  #prose = true;
  #last = 0;

  /** Takes the next piece of the text; returns true when the digits so far form a number. */
  take(piece: string, before: string, after: string): boolean {
    if (/^\d/.test(piece)) return this.#count(piece.length, this.#continuesList(piece));
    if (!/^[\p{L}\p{M}]/u.test(piece)) {
      if (LIST_MARKS.test(piece)) this.#part('listed');
      this.#prose &&= PROSE_MARKS.test(piece) || piece === ' ';
      return false;
    }
    const digits = digitsInWord(piece);
    if (digits > 0) return this.#count(digits, true, 1);
    const [touchesBefore, touchesAfter] = [/\d$/.test(before), /^\d/.test(after)];
    if (DIGIT_LIKE.test(piece) && (touchesBefore || touchesAfter)) return this.#count(piece.length, false);
    if (isNumberFiller(piece)) this.#part('listed');
    else if (!SINGLE_LETTER.test(piece)) this.#begin();
    else {
      this.#part(touchesBefore && touchesAfter ? 'lettered' : 'listed');
      this.#prose = false;
    }
    return false;
  }

  /** True when a number continues a list of rooms or ages: small, and larger than the one before. */
  #continuesList(piece: string): boolean {
    const before = this.#digits === 0 ? 0 : this.#last;
    this.#last = Number(piece);
    return SMALL.test(piece) && this.#last > before;
  }

  #count(digits: number, listed: boolean, words = 0): boolean {
    if (this.#digits === 0) this.#begin();
    this.#digits += digits;
    this.#close += digits;
    if (this.#close >= DIGITS_MIN) return true;
    this.#words += words;
    this.#prose &&= listed;
    this.#oneByOne &&= digits === 1;
    if (this.#oneByOne || this.#words >= WORDS_MIN) return this.#digits >= DIGITS_MIN;
    if (this.#listed) return this.#digits >= (this.#prose ? PROSE_MIN : LISTED_MIN);
    return this.#lettered && this.#digits >= LETTERED_MIN;
  }

  #part(by: 'listed' | 'lettered'): void {
    this.#close = 0;
    if (by === 'listed') this.#listed = true;
    else this.#lettered = true;
  }

  #begin(): void {
    this.#digits = this.#close = this.#words = 0;
    this.#lettered = this.#listed = false;
    this.#oneByOne = this.#prose = true;
  }
}

const DAY = '(?:0?[1-9]|[12]\\d|3[01])';
const YEAR = '(?:19|20)\\d\\d';
const HOUR = '(?:[01]?\\d|2[0-4])';
const TIME = `${HOUR}[:.][0-5]\\d`;
/** No other digit nearby, because parts of one number look like times too. */
const ALONE_BEFORE = '(?<!\\d[^\\p{L}\\d,;]{0,3})';
const ALONE_AFTER = '(?![^\\p{L}\\d,;]{0,3}\\d)';
const GROUP = "[.,'’ ]";

/** Number formats with another meaning, and how many of each a text may contain before they look like a cipher. */
const QUANTITIES: readonly [form: RegExp, max: number, is?: (match: string) => boolean][] = [
  [new RegExp(`(?<!\\d)${YEAR}([-/.])${DAY}\\1${DAY}(?![-/.]?\\d)`, 'gu'), 2],
  [new RegExp(`(?<!\\d|\\d[-/.])${DAY}([-/.])${DAY}\\1${YEAR}(?![-/.]?\\d)`, 'gu'), 2],
  [new RegExp(`(?<!\\d|\\d[-/])${YEAR} ?[-–/] ?${YEAR}(?![-/]?\\d)`, 'gu'), 2],
  [/(?<!\d|\d[-–~])[1-9]\d{0,2}00 ?[-–~] ?[1-9]\d{0,2}00(?![-–~]?\d)/gu, 1],
  [new RegExp(`${ALONE_BEFORE}${HOUR} ?h ?(?:[0-5]\\d)?(?!\\p{L})${ALONE_AFTER}`, 'gu'), 4],
  [new RegExp(`${ALONE_BEFORE}${TIME}(?: ?[-–] ?${TIME})?${ALONE_AFTER}`, 'gu'), 4],
  // Korean writes the day of a month with the same syllable as the digit one.
  [new RegExp(`(?<!\\d)${DAY} ?${'일'.normalize('NFKD')}`, 'gu'), 4],
  [/(?<!\d)\d{1,4}(?: ?[x×] ?\d{1,4}){1,2} ?(?:cm|mm|m|in|ft)(?!\p{L})/gu, 2],
  [
    new RegExp(
      `(?:\\p{Sc}|(?<!\\p{L})(?:rp|idr|usd|eur|rs)\\.?) ?[1-9]\\d{0,3}(?:[.,]\\d\\d)?(?!\\d)${ALONE_AFTER}`,
      'gu',
    ),
    3,
  ],
  [
    new RegExp(`(?<![\\d]|\\d${GROUP})[1-9]\\d{0,2}(?:${GROUP}\\d{3})*${GROUP}000(?!${GROUP}?\\d)`, 'gu'),
    3,
    isRound,
  ],
];

/** Replaces dates, times, sizes and amounts by list separators, which neither count as digits nor end a number. */
function withoutQuantities(folded: string): string {
  let text = folded;
  for (const [form, max, is = () => true] of QUANTITIES) {
    let left = max;
    text = text.replace(form, (match) => (left > 0 && is(match) ? (left--, ', ') : match));
  }
  return text;
}

/** True for an amount such as 1.500.000: without its trailing zeros it is too short for a telephone number. */
function isRound(match: string): boolean {
  return match.replace(/\D/g, '').replace(/0+$/, '').length <= 4;
}
