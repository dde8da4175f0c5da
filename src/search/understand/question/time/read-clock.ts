import words from '../../lexicon/figure-words.json' with { type: 'json' };
import { LANGUAGES, type Language } from '../../lexicon/lexicon.ts';
import { NUMBER, NUMBER_WORD, numberOf } from './number-words.ts';
import { readDelay } from './read-delay.ts';

/** Time of day, in minutes, and date in a question. */
export interface ClockTime {
  minute: number | undefined;
  /** True when it may also mean twelve hours later, as in "at 8". */
  halfDay: boolean;
  /** True when it has minutes and the language uses the 24-hour clock. */
  literal: boolean;
  /** True for "before 8": the minute is the last one before. */
  before: boolean;
  /** Minutes from now, as in "in two hours". */
  ahead: number | undefined;
  /** YYYY-MM-DD. */
  date: string | undefined;
  /** The time and the date as written. */
  minuteText: string | undefined;
  dateText: string | undefined;
  rest: string;
}

interface ClockReading {
  minute: number;
  halfDay: boolean;
}

const HOUR_MAX = 24;

function clock(hours: string, minutes = '0', half = ''): ClockReading | undefined {
  const [hour, minute] = [Number(hours), Number(minutes || '0')];
  if (hour > HOUR_MAX || minute > 59) return undefined;
  const suffix = half.toLowerCase().replaceAll('.', '');
  if (suffix !== '' && (hour > 12 || hour === 0)) return undefined;
  if (suffix.startsWith('p')) return { minute: ((hour % 12) + 12) * 60 + minute, halfDay: false };
  if (suffix.startsWith('a')) return { minute: (hour % 12) * 60 + minute, halfDay: false };
  const exact = hours.startsWith('0') || hour > 12 || hour === 0;
  return { minute: hour * 60 + minute, halfDay: !exact };
}

/** A form of the clock time. Its groups are `hour`, in digits or words, `minute`, `half`, which is am or pm, and `before`. */
interface ClockForm {
  form: string;
  /** `exact`: always on the 24-hour clock. `spoken`: the hour may be a word. `half_to`: "halb acht" is 7:30. */
  is?: 'exact' | 'spoken' | 'half_past' | 'half_to' | 'am' | 'pm';
  /** Words that are articles rather than hours. */
  except?: string;
  /** Restricts the form to some languages. */
  in?: readonly Language[];
}

const { forms, ...phrases } = words.clock;
const PIECES: Readonly<Record<string, string>> = { ...phrases, number: NUMBER, number_word: NUMBER_WORD };
/** The first match wins, so more specific patterns come first. */
const PATTERNS = (forms as readonly ClockForm[]).map((one) => {
  const source = one.form.replaceAll(/\{([a-z_]+)\}/g, (_, piece: string) => PIECES[piece] ?? '');
  return { ...one, pattern: new RegExp(source, 'iu') };
});

function readForm(
  { is, except = '' }: ClockForm,
  { hour = '', minute, half }: Readonly<Record<string, string>>,
): ClockReading | undefined {
  if (except.split('|').includes(hour.toLowerCase())) return undefined;
  if (is === undefined) return clock(hour, minute, half);
  if (is === 'am' || is === 'pm') return clock(hour, minute, is);
  if (is === 'exact') {
    const reading = clock(hour, minute);
    return reading && { ...reading, halfDay: false };
  }
  const number = numberOf(hour);
  if (number === undefined) return undefined;
  if (is === 'half_to') return clock(String(number === 1 ? 12 : number - 1), '30');
  return clock(String(number), is === 'half_past' ? '30' : minute);
}

