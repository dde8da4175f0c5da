import { type CompiledHours, DAY_MINUTES, formatLocalMinute } from './compile/compiled-hours.ts';
import { isOpenAt, openAt } from './open-at.ts';
import { instantOfLocalMinute, localMinuteOf } from './zone-clock.ts';

/** Describes when a closed place is open on the local day of an instant, or else when it opens next. */
export function openInstead(compiled: CompiledHours, timezone: string, instant: Date): string {
  const local = (at: Date) => formatLocalMinute(localMinuteOf(timezone, at));
  const ranges = openOnDayOf(compiled, timezone, instant).map(([from, until]) => {
    const end = local(until).slice(11);
    return `${local(from).slice(11)}-${end === '00:00' ? '24:00' : end}`;
  });
  if (ranges.length > 0) return `On that day it is open ${ranges.join(' and ')}.`;
  const { until } = openAt(compiled, timezone, instant);
  if (until === null || isOpenAt(compiled, timezone, until) !== true) return 'It is closed all that day.';
  return `It is closed all that day and opens next at ${local(until).replace('T', ' ')}.`;
}

function openOnDayOf(compiled: CompiledHours, timezone: string, instant: Date): [from: Date, until: Date][] {
  const midnight = Math.floor(localMinuteOf(timezone, instant) / DAY_MINUTES) * DAY_MINUTES;
  const end = instantOfLocalMinute(timezone, midnight + DAY_MINUTES);
  const ranges: [Date, Date][] = [];
  for (let at = instantOfLocalMinute(timezone, midnight); at < end;) {
    const { open, until } = openAt(compiled, timezone, at);
    if (open === true) ranges.push([at, until ?? end]);
    at = until ?? end;
  }
  return ranges;
}
