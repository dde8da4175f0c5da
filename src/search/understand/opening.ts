import { clockText, DAY_MINUTES, type CompiledHours } from '../../directory/hours/compile/compiled-hours.ts';
import { isAlwaysOpen, isOpenInWeek, isOpenOnDay } from '../../directory/hours/weekly-hours.ts';
import dayParts from './lexicon/day-parts.json' with { type: 'json' };
import { WEEKDAYS } from './lexicon/lexicon.ts';

const DAY_HOURS = 24;
const WEEK_HOURS = 7 * DAY_HOURS;
const WEEKEND = [5, 6];

/** Condition on the regular week of a place. */
export interface WeekOpening {
  /** Hours of the week; a matching place is open in at least one of them. */
  hours: readonly number[];
  isMet(compiled: CompiledHours): boolean;
}

/**
 * Reads an opening that a text requests: a weekday, `weekend`, `around_clock`, a part of the day, or a minute of it as
 * in `at 1320` and `until 1680`. Undefined for `now`, which does not concern the regular week.
 */
export function weekOpening(opening: string): WeekOpening | undefined {
  if (opening === 'around_clock') return { hours: [0], isMet: isAlwaysOpen };
  const day = WEEKDAYS.indexOf(opening);
  const days = day >= 0 ? [day] : opening === 'weekend' ? WEEKEND : undefined;
  if (days !== undefined)
    return {
      hours: days.flatMap((one) => Array.from({ length: DAY_HOURS }, (_, hour) => one * DAY_HOURS + hour)),
      isMet: (compiled) => days.some((one) => isOpenOnDay(compiled, one)),
    };
  const minute = minuteOf(opening);
  if (minute === undefined) return undefined;
  const minutes = WEEKDAYS.map((_, one) => one * DAY_MINUTES + minute);
  return {
    hours: minutes.map((one) => Math.floor(one / 60) % WEEK_HOURS),
    isMet: (compiled) => minutes.some((one) => isOpenInWeek(compiled, one)),
  };
}

/** Returns the minute of the day at which a place must be open, on some day of the week. */
function minuteOf(opening: string): number | undefined {
  const [kind = '', minute] = opening.split(' ');
  if (minute !== undefined) return kind === 'until' ? Number(minute) - 1 : Number(minute);
  const part = dayParts[kind as keyof typeof dayParts] as number[] | undefined;
  return part?.[0] === undefined ? undefined : part[0] * 60;
}

/** Writes a requested opening for an answer: `sun`, `until 04:00`. */
export function openingText(opening: string): string {
  const [kind = '', minute] = opening.split(' ');
  return minute === undefined ? opening : `${kind} ${clockText(Number(minute))}`;
}
