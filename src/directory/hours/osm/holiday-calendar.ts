import { DAY_MINUTES } from '../compile/compiled-hours.ts';
import { type HoursPlace, parseOsmHours, withWork } from './osm-hours-library.ts';
import { WallClockDate } from './wall-clock-date.ts';
import { MINUTE_MS } from '../../../core/time.ts';

/** Margin around the window, for rules about the day before or after a holiday. */
const MARGIN_DAYS = 7;
/** Additional days to read, so that the calendar need not be read again every day. */
const FRESH_DAYS = 60;
/** Work limit. One year of one country costs some fifty thousand; this only has to stop runaway evaluations. */
const WORK_MAX = 2_000_000;

/** A country that the library defines for its own tests, with New Year's Day as its only public holiday. */
export const STAND_IN_COUNTRY = 'xa';

/** Day numbers, `until` excluded. */
export interface DayWindow {
  readonly from: number;
  readonly until: number;
}

interface Calendar extends DayWindow {
  readonly holidays: ReadonlySet<number> | null;
}

const calendars = new Map<string, Calendar>();

/**
 * Returns the public holidays of a place as day numbers, at least those in and near a window; null where the library
 * has no data. Without a region only nationwide holidays are included.
 */
export function publicHolidays(
  place: HoursPlace,
  { from, until }: DayWindow,
  now: Date,
): ReadonlySet<number> | null {
  const key = `${place.country} ${(place.regions ?? []).join(' ')}`;
  let calendar = calendars.get(key);
  if (calendar === undefined || calendar.from > from - MARGIN_DAYS || calendar.until < until + MARGIN_DAYS) {
    calendar = readCalendar(place, from - FRESH_DAYS, until + FRESH_DAYS, now);
    calendars.set(key, calendar);
  }
  return calendar.holidays;
}

function readCalendar(place: HoursPlace, from: number, until: number, now: Date): Calendar {
  try {
    const holidays = withWork(WORK_MAX, now, place.timezone, () => {
      const hours = parseOsmHours('PH', place);
      const days = Array.from({ length: until - from }, (_, at) => from + at);
      return new Set(
        days.filter((day) => hours.getStatePair(new WallClockDate(day * DAY_MINUTES * MINUTE_MS))[0]),
      );
    });
    return { from, until, holidays };
  } catch {
    return { from, until, holidays: null };
  }
}
