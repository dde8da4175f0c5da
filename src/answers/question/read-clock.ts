import { LANGUAGES } from './lexicon.ts';

/** A time of day as it was written, in minutes, and a date. */
export interface Clock {
  minute: number | undefined;
  /** Whether it may as well mean twelve hours later, as in "at 8". */
  halfDay: boolean;
  /** YYYY-MM-DD. */
  date: string | undefined;
  /** The time and the date as they were written. */
  minuteText: string | undefined;
  dateText: string | undefined;
  /** The question without them. */
  rest: string;
}

interface Found {
  minute: number;
  halfDay: boolean;
}

type Pattern = readonly [pattern: RegExp, read: (groups: readonly string[]) => Found | undefined];

const HOUR_MAX = 24;

function clock(hours: string, minutes = '0', half = ''): Found | undefined {
  const [hour, minute] = [Number(hours), Number(minutes || '0')];
  if (hour > HOUR_MAX || minute > 59) return undefined;
  const suffix = half.toLowerCase().replaceAll('.', '');
  if (suffix !== '' && (hour > 12 || hour === 0)) return undefined;
  if (suffix.startsWith('p')) return { minute: ((hour % 12) + 12) * 60 + minute, halfDay: false };
  if (suffix.startsWith('a')) return { minute: (hour % 12) * 60 + minute, halfDay: false };
  const exact = hours.startsWith('0') || hour > 12 || hour === 0;
  return { minute: hour * 60 + minute, halfDay: !exact };
}

const HALF = String.raw`([ap]\.?\s?m\.?)`;
const PEOPLE =
  '(?!\\s*(?:people|persons|personas|personnes|personen|persone|pessoas|orang|guests|friends|of us|am|pm|%|€|\\$|euro))';

/** The first that fits is taken: the more a form says, the earlier it stands. */
const PATTERNS: readonly Pattern[] = [
  [
    new RegExp(String.raw`(?<![\d.,])(\d{1,2})[:.](\d{2})\s*${HALF}?(?![\d])(?!\s*(?:km|stars?|€|\$))`, 'iu'),
    ([h = '', m, half]) => clock(h, m, half),
  ],
  [
    new RegExp(String.raw`(?<![\d.,])(\d{1,2})\s*${HALF}(?!\p{L})`, 'iu'),
    ([h = '', half]) => clock(h, '0', half),
  ],
  [/(?<![\d.,])(?!24)(\d{1,2})\s?h\s?(\d{2})?(?![\p{L}\d])/iu, ([h = '', m]) => exactly(clock(h, m))],
  [/(?<![\d.,])(?!24\s?uur)(\d{1,2})(?:[:.](\d{2}))?\s?(?:uhr|uur)/iu, ([h = '', m]) => clock(h, m)],
  [/午後\s?(\d{1,2})時(?:(\d{2})分)?/u, ([h = '', m]) => clock(h, m, 'pm')],
  [/午前\s?(\d{1,2})時(?:(\d{2})分)?/u, ([h = '', m]) => clock(h, m, 'am')],
  [/(?<!\d)(\d{1,2})時(?!間)(?:(\d{2})分)?/u, ([h = '', m]) => clock(h, m)],
  [
    new RegExp(
      String.raw`(?<!\p{L})(?:at|a las|a la|alle|alle ore|um|às|as|jam|pukul|om|around|about|by|after|ab|gegen|until|till|bis|tot|tegen|hasta las|fino alle|até às|sampai jam)\s(\d{1,2})(?![\d:.,]*\d)${PEOPLE}(?!\p{L})`,
      'iu',
    ),
    ([h = '']) => clock(h),
  ],
];

/** 20h is written by those who count to 24. */
function exactly(found: Found | undefined): Found | undefined {
  return found && { ...found, halfDay: false };
}

const DATE = /(?<!\d)(\d{4}-\d{2}-\d{2})(?:T|\b)/;
/** Names of months in every language, and how English shortens them. */
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

/** Reads clock times and dates before the words are folded, which would take their signs away. `today` gives the year. */
export function readClock(question: string, today: string): Clock {
  const dated = readDate(question, today);
  for (const [pattern, read] of PATTERNS) {
    const match = pattern.exec(dated.rest);
    const found = match === null ? undefined : read(match.slice(1));
    if (match === null || found === undefined) continue;
    const before = BEFORE.exec(dated.rest.slice(0, match.index))?.[0] ?? '';
    const written = before + match[0];
    const minute = Math.max(0, found.minute - (before === '' ? 0 : BEFORE_MINUTES));
    return { ...dated, ...found, minute, minuteText: written.trim(), rest: dated.rest.replace(written, ' ') };
  }
  return { minute: undefined, halfDay: false, minuteText: undefined, ...dated };
}

const BEFORE =
  /(?<!\p{L})(?:before|vor|avant|antes de las|antes das|antes de|prima delle|prima di|voor|sebelum jam|sebelum)\s$/iu;
/** Who wants to come before eight wants it to be open by then. */
const BEFORE_MINUTES = 30;

type Dated = Pick<Clock, 'date' | 'dateText' | 'rest'>;

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

/** The next day of that name, unless a year was named. A day that no calendar has is none. */
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
