import { DAY_MINUTES, formatClock } from './compile/compiled-hours.ts';
import { HOURS_TEXT_MAX } from './hours-text.ts';

/** Parses days and times as people write them: "mon-fri", "Sat, Sun", "weekdays"; "9am-5pm", "closed". */

const OSM_DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
const DAY_NAMES = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
/** Index of public holidays, after the days of the week. */
const HOLIDAYS = 7;
const DAY_GROUPS: ReadonlyMap<string, readonly number[]> = new Map([
  ['daily', [0, 1, 2, 3, 4, 5, 6]],
  ['every day', [0, 1, 2, 3, 4, 5, 6]],
  ['weekdays', [0, 1, 2, 3, 4]],
  ['weekends', [5, 6]],
  ['holidays', [HOLIDAYS]],
  ['public holidays', [HOLIDAYS]],
]);
const NOON = 720;

/** Start and end in minutes; an end at or before the start is on the next day. */
type PlainRange = readonly [start: number, end: number];

export interface PlainRule {
  readonly days: readonly number[];
  readonly ranges: readonly PlainRange[];
}

/** Accepts any abbreviation of an English day name from two letters on: Mo, Tue, Weds, Thurs. */
function readDay(word: string): number | null {
  const name = word.replace(/\.$/, '');
  const at = DAY_NAMES.findIndex((day) => day.startsWith(name) || (name === 'weds' && day === 'wednesday'));
  return name.length >= 2 && at >= 0 ? at : null;
}

function readDayRange(text: string): readonly number[] | null {
  const group = DAY_GROUPS.get(text) ?? DAY_GROUPS.get(`${text}s`);
  if (group !== undefined) return group;
  const [from, to, ...rest] = text.split(UP_TO).map(readDay);
  if (from === undefined || from === null || to === null || rest.length > 0) return null;
  const length = to === undefined ? 1 : ((to - from + 7) % 7) + 1;
  return Array.from({ length }, (_, step) => (from + step) % 7);
}

/** Parses days of the week as 0 (Monday) to 6, and 7 for public holidays; null for anything else. */
export function readDays(text: string): number[] | null {
  const parts = text
    .trim()
    .toLowerCase()
    .split(/\s*(?:,|&|\band\b)\s*/)
    .map(readDayRange);
  return parts.every((part) => part !== null) ? [...new Set(parts.flat())] : null;
}

/** Parses a time of day. A bare number is refused, since it may mean morning or evening. */
function readTime(text: string): number | null {
  if (text === 'noon') return NOON;
  if (text === 'midnight') return DAY_MINUTES;
  const match = /^(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm|a\.m\.|p\.m\.)?$/.exec(text);
  if (match === null) return null;
  const [, hourText = '', minuteText, half] = match;
  const hour = Number(hourText);
  const minute = Number(minuteText ?? 0);
  if (minute > 59 || (half === undefined && minuteText === undefined)) return null;
  if (half === undefined) return hour * 60 + minute <= DAY_MINUTES ? hour * 60 + minute : null;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) * 60 + minute + (half.startsWith('p') ? NOON : 0);
}

/** Separator between two days or two times. */
const UP_TO = /\s*[-–—]\s*|\s+(?:to|through|thru|until|till?)\s+/;

/** Parses bare hours on the 24-hour clock, which are clear where the end is past noon: "9-17", but not "9-5". */
function readBareHours(from: string, to: string): PlainRange | null {
  if (!/^\d{1,2}$/.test(from) || !/^\d{1,2}$/.test(to)) return null;
  const [start, end] = [Number(from), Number(to)];
  return start < end && end > 12 && end <= 24 ? [start * 60, end * 60] : null;
}

function readRange(text: string): PlainRange | null {
  const [from, to, ...rest] = text.replace(/^from\s+/, '').split(UP_TO);
  if (from === undefined || to === undefined || rest.length > 0) return null;
  const bare = readBareHours(from, to);
  if (bare !== null) return bare;
  const start = readTime(from);
  const end = readTime(to);
  if (start === null || end === null) return null;
  // "midnight" and "24:00" may start a day as well as end it.
  const opens = start === DAY_MINUTES ? 0 : start;
  return opens === 0 && end === 0 ? [0, DAY_MINUTES] : [opens, end];
}

