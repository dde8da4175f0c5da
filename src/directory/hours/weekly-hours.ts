import {
  type CompiledHours,
  DAY_MINUTES,
  type DayHours,
  type MinuteSpan,
  type WeekHours,
  dayNumber,
  formatClock,
  weekdayOf,
} from './compile/compiled-hours.ts';
import { osmWeek } from './plain-hours.ts';

const DAY_NAMES = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const HOUR_MINUTES = 60;
const DAY_HOURS = 24;
const WEEK_HOURS = 168;
const WEEK_MINUTES = 7 * DAY_MINUTES;

/** Output format: pairs of HH:MM for each day. An end at or before its start is on the next day. */
export type StructuredWeek = Record<(typeof DAY_NAMES)[number], [start: string, end: string][]>;

function isCertain(span: MinuteSpan): boolean {
  return span[2] === undefined;
}

function clockPair([start, end]: MinuteSpan): [string, string] {
  return [formatClock(start), formatClock(end > DAY_MINUTES ? end - DAY_MINUTES : end)];
}

/** Returns the ordinary week; null for doubtful hours and those without a certain span ("by appointment"). */
export function structuredWeek(compiled: CompiledHours): StructuredWeek | null {
  const spans = compiled.week.flat();
  if (compiled.doubtful === true || (spans.length > 0 && !spans.some(isCertain))) return null;
  const days = DAY_NAMES.map((name, day) => [
    name,
    (compiled.week[day] ?? []).filter(isCertain).map(clockPair),
  ]);
  return Object.fromEntries(days) as StructuredWeek;
}

/** True when hours have an ordinary week. Only such hours are ever verified. */
export function isUnderstood(compiled: CompiledHours): boolean {
  return structuredWeek(compiled) !== null;
}

/** Writes a week as text: consecutive days with the same hours are joined, and days that are not listed are closed. */
export function weekInWords(week: StructuredWeek): string {
  const days = DAY_NAMES.map((day) => week[day].map((range) => range.join('-')).join(',') || 'off');
  return osmWeek(days).join('; ') || 'never open';
}

/** True when a place never closes in its regular week. */
export function isAlwaysOpen({ week }: CompiledHours): boolean {
  return DAY_NAMES.every((_, day) =>
    week[day]?.some((span) => isCertain(span) && span[0] === 0 && span[1] >= DAY_MINUTES),
  );
}

/** True when a place certainly opens on a day of its regular week; 0 is Monday. */
export function isOpenOnDay({ week }: CompiledHours, day: number): boolean {
  return week[day]?.some(isCertain) ?? false;
}

/** True when a place is certainly open at a minute of its regular week; 0 is Monday 00:00. */
export function isOpenInWeek({ week }: CompiledHours, minute: number): boolean {
  return week.some((spans, day) =>
    spans.some((span) => {
      if (!isCertain(span)) return false;
      const after = minute - day * DAY_MINUTES;
      // A night that begins on Sunday ends in the next week.
      return [after, after + WEEK_MINUTES, after - WEEK_MINUTES].some(
        (one) => span[0] <= one && one < span[1],
      );
    }),
  );
}

/** Returns the hours of the local week (0 is Monday 00:00 to 01:00) in which the place may be open. */
export function openWeekHours(compiled: CompiledHours): number[] {
  if (compiled.doubtful === true) return [];
  const weeks: WeekHours[] = [compiled.week, ...(compiled.seasons ?? []).map(({ week }) => week)];
  const days: [weekday: number, hours: DayHours][] = [
    ...weeks.flatMap((week) => [...week.entries()]),
    ...Object.entries(compiled.exceptions ?? {}).map(([date, hours]): [number, DayHours] => [
      weekdayOf(dayNumber(date)),
      hours,
    ]),
  ];
  const open = new Set<number>();
  for (const [weekday, hours] of days) {
    for (const [start, end] of hours.filter(isCertain)) {
      const last = Math.floor((end - 1) / HOUR_MINUTES);
      for (let hour = Math.floor(start / HOUR_MINUTES); hour <= last; hour++) {
        open.add((weekday * DAY_HOURS + hour) % WEEK_HOURS);
      }
    }
  }
  return [...open].sort((a, b) => a - b);
}
