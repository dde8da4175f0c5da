import {
  type CompiledHours,
  DAY_MINUTES,
  dateOfDay,
  clockText,
  weekdayOf,
  WEEKDAY_NAMES,
} from './compile/compiled-hours.ts';
import { isOpenAt, type OpenAt, openAt } from './open-at.ts';
import { localMinuteOf } from './zone-clock.ts';
import { memoizeText } from '../../core/memory/memoize-text.ts';

const WEEK_MINUTES = 7 * DAY_MINUTES;

interface OpenStatus {
  readonly open_now: boolean | null;
  readonly state: 'open' | 'closed_now' | 'unverified';
  readonly text: string;
  readonly next_change_at: string | null;
}

/** State by hours that are too old to be verified. */
export interface OpenByHours {
  readonly open: boolean;
  readonly until: Date | null;
  /** Date of the hours, YYYY-MM-DD. */
  readonly from: string;
}

/** The same state as in answers; empty for all other hours. */
interface OpenByHoursFields {
  open_by_hours?: boolean;
  hours_from?: string;
}

const UNVERIFIED: OpenStatus = {
  open_now: null,
  state: 'unverified',
  text: 'Hours are not verified.',
  next_change_at: null,
};

const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** Describes a later time: the clock alone within a day, with the weekday within a week, else with the date. */
function moment(timezone: string, now: Date, at: Date): { clock: string; named: string } {
  const minute = localMinuteOf(timezone, at);
  const ahead = minute - localMinuteOf(timezone, now);
  const day = Math.floor(minute / DAY_MINUTES);
  const time = clockText(minute);
  const named =
    ahead < WEEK_MINUTES - DAY_MINUTES
      ? (WEEKDAY_NAMES[weekdayOf(day)] ?? '')
      : DATE.format(new Date(dateOfDay(day)));
  return { clock: ahead < DAY_MINUTES ? time : `${named} ${time}`, named: `${named} ${time}` };
}

function openText(compiled: CompiledHours, timezone: string, now: Date, until: Date | null): string {
  if (until === null) return 'Open around the clock.';
  const closes = moment(timezone, now, until).clock;
  // The time after that may be uncertain, as in hours with an open end.
  return openAt(compiled, timezone, until).open === null
    ? `Open until at least ${closes} local time.`
    : `Open until ${closes} local time.`;
}

function closedText(compiled: CompiledHours, timezone: string, now: Date, until: Date | null): string {
  if (until === null || openAt(compiled, timezone, until).open === null) return 'Closed now.';
  return `Closed now; opens ${moment(timezone, now, until).named} local time.`;
}

const DATES_MAX = 5_000;
const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** States the date of hours: "hours from October 2024". */
export const hoursFromWords = memoizeText((date) => `hours from ${MONTH.format(new Date(date))}`, DATES_MAX);

/** Computes the state by hours of a date that `oldHoursDate` returned; null where they leave it unknown. */
export function openByOldHours(
  compiled: CompiledHours,
  timezone: string,
  date: string | null,
  instant: Date,
): OpenByHours | null {
  if (date === null) return null;
  const { open, until } = openAt(compiled, timezone, instant);
  if (open === null) return null;
  // Nobody is told that a place opens when it is only not known to be closed, as with hours by arrangement.
  const isUncertain = !open && until !== null && isOpenAt(compiled, timezone, until) === null;
  return { open, until: isUncertain ? null : until, from: date };
}

export function openByHoursFields(state: OpenByHours | null): OpenByHoursFields {
  return state === null ? {} : { open_by_hours: state.open, hours_from: state.from };
}

/** Describes the state by old hours: "usually opens 18:00 (hours from October 2024; call to check)". */
export function usualWords(
  state: OpenByHours,
  timezone: string,
  instant: Date,
  check = '; call to check',
): string {
  return `${usualState(state, timezone, instant)} (${hoursFromWords(state.from)}${check})`;
}

/** The same for a list of many places: "usually opens 18:00 · hours from 2024". */
export function shortUsualWords(state: OpenByHours, timezone: string, instant: Date): string {
  return `${usualState(state, timezone, instant)} · hours from ${state.from.slice(0, 4)}`;
}

function usualState({ open, until }: OpenByHours, timezone: string, instant: Date): string {
  const change = until === null ? null : moment(timezone, instant, until).clock;
  if (open) return change === null ? 'usually open around the clock' : `usually open until ${change}`;
  return change === null ? 'usually closed' : `usually opens ${change}`;
}

/** Describes whether a place is open. `compiled` is null where the text could not be read. */
export function describeOpenStatus(
  compiled: CompiledHours | null,
  { timezone, verified }: { timezone: string; verified: boolean },
  now: Date,
): OpenStatus {
  if (compiled === null || !verified) return UNVERIFIED;
  const { open, until }: OpenAt = openAt(compiled, timezone, now);
  const next_change_at = until?.toISOString() ?? null;
  if (open === null) {
    const text =
      compiled.doubtful === true ? UNVERIFIED.text : 'Whether it is open now is not certain; ask the place.';
    return { open_now: null, state: 'unverified', text, next_change_at };
  }
  const text = (open ? openText : closedText)(compiled, timezone, now, until);
  return { open_now: open, state: open ? 'open' : 'closed_now', text, next_change_at };
}
