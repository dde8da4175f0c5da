import { type CompiledHours, DAY_MINUTES, type DayHours } from './compile/compiled-hours.ts';

/** OSM allows 255 characters; what is much longer is prose. */
export const HOURS_TEXT_MAX = 300;
/** The library weighs every word against its dictionaries, at up to half a millisecond each. */
const WORDS_MAX = 48;
/** Of 58,000 real values none with more long words of its own was read without a doubt. */
const OWN_WORDS_MAX = 6;
const KEYWORD = /^(?:open|closed|unknown|week|easter|sunrise|sunset|dawn|dusk|days?)$/i;
const HALF_DAY = 720;

const QUOTED = /"[^"]*"/g;
const TIME_RANGE = /(\d{1,2})[:.](\d{2})\s*[-–—]\s*(\d{1,2})[:.](\d{2})(?!\s*[ap]\.?m)/gi;
const HOUR_RANGE_SINGLE_DIGIT_END =
  /(?<!(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|week)[a-z]*\.?\s*|[[\d:./,-])\b\d{1,2}\s*[-–—]\s*[1-9](?![\d:.\]]|\s*[ap]\.?m)/i;
const DAYS_AND_TIMES =
  /^(?<days>(?:(?:Mo|Tu|We|Th|Fr|Sa|Su|PH)[-,]?)*) ?(?<times>\d{1,2}:\d{2}-\d{1,2}:\d{2}(?:, ?\d{1,2}:\d{2}-\d{1,2}:\d{2})*|off|closed)$/;
/** What is left after these are taken away decides; one pattern for the whole text could backtrack for ever. */
const WEEKDAY_WORDS =
  /\b(?:Mo|Tu|We|Th|Fr|Sa|Su|PH|SH|off|closed|open|unknown)\b|\b24\/7\b|[-+] ?1 days?\b|\b\d{1,2}:\d{2}\b|[-,;|+]|\s+/gi;
const MONTH_WORDS = /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b|:/gi;
const OTHER_WORDS = /\b(?:week|easter|sunrise|sunset|dawn|dusk|days?)\b|\d+|[()[\]/]/g;
/** Days or times that follow each other with nothing in between to say how they belong together. */
const UNCONNECTED =
  /:\d\d\s+(?:\d|Mo|Tu|We|Th|Fr|Sa|Su|PH)|\b(?:Mo|Tu|We|Th|Fr|Sa|Su|off|closed|open)\s+(?:Mo|Tu|We|Th|Fr|Sa|Su|PH)\b/i;
const SAYS_WHOLE_DAY = /24|\b0?0[:.]00|always|(\d{1,2}:\d{2})\s*[-–—]\s*\1/i;

/**
 * The text as the library gets it, or null where it would be no use. Leading semicolons and runs of blanks must go:
 * the library's first regular expression takes exponential time on them.
 */
export function normaliseHours(text: string): string | null {
  if (text.length > HOURS_TEXT_MAX) return null;
  const normal = text.replaceAll(/\s+/g, ' ').replaceAll(/^[\s;]+|[\s;]+$/g, '');
  const words = normal.replaceAll(QUOTED, '').match(/\p{L}{2,}/gu) ?? [];
  const own = words.filter((word) => word.length >= 4 && !KEYWORD.test(word));
  if (normal === '' || words.length > WORDS_MAX || own.length > OWN_WORDS_MAX) return null;
  return joinRepeatedDays(normal);
}

/**
 * In "Mo-Fr 11:00-14:00; Mo-Fr 17:00-21:00" the second rule would erase the first, which nobody means: it becomes
 * "Mo-Fr 11:00-14:00,17:00-21:00". A text with anything but days and times is left alone, and so is one whose times
 * overlap, where the second rule may correct the first.
 */
function joinRepeatedDays(text: string): string {
  const times = new Map<string, string[]>();
  const rules = text.split(/ ?; ?/);
  for (const rule of rules) {
    const groups = DAYS_AND_TIMES.exec(rule)?.groups;
    if (groups === undefined) return text;
    const days = groups['days'] ?? '';
    times.set(days, [...(times.get(days) ?? []), groups['times'] ?? '']);
  }
  const parts = [...times.values()].filter((all) => all.length > 1);
  if (parts.length === 0 || !parts.every(areApart)) return text;
  return Array.from(times, ([days, all]) => `${days} ${all.join(',')}`.trim()).join('; ');
}

