import { type CompiledHours, DAY_MINUTES, type DayHours } from './compile/compiled-hours.ts';

/** OSM allows 255 characters; a much longer text is prose. */
export const HOURS_TEXT_MAX = 300;
/** The library compares every word with its dictionaries, at up to half a millisecond per word. */
const WORDS_MAX = 48;
/** Maximum number of long words that are no keywords: of 58,000 real values, none with more was read without doubt. */
const OWN_WORDS_MAX = 6;
const KEYWORD = /^(?:open|closed|unknown|week|easter|sunrise|sunset|dawn|dusk|days?)$/i;
const HALF_DAY = 720;

const QUOTED = /"[^"]*"/g;
const TIME_RANGE = /(\d{1,2})[:.](\d{2})\s*[-–—]\s*(\d{1,2})[:.](\d{2})(?!\s*[ap]\.?m)/gi;
const HOUR_RANGE_SINGLE_DIGIT_END =
  /(?<!(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|week)[a-z]*\.?\s*|[[\d:./,-])\b\d{1,2}\s*[-–—]\s*[1-9](?![\d:.\]]|\s*[ap]\.?m)/i;
const DAYS_AND_TIMES =
  /^(?<days>(?:(?:Mo|Tu|We|Th|Fr|Sa|Su|PH)[-,]?)*) ?(?<times>\d{1,2}:\d{2}-\d{1,2}:\d{2}(?:, ?\d{1,2}:\d{2}-\d{1,2}:\d{2})*|off|closed)$/;
/** Words to remove; the remaining text decides. A single pattern for the whole text could backtrack for ever. */
const WEEKDAY_WORDS =
  /\b(?:Mo|Tu|We|Th|Fr|Sa|Su|PH|SH|off|closed|open|unknown)\b|\b24\/7\b|[-+] ?1 days?\b|\b\d{1,2}:\d{2}\b|[-,;|+]|\s+/gi;
const MONTH_WORDS = /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b|:/gi;
const OTHER_WORDS = /\b(?:week|easter|sunrise|sunset|dawn|dusk|days?)\b|\d+|[()[\]/]/g;
/** Days or times in a row without a separator, so that their relation is unclear. */
const UNCONNECTED =
  /:\d\d\s+(?:\d|Mo|Tu|We|Th|Fr|Sa|Su|PH)|\b(?:Mo|Tu|We|Th|Fr|Sa|Su|off|closed|open)\s+(?:Mo|Tu|We|Th|Fr|Sa|Su|PH)\b/i;
const SAYS_WHOLE_DAY = /24|\b0?0[:.]00|always|(\d{1,2}:\d{2})\s*[-–—]\s*\1/i;

/** Normalises a text, which the library's first expression needs; null where the library cannot use it. */
export function normaliseHours(text: string): string | null {
  if (text.length > HOURS_TEXT_MAX) return null;
  const normal = text.replaceAll(/\s+/g, ' ').replaceAll(/^[\s;]+|[\s;]+$/g, '');
  const words = normal.replaceAll(QUOTED, '').match(/\p{L}{2,}/gu) ?? [];
  const longWords = words.filter((word) => word.length >= 4 && !KEYWORD.test(word));
  if (normal === '' || words.length > WORDS_MAX || longWords.length > OWN_WORDS_MAX) return null;
  return joinRepeatedDays(normal);
}

/**
 * Joins rules for the same days. In "Mo-Fr 11:00-14:00; Mo-Fr 17:00-21:00" the second rule would erase the first, which
 * is never intended: it becomes "Mo-Fr 11:00-14:00,17:00-21:00". A text with anything but days and times is unchanged,
 * and so is one whose times overlap, where the second rule may correct the first.
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
  return inOrder && times.every((time) => time.includes(':'));
}

/** Removes quotes and all words that do not concern the time of the year. */
function withoutWeekdays(text: string): string {
  return text.replaceAll(QUOTED, ' ').replaceAll(WEEKDAY_WORDS, ' ').trim();
}

/** Returns the days of the month on which hours may change: none without months, null with years, weeks or the sun. */
export function daysOfMonthThatMatter(text: string): number[] | null {
  const rest = withoutWeekdays(text);
  if (rest === '') return [];
  const numbers = rest.replaceAll(MONTH_WORDS, ' ').trim();
  if (!/^(?:\d{1,2}(?: +|$))*$/.test(numbers)) return null;
  const days = numbers === '' ? [] : numbers.split(/ +/).map(Number);
  // Hours change on the day and on the day after it, and a night carries them one day further.
  return [...new Set([1, 2, ...days.flatMap((day) => [day, day + 1, day + 2])])].sort((a, b) => a - b);
}

/** True when a text follows the syntax so closely that the library need not guess its structure. */
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

/** True when a text may have a span that begins at midnight, so that early hours need not belong to a night. */
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

/** True when an end is ambiguous: "11:00-2:00" may be in the afternoon, but not "18:00-2:00" or "11:00-02:00". */
function endIsAmbiguous({ start, end, endDigits }: Minutes): boolean {
  return endDigits === 1 && end >= 60 && end <= start && end + HALF_DAY > start;
}

function isWholeDay(hours: DayHours): boolean {
  return hours.some(
    ([start, end, certainty]) => start === 0 && end === DAY_MINUTES && certainty === undefined,
  );
}

/** True when a text may mean something else: the library takes "open" for open day and night, and "9-5" for a night. */
export function isDoubtful(text: string, compiled: CompiledHours): boolean {
  const bare = text.replaceAll(QUOTED, '');
  if (HOUR_RANGE_SINGLE_DIGIT_END.test(bare) || timeRanges(text).some(endIsAmbiguous)) return true;
  if (SAYS_WHOLE_DAY.test(bare)) return false;
  const weeks = [compiled.week, ...(compiled.seasons ?? []).map(({ week }) => week)];
  return [...weeks.flat(), ...Object.values(compiled.exceptions ?? {})].some(isWholeDay);
}
