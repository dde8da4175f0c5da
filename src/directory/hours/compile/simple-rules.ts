import { DAY_MINUTES, type DayHours, type MinuteSpan, type WeekHours } from './compiled-hours.ts';

const DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
/** Index of public holidays, after the days of the week. */
const HOLIDAY = 7;
const DAY = '(?:Mo|Tu|We|Th|Fr|Sa|Su|PH)';
const TIME = String.raw`\d\d:[0-5]\d-\d\d:[0-5]\d`;
const RULE = new RegExp(
  `^(?:(?<days>${DAY}(?:(?:-|, ?)${DAY})*) )?(?<times>${TIME}(?:, ?${TIME})*|off|closed)$`,
);
const ADDED_RULE = new RegExp(`(?<=\\d), ?(?=${DAY})`);

interface Rule {
  /** Undefined means every day. */
  readonly days: ReadonlySet<number> | undefined;
  readonly spans: DayHours;
  /** True when the rule adds to earlier rules; otherwise it replaces them on its days. */
  readonly adds: boolean;
}

interface SimpleHours {
  readonly week: WeekHours;
  /** Hours of a public holiday by weekday; null where the text does not mention holidays. */
  readonly holidays: WeekHours | null;
}

function readDays(text: string): Set<number> | null {
  const days = new Set<number>();
  for (const part of text.split(/, ?/)) {
    const [from, to, ...rest] = part.split('-').map((name) => (name === 'PH' ? HOLIDAY : DAYS.indexOf(name)));
    if (from === undefined || rest.length > 0 || (to !== undefined && (from === HOLIDAY || to === HOLIDAY)))
      return null;
    for (let day = from; ; day = (day + 1) % DAYS.length) {
      days.add(day);
      if (day === (to ?? from)) break;
    }
  }
  return days;
}

function readSpan(text: string): MinuteSpan {
  const minute = (at: number): number =>
    Number(text.slice(at, at + 2)) * 60 + Number(text.slice(at + 3, at + 5));
  const [start, end] = [minute(0), minute(6)];
  return [start, end < start ? end + DAY_MINUTES : end];
}

function readRule(text: string, adds: boolean): Rule | null {
  const { days: dayText, times = '' } = RULE.exec(text)?.groups ?? {};
  const days = dayText === undefined ? undefined : readDays(dayText);
  const spans = times.includes(':') ? times.split(/, ?/).map(readSpan) : [];
  return times === '' || days === null || (adds && spans.length === 0) ? null : { days, spans, adds };
}

function readRules(text: string): Rule[] | null {
  const rules: Rule[] = [];
  for (const group of text.split(/ ?; ?/)) {
    for (const [at, part] of group.split(ADDED_RULE).entries()) {
      const rule = readRule(part, at > 0);
      // A later rule without days has a meaning in the library that is hard to reproduce.
      if (rule === null || (rule.days === undefined && rules.length > 0)) return null;
      rules.push(rule);
    }
  }
  return rules;
}

function hoursOn(rules: readonly Rule[], weekday: number, holiday: boolean): DayHours {
  let hours: MinuteSpan[] = [];
  for (const { days, spans, adds } of rules) {
    const applies = days === undefined || days.has(weekday) || (holiday && days.has(HOLIDAY));
    if (applies) hours = adds ? [...hours, ...spans] : [...spans];
  }
  return hours.sort((a, b) => a[0] - b[0]);
}

/** True for ordered spans that do not touch and do not begin at midnight, so that each is a single span of its day. */
function isOrdinary(hours: DayHours): boolean {
  if (hours.length === 1 && hours[0]?.[0] === 0) return hours[0][1] === DAY_MINUTES;
  return hours.every(([start, end], at) => {
    const next = hours[at + 1]?.[0] ?? DAY_MINUTES + start;
    return start > 0 && start < DAY_MINUTES && start < end && end < next;
  });
}

/**
 * Reads a text with only weekdays, public holidays, times and "off", as nine in ten have, without the library, which
 * takes a hundred times as long. Null for all others.
 */
export function readSimpleHours(text: string): SimpleHours | null {
  if (text === '24/7') return { week: DAYS.map(() => [[0, DAY_MINUTES]]), holidays: null };
  const rules = readRules(text);
  if (rules === null) return null;
  const week = DAYS.map((_, day) => hoursOn(rules, day, false));
  const mentionsHolidays = rules.some(({ days }) => days?.has(HOLIDAY) === true);
  const holidays = mentionsHolidays ? DAYS.map((_, day) => hoursOn(rules, day, true)) : null;
  return [...week, ...(holidays ?? [])].every(isOrdinary) ? { week, holidays } : null;
}
