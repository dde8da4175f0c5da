/** A time of day as it was written, in minutes, and a date. */
export interface Clock {
  minute: number | undefined;
  /** Whether it may as well mean twelve hours later, as in "at 8". */
  halfDay: boolean;
  /** YYYY-MM-DD. */
  date: string | undefined;
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
  [/(?<![\d.,])(\d{1,2})\s?h\s?(\d{2})?(?![\p{L}\d])/iu, ([h = '', m]) => exactly(clock(h, m))],
  [/(?<![\d.,])(\d{1,2})(?:[:.](\d{2}))?\s?uhr/iu, ([h = '', m]) => clock(h, m)],
  [/午後\s?(\d{1,2})時(?:(\d{2})分)?/u, ([h = '', m]) => clock(h, m, 'pm')],
  [/午前\s?(\d{1,2})時(?:(\d{2})分)?/u, ([h = '', m]) => clock(h, m, 'am')],
  [/(?<!\d)(\d{1,2})時(?!間)(?:(\d{2})分)?/u, ([h = '', m]) => clock(h, m)],
  [
    new RegExp(
      String.raw`(?<!\p{L})(?:at|a las|a la|alle|um|às|as|jam|pukul|around|about|by|after)\s(\d{1,2})(?![\d:.,]*\d)${PEOPLE}(?!\p{L})`,
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
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH = String.raw`(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*`;
const DAY_MONTH = new RegExp(String.raw`(?<!\d)(\d{1,2})(?:st|nd|rd|th)?\s(?:of\s)?${MONTH}(?!\p{L})`, 'iu');
const MONTH_DAY = new RegExp(String.raw`(?<!\p{L})${MONTH}\s(\d{1,2})(?:st|nd|rd|th)?(?!\d)`, 'iu');

/** Reads clock times and dates before the words are folded, which would take their signs away. `today` gives the year. */
export function readClock(question: string, today: string): Clock {
  const dated = readDate(question, today);
  for (const [pattern, read] of PATTERNS) {
    const match = pattern.exec(dated.rest);
    const found = match === null ? undefined : read(match.slice(1));
    if (match === null || found === undefined) continue;
    return { ...found, date: dated.date, rest: dated.rest.replace(match[0], ' ') };
  }
  return { minute: undefined, halfDay: false, ...dated };
}

function readDate(question: string, today: string): { date: string | undefined; rest: string } {
  const iso = DATE.exec(question);
  if (iso?.[1] !== undefined && !Number.isNaN(Date.parse(iso[1])))
    return { date: iso[1], rest: question.replace(iso[0], ' ') };
  const dayFirst = DAY_MONTH.exec(question);
  const [text = '', day = '', month = ''] = dayFirst ?? [];
  if (dayFirst !== null) return { date: dateOf(day, month, today), rest: question.replace(text, ' ') };
  const monthFirst = MONTH_DAY.exec(question);
  if (monthFirst === null) return { date: undefined, rest: question };
  const [whole, name = '', number = ''] = monthFirst;
  return { date: dateOf(number, name, today), rest: question.replace(whole, ' ') };
}

/** The next day of that name. */
function dateOf(day: string, month: string, today: string): string | undefined {
  const two = (value: number) => String(value).padStart(2, '0');
  const tail = `${two(MONTHS.indexOf(month.toLowerCase().slice(0, 3)) + 1)}-${two(Number(day))}`;
  const year = Number(today.slice(0, 4));
  const dates = [`${year}-${tail}`, `${year + 1}-${tail}`];
  return dates.find((date) => date >= today && !Number.isNaN(Date.parse(date)));
}
