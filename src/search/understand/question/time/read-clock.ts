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
  /** Minutes from now, as in "in two hours". */
  ahead: number | undefined;
  /** YYYY-MM-DD. */
  date: string | undefined;
  /** The time and the date as written. */
  minuteText: string | undefined;
  dateText: string | undefined;
  /** The question without them. */
  rest: string;
}

interface ClockReading {
  minute: number;
  halfDay: boolean;
}

interface Pattern {
  form: RegExp;
  read: (groups: readonly string[]) => ClockReading | undefined;
  /** Restricts the pattern to some languages. */
  in?: readonly Language[];
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

const HALF_PAST = '30';

/** Reads an hour in digits or words. */
function readHour(hour: string, minutes?: string): ClockReading | undefined {
  const number = numberOf(hour);
  return number === undefined ? undefined : clock(String(number), minutes);
}

/** Reads "halb acht" as half past seven and "halb eins" as half past twelve. */
function halfTo(hour: string): ClockReading | undefined {
  const number = numberOf(hour);
  return number === undefined ? undefined : clock(String(number === 1 ? 12 : number - 1), HALF_PAST);
}

const HALF = String.raw`([ap]\.?\s?m\.?)`;
const PEOPLE =
  '(?!\\s*(?:people|ppl|persons|personas|personnes|personen|persone|pessoas|orang|guests|friends|of us|am|pm|%|€|\\$|euro))';
const AT =
  'at|a las|a la|alle ore|alle|um|às|as|jam|pukul|om|around|about|gegen|tegen|rond|verso le|sobre las|por volta das|vers';
const FROM_OR_UNTIL =
  'by|from|after|nach|ab|na|vanaf|dopo le|dalle|despu[eé]s de las|a partir de las|desde las|depois das|a partir das|a partir de|après|dès|setelah jam|setelah|lewat jam|mulai jam|until|till|bis|tot|hasta las|fino alle|até às|sampai jam';

/** The first match wins, so more specific patterns come first. */
const PATTERNS: readonly Pattern[] = [
  {
    form: new RegExp(
      String.raw`(?<![\d.,])(\d{1,2})[:.](\d{2})\s*${HALF}?(?![\d])(?!\s*(?:km|stars?|€|\$))`,
      'iu',
    ),
    read: ([h = '', m, half]) => clock(h, m, half),
  },
  {
    form: new RegExp(String.raw`(?<![\d.,])(\d{1,2})\s*${HALF}(?!\p{L})`, 'iu'),
    read: ([h = '', half]) => clock(h, '0', half),
  },
  {
    form: new RegExp(
      String.raw`(?<!\p{L})(?:half past\s(${NUMBER})|(?:(?:a las|alle|às)\s)?(${NUMBER})\s(?:y media|e mezz[ao]|e meia|heures et demie))(?!\p{L})`,
      'iu',
    ),
    read: ([english, other]) => readHour(english ?? other ?? '', HALF_PAST),
  },
  {
    form: new RegExp(
      String.raw`(?<!\p{L})(?:(?:um|gegen|ab|om|rond|tegen|vanaf)\s)?hal[bf]\s(${NUMBER})(?!\p{L})`,
      'iu',
    ),
    read: ([h = '']) => halfTo(h),
    in: ['de', 'nl'],
  },
  {
    form: /(?<![\d.,])(?!24)(\d{1,2})\s?h\s?(\d{2})?(?![\p{L}\d])/iu,
    read: ([h = '', m]) => exactly(clock(h, m)),
  },
  {
    form: /(?<![\d.,])(?!24\s?uur)(\d{1,2})(?:[:.](\d{2}))?\s?(?:uhr|uur)/iu,
    read: ([h = '', m]) => clock(h, m),
  },
  {
    form: new RegExp(
      String.raw`(?<!\p{L})(?:à|vers|après|dès|jusqu[’']à)\s(${NUMBER})\sheures?(?!\p{L})`,
      'iu',
    ),
    read: ([h = '']) => readHour(h),
  },
  { form: /午後\s?(\d{1,2})時(?:(\d{2})分)?/u, read: ([h = '', m]) => clock(h, m, 'pm') },
  { form: /午前\s?(\d{1,2})時(?:(\d{2})分)?/u, read: ([h = '', m]) => clock(h, m, 'am') },
  { form: /(?<!\d)(\d{1,2})時(?!間)(?:(\d{2})分)?/u, read: ([h = '', m]) => clock(h, m) },
  {
    form: new RegExp(
      String.raw`(?<!\p{L})(?:${AT}|${FROM_OR_UNTIL})\s(\d{1,2})(?![\d:.,]*\d)${PEOPLE}(?!\p{L})`,
      'iu',
    ),
    read: ([h = '']) => clock(h),
  },
  {
    form: new RegExp(
      String.raw`(?<!\p{L})(?:at|a las|alle|um|às|om|jam|pukul|dopo le|despu[eé]s de las|depois das)\s(${NUMBER_WORD})(?!\p{L})${PEOPLE}`,
      'iu',
    ),
    read: ([h = '']) => (/^(?:a|an|um?|une?|uma|ein|eine|einer|een|uno)$/i.test(h) ? undefined : readHour(h)),
  },
];

/** "20h" is always on the 24-hour clock. */
function exactly(reading: ClockReading | undefined): ClockReading | undefined {
  return reading && { ...reading, halfDay: false };
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
  const none = { minute: undefined, halfDay: false, literal: false, ahead: undefined, minuteText: undefined };
  const delay = readDelay(dated.rest, language);
  if (delay !== undefined) {
    const rest = dated.rest.replace(delay.text, ' ');
    return { ...none, ...dated, ahead: delay.minutes, minuteText: delay.text.trim(), rest };
  }
  for (const { form, read, in: languages } of PATTERNS) {
    if (languages?.includes(language) === false) continue;
    const match = form.exec(dated.rest);
    const reading = match === null ? undefined : read(match.slice(1));
    if (match === null || reading === undefined) continue;
    const before = BEFORE.exec(dated.rest.slice(0, match.index))?.[0] ?? '';
    const matchedText = before + match[0];
    const minute = Math.max(0, reading.minute - (before === '' ? 0 : BEFORE_MINUTES));
    const literal = language !== 'en' && /\d[:.]\d{2}/.test(matchedText);
    const rest = dated.rest.replace(matchedText, ' ');
    return { ...none, ...dated, ...reading, minute, literal, minuteText: matchedText.trim(), rest };
  }
  return { ...none, ...dated };
}

const BEFORE =
  /(?<!\p{L})(?:before|vor|avant|antes de las|antes das|antes de|prima delle|prima di|voor|sebelum jam|sebelum)\s$/iu;
/** "before eight" means that the place should already be open by then. */
const BEFORE_MINUTES = 30;

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