/** Parses the hours of a day: "closed", "24h", or ranges separated by commas; null for anything else. */
export function readRanges(text: string): PlainRange[] | null {
  const plain = text.trim().toLowerCase();
  if (/^(?:closed|off)$/.test(plain)) return [];
  if (/^(?:24 ?h(?:ours?)?|open 24 hours|24\/7)$/.test(plain)) return [[0, DAY_MINUTES]];
  const ranges = plain.split(/\s*(?:,|&|\band\b)\s*/).map(readRange);
  return ranges.every((range) => range !== null) ? ranges : null;
}

/** Parses rules such as "Mon-Fri 9am-5pm; Sat 10:00-14:00; Sun closed"; null unless all of the text is understood. */
export function readPlainRules(text: string): PlainRule[] | null {
  if (text.length > HOURS_TEXT_MAX) return null;
  const rules = rulesIn(text).map(readPlainRule);
  return rules.length > 0 && rules.every((rule) => rule !== null) ? rules : null;
}

/** Splits a text at semicolons, new lines, and commas before the next days: "Mon-Fri 9am-5pm, Sat 10am-2pm". */
function rulesIn(text: string): string[] {
  const rules: string[] = [];
  let days = '';
  for (const piece of text.split(/[;\n]|,(?=\s*[a-z])/i)) {
    const part = piece.replaceAll(/\s+/g, ' ').trim();
    if (part === '') continue;
    // Days without hours belong to the hours that follow.
    if (readDays(part) !== null) days += `${part}, `;
    else {
      rules.push(days + part);
      days = '';
    }
  }
  return days === '' ? rules : [...rules, days];
}

function readPlainRule(text: string): PlainRule | null {
  const match =
    /^(?<days>[a-z][a-z.,&\s–—-]*?)\s*[:,]?\s+(?<hours>(?:\d|closed|off|open 24|noon|midnight|from ).*)$/i.exec(
      text,
    );
  const days = readDays(match?.groups?.['days'] ?? '');
  const ranges = readRanges(match?.groups?.['hours'] ?? '');
  return days === null || ranges === null ? null : { days, ranges };
}

function osmRanges(ranges: readonly PlainRange[]): string {
  return ranges.length === 0
    ? 'off'
    : ranges.map(([start, end]) => `${formatClock(start)}-${formatClock(end)}`).join(',');
}

/** Joins consecutive days with the same hours into one rule; closed days need none. */
export function osmWeek(hours: readonly (string | undefined)[]): string[] {
  const rules: string[] = [];
  for (let from = 0; from < OSM_DAYS.length;) {
    const text = hours[from];
    let to = from;
    while (to + 1 < OSM_DAYS.length && hours[to + 1] === text) to++;
    const days = from === to ? OSM_DAYS[from] : `${OSM_DAYS[from] ?? ''}-${OSM_DAYS[to] ?? ''}`;
    if (text !== undefined && text !== 'off') rules.push(`${days ?? ''} ${text}`);
    from = to + 1;
  }
  return rules;
}

/** Converts rules to OSM's syntax. A rule for fewer days wins, then the later one. Other days are closed. */
export function toOsmText(rules: readonly PlainRule[]): string {
  const hours: (string | undefined)[] = [];
  for (const { days, ranges } of rules.toSorted((a, b) => b.days.length - a.days.length)) {
    for (const day of days) hours[day] = osmRanges(ranges);
  }
  const week = osmWeek(hours);
  // With a semicolon, the rule for the next day would cut off the night before it.
  const pastMidnight = rules.some(({ ranges }) => ranges.some(([start, end]) => end <= start));
  const weekText = week.length === 0 ? 'off' : week.join(pastMidnight ? ', ' : '; ');
  const holidays = hours[HOLIDAYS];
  return holidays === undefined ? weekText : `${weekText}; PH ${holidays}`;
}