function areApart(times: readonly string[]): boolean {
  const ranges = timeRanges(times.join(',')).sort((a, b) => a.start - b.start);
  const inOrder = ranges.every(({ start, end }, at) => {
    const next = ranges[at + 1]?.start ?? DAY_MINUTES + start;
    return (end <= start ? end + DAY_MINUTES : end) <= next;
  });
  return inOrder && times.every((one) => one.includes(':'));
}

/** The text without quotes and without what says nothing about the time of the year. */
function withoutWeekdays(text: string): string {
  return text.replaceAll(QUOTED, ' ').replaceAll(WEEKDAY_WORDS, ' ').trim();
}

/**
 * The days of the month on which the hours of a text may change, where it speaks only of weekdays, holidays, months
 * and days of months. Empty where it speaks of no months, null where of anything else: years, weeks, the sun.
 */
export function daysOfMonthThatMatter(text: string): number[] | null {
  const rest = withoutWeekdays(text);
  if (rest === '') return [];
  const numbers = rest.replaceAll(MONTH_WORDS, ' ').trim();
  if (!/^(?:\d{1,2}(?: +|$))*$/.test(numbers)) return null;
  const named = numbers === '' ? [] : numbers.split(/ +/).map(Number);
  // Hours change on a day and after it, and a night carries them one day further.
  return [...new Set([1, 2, ...named.flatMap((day) => [day, day + 1, day + 2])])].sort((a, b) => a - b);
}

/** Whether a text keeps to the syntax so closely that the library has nothing to guess about its structure. */
export function isCanonical(text: string): boolean {
  const rest = withoutWeekdays(text).replaceAll(MONTH_WORDS, ' ').replaceAll(OTHER_WORDS, ' ');
  return rest.trim() === '' && !UNCONNECTED.test(text.replaceAll(QUOTED, ''));
}

interface Minutes {
  readonly start: number;
  readonly end: number;
  readonly endDigits: number;
}

function timeRanges(text: string): Minutes[] {
  return Array.from(text.replaceAll(QUOTED, '').matchAll(TIME_RANGE), (match) => ({
    start: Number(match[1]) * 60 + Number(match[2]),
    end: Number(match[3]) * 60 + Number(match[4]),
    endDigits: match[3]?.length ?? 0,
  }));
}

/** Whether a text itself says that something begins at midnight, so that small hours need not belong to a night. */
export function mayStartAtMidnight(text: string): boolean {
  return /\b(?:0?0|24)[:.]00\s*[-–—+]|24\s*[/h]|12(?:[:.]00)?\s*a\.?m|midnight|\bopen\b|\bunknown\b|"/i.test(
    text,
  );
}

export function mayRunPastMidnight(text: string): boolean {
  return (
    /\d\s*\+|[ap]\.?m\b|sun|d[au][ws][nk]/i.test(text) ||
    timeRanges(text).some(({ start, end }) => end > DAY_MINUTES || (end < start && end > 0))
  );
}

/** "11:00-2:00" may end in the afternoon or at night; "18:00-2:00" and "11:00-02:00" may not. */
function endIsAmbiguous({ start, end, endDigits }: Minutes): boolean {
  return endDigits === 1 && end >= 60 && end <= start && end + HALF_DAY > start;
}

function isWholeDay(hours: DayHours): boolean {
  return hours.some(
    ([start, end, certainty]) => start === 0 && end === DAY_MINUTES && certainty === undefined,
  );
}

/**
 * Whether a text that can be read may mean something else. The library takes "Tu-Su" and "open" for open day and
 * night, which they need not mean, and "9-5" for a night.
 */
export function isDoubtful(text: string, compiled: CompiledHours): boolean {
  const bare = text.replaceAll(QUOTED, '');
  if (HOUR_RANGE_SINGLE_DIGIT_END.test(bare) || timeRanges(text).some(endIsAmbiguous)) return true;
  if (SAYS_WHOLE_DAY.test(bare)) return false;
  const weeks = [compiled.week, ...(compiled.seasons ?? []).map(({ week }) => week)];
  return [...weeks.flat(), ...Object.values(compiled.exceptions ?? {})].some(isWholeDay);
}
