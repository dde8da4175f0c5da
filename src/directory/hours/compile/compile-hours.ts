import { type CompiledHours, DAY_MINUTES, type DayHours, dateOfDay, weekdayOf } from './compiled-hours.ts';
import { isDoubtful, normaliseHours } from '../hours-text.ts';
import { compileWithLibrary } from '../osm/compile-with-library.ts';
import { type DayWindow, publicHolidays } from '../osm/holiday-calendar.ts';
import { holidayRegions } from '../osm/holiday-region.ts';
import type { HoursContext } from '../osm/osm-hours-library.ts';
import { readSimpleHours } from './simple-rules.ts';
import { localMinuteOf } from '../zone-clock.ts';

export type { HoursContext } from '../osm/osm-hours-library.ts';

/** Days ahead for which holidays, seasons and dated rules are compiled; many, since hours are compiled rarely. */
export const HORIZON_DAYS = 400;

/**
 * Compiles a value in OSM's opening_hours syntax; null when it could not be read. Never throws. Its cost is bounded by
 * counting, not by a clock, so that the result is the same everywhere.
 */
export function compileHours(text: string, place: HoursContext): CompiledHours | null {
  const normal = normaliseHours(text);
  if (normal === null) return null;
  // Only rules for holidays depend on the region of the country.
  const regions = normal.includes('H') ? holidayRegions(place) : [];
  const context = { ...place, regions };
  const today = Math.floor(localMinuteOf(context.timezone, context.now) / DAY_MINUTES);
  // Yesterday's night may still be in progress.
  const window = { from: today - 1, until: today + HORIZON_DAYS };
  const compiled = compileSimple(normal, context, window) ?? compileWithLibrary(normal, context, window);
  return compiled !== null && isDoubtful(normal, compiled) ? { ...compiled, doubtful: true } : compiled;
}

function compileSimple(text: string, context: HoursContext, window: DayWindow): CompiledHours | null {
  const simple = readSimpleHours(text);
  if (simple === null) return null;
  const { week, holidays } = simple;
  if (holidays === null) return { week };
  const dates = publicHolidays(context, window, context.now);
  if (dates === null) return { week, holidays_unknown: true };
  const exceptions: Record<string, DayHours> = {};
  for (let day = window.from; day < window.until; day++) {
    const hours = holidays[weekdayOf(day)] ?? [];
    if (dates.has(day) && JSON.stringify(hours) !== JSON.stringify(week[weekdayOf(day)])) {
      exceptions[dateOfDay(day)] = hours;
    }
  }
  return {
    week,
    ...(Object.keys(exceptions).length > 0 ? { exceptions } : {}),
    from: dateOfDay(window.from),
    until: dateOfDay(window.until),
  };
}