const DATE = /(?<!\d)(\d{4}-\d{2}-\d{2})(?:T|\b)/;
/** Month names in every language, and English abbreviations. */
const MONTHS = new Map(
  [...LANGUAGES.map((language) => [language, 'long'] as const), ['en', 'short'] as const].flatMap(
    ([language, month]) =>
      Array.from({ length: 12 }, (_, at) => {
        const format = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' });
        return [format.format(Date.UTC(2026, at)).toLowerCase(), at + 1] as const;
      }),
  ),
);
const MONTH = `(${[...MONTHS.keys()].sort((a, b) => b.length - a.length).join('|')})`;
const YEAR = String.raw`(?:,?\s(?:de\s)?(20\d\d))?(?![\p{L}\d])`;
const DAY_MONTH = new RegExp(
  String.raw`(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|º|\.)?\s(?:of\s|de\s)?${MONTH}${YEAR}`,
  'iu',
);
const MONTH_DAY = new RegExp(String.raw`(?<!\p{L})${MONTH}\s(\d{1,2})(?:st|nd|rd|th)?${YEAR}`, 'iu');
const JAPANESE = /(?<!\d)(\d{1,2}月)(\d{1,2})日/u;

/** Reads clock times and dates before folding, which would remove their punctuation. `today` supplies the year. */
export function readClock(question: string, today: string, language: Language): ClockTime {
  const dated = readDate(question, today);
  const none = {
    ...{ minute: undefined, halfDay: false, literal: false, before: false },
    ...{ ahead: undefined, minuteText: undefined },
  };
  const delay = readDelay(dated.rest, language);
  if (delay !== undefined) {
    const rest = dated.rest.replace(delay.text, ' ');
    return { ...none, ...dated, ahead: delay.minutes, minuteText: delay.text.trim(), rest };
  }
  for (const form of PATTERNS) {
    if (form.in?.includes(language) === false) continue;
    const match = form.pattern.exec(dated.rest);
    const reading = match === null ? undefined : readForm(form, match.groups ?? {});
    if (match === null || reading === undefined) continue;
    const before = BEFORE.exec(dated.rest.slice(0, match.index))?.[0] ?? '';
    const matchedText = before + match[0];
    const isBefore = (before !== '' || match.groups?.['before'] !== undefined) && reading.minute > 0;
    const minute = isBefore ? reading.minute - 1 : reading.minute;
    const literal = language !== 'en' && /\d[:.]\d{2}/.test(matchedText);
    const rest = dated.rest.replace(matchedText, ' ');
    return {
      ...none,
      ...dated,
      ...reading,
      minute,
      literal,
      before: isBefore,
      minuteText: matchedText.trim(),
      rest,
    };
  }
  return { ...none, ...dated };
}

const BEFORE = new RegExp(phrases.before, 'iu');

type Dated = Pick<ClockTime, 'date' | 'dateText' | 'rest'>;

function readDate(question: string, today: string): Dated {
  const iso = DATE.exec(question);
  if (iso?.[1] !== undefined && !Number.isNaN(Date.parse(iso[1])))
    return { date: iso[1], dateText: iso[1], rest: question.replace(iso[0], ' ') };
  const forms = [
    [DAY_MONTH, 1, 2],
    [MONTH_DAY, 2, 1],
    [JAPANESE, 2, 1],
  ] as const;
  for (const [form, day, month] of forms) {
    const match = form.exec(question);
    const date = match === null ? undefined : dateOf(match[day] ?? '', match[month] ?? '', match[3], today);
    if (match !== null && date !== undefined)
      return { date, dateText: match[0].trim(), rest: question.replace(match[0], ' ') };
  }
  return { date: undefined, dateText: undefined, rest: question };
}

/** Returns the next date with this day and month, unless a year was named. Undefined for invalid dates. */
function dateOf(day: string, month: string, named: string | undefined, today: string): string | undefined {
  const two = (value: number) => String(value).padStart(2, '0');
  const tail = `${two(MONTHS.get(month.toLowerCase()) ?? 0)}-${two(Number(day))}`;
  const year = Number(today.slice(0, 4));
  const dates = named === undefined ? [`${year}-${tail}`, `${year + 1}-${tail}`] : [`${named}-${tail}`];
  return dates.find((date) => (named !== undefined || date >= today) && isDate(date));
}

function isDate(date: string): boolean {
  const parsed = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date);
}
