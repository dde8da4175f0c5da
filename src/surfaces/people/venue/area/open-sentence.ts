import { openAt } from '../../../../directory/hours/open-at.ts';
import { openByHoursOf, openStatusOf } from '../../../../directory/hours/place-open.ts';
import type { Place } from '../../../../directory/place/place.ts';
import type { AreaLanguage } from '../language/area-language.ts';

const WEEK_MS = 6 * 86_400_000;
const DAY_MS = 86_400_000;

/** States whether the place is open, as its page does, in the language of the area. */
export function openSentence(place: Place, timeZone: string, now: Date, language: AreaLanguage): string {
  const { area, locale } = language;
  if (place.closed_at !== null) return area('open.gone');
  const time = (at: Date, isNamed: boolean) => momentText(at, { locale, timeZone, now, isNamed });
  const usual = openByHoursOf(place, timeZone, now);
  if (usual !== null) {
    const { open, until, from } = usual;
    const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
    const hours = area('open.from', { month: month.format(new Date(from)) });
    if (until === null) return area(open ? 'open.usuallyAlways' : 'open.usuallyClosed', { hours });
    return area(open ? 'open.usuallyUntil' : 'open.usuallyOpens', { time: time(until, false), hours });
  }
  const { open_now: open, next_change_at } = openStatusOf(place, timeZone, now);
  const compiled = place.hours?.compiled ?? null;
  if (open === null || compiled === null) return area('open.unverified');
  if (next_change_at === null) return area(open ? 'open.always' : 'open.closed');
  const next = new Date(next_change_at);
  if (open) return area('open.until', { time: time(next, false) });
  // What follows may be uncertain, as in hours by arrangement.
  if (openAt(compiled, timeZone, next).open === null) return area('open.closed');
  return area('open.opens', { time: time(next, true) });
}

interface Reading {
  locale: string;
  timeZone: string;
  now: Date;
  /** True to name the day even when it is near. */
  isNamed: boolean;
}

/** Writes a later time: the clock alone within a day, with the weekday within a week, else with the date. */
function momentText(at: Date, { locale, timeZone, now, isNamed }: Reading): string {
  const ahead = at.getTime() - now.getTime();
  const day: Intl.DateTimeFormatOptions =
    ahead >= WEEK_MS
      ? { day: 'numeric', month: 'long' }
      : ahead >= DAY_MS || isNamed
        ? { weekday: 'long' }
        : {};
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const;
  return new Intl.DateTimeFormat(locale, { ...day, ...clock }).format(at);
}
