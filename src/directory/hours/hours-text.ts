import { type CompiledHours, DAY_MINUTES, type DayHours } from './compiled-hours.ts';

/** OSM allows 255 characters; what is much longer is prose. */
export const HOURS_TEXT_MAX = 300;
/** The library weighs every word against its dictionaries, at up to half a millisecond each. */
const WORDS_MAX = 48;
const LONG_WORDS_MAX = 16;
const HALF_DAY = 720;

const QUOTED = /"[^"]*"/g;
const TIME_RANGE = /(\d{1,2})[:.](\d{2})\s*[-–—]\s*(\d{1,2})[:.](\d{2})(?!\s*[ap]\.?m)/gi;
const HOUR_RANGE_SINGLE_DIGIT_END =
  /(?<!(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|week)[a-z]*\.?\s*|[[\d:./,-])\b\d{1,2}\s*[-–—]\s*[1-9](?![\d:.\]]|\s*[ap]\.?m)/i;
const DAYS_AND_TIMES =
  /^(?<days>(?:(?:Mo|Tu|We|Th|Fr|Sa|Su|PH)[-,]?)*) ?(?<times>\d{1,2}:\d{2}-\d{1,2}:\d{2}(?:, ?\d{1,2}:\d{2}-\d{1,2}:\d{2})*|off|closed)$/;
/** What is left after these are taken away decides; one pattern for the whole text could backtrack for ever. */
const WEEKDAY_WORDS =
  /\b(?:Mo|Tu|We|Th|Fr|Sa|Su|PH|SH|off|closed|open|unknown)\b|\b24\/7\b|[-+] ?1 days?\b|\b\d{1,2}:\d{2}\b|[-,;|+]|\s+/g;
const CANONICAL_WORDS =
  /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|week|easter|sunrise|sunset|dawn|dusk|days?)\b|\d+|[:()[\]/]/g;
/** A time that is followed by another or by a day, with nothing in between to say how they belong together. */
const UNCONNECTED = /:\d\d\s+(?:\d|Mo|Tu|We|Th|Fr|Sa|Su|PH)/;
const SAYS_WHOLE_DAY = /24|\b0?0[:.]00|always|(\d{1,2}:\d{2})\s*[-–—]\s*\1/i;

/**
 * The text as the library gets it, or null where it would be no use. Leading semicolons and runs of blanks must go:
 * the library's first regular expression takes exponential time on them.
 */
export function normaliseHours(text: string): string | null {
  if (text.length > HOURS_TEXT_MAX) return null;
  const normal = text.replaceAll(/\s+/g, ' ').replaceAll(/^[\s;]+|[\s;]+$/g, '');
  const words = normal.replaceAll(QUOTED, '').match(/\p{L}{2,}/gu) ?? [];
  const long = words.filter((word) => word.length >= 4);
  if (normal === '' || words.length > WORDS_MAX || long.length > LONG_WORDS_MAX) return null;
  return joinRepeatedDays(normal);
}

/**
 * In "Mo-Fr 11:00-14:00; Mo-Fr 17:00-21:00" the second rule would erase the first, which nobody means: it becomes
 * "Mo-Fr 11:00-14:00,17:00-21:00". A text with anything but days and times is left alone.
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
  const contradicts = [...times.values()].some(
    (all) => all.length > 1 && all.some((one) => !one.includes(':')),
  );
  if (times.size === rules.length || contradicts) return text;
  return Array.from(times, ([days, all]) => `${days} ${all.join(',')}`.trim()).join('; ');
}

/** Whether a text speaks of nothing but weekdays, times and public holidays: no seasons, dates or sun. */
export function onlyWeekdaysAndHolidays(text: string): boolean {
  return text.replaceAll(QUOTED, '').replaceAll(WEEKDAY_WORDS, ' ').trim() === '';
}

/** Whether a text keeps to the syntax so closely that the library has nothing to guess about its structure. */
export function isCanonical(text: string): boolean {
  const bare = text.replaceAll(QUOTED, '');
  const rest = bare.replaceAll(WEEKDAY_WORDS, ' ').replaceAll(CANONICAL_WORDS, ' ');
  return rest.trim() === '' && !UNCONNECTED.test(bare);
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
