import { type HoursContext, compileHours } from '../../../src/directory/hours/compile/compile-hours.ts';
import type { CompiledHours } from '../../../src/directory/hours/compile/compiled-hours.ts';
import { instantOfLocalMinute } from '../../../src/directory/hours/zone-clock.ts';
import { type OpenAt, openAt } from '../../../src/directory/hours/open-at.ts';

/** A Sunday, at noon in Berlin. */
export const BERLIN: HoursContext = {
  lat: 52.52,
  lng: 13.4,
  country: 'DE',
  timezone: 'Europe/Berlin',
  now: new Date('2026-11-15T11:00:00Z'),
};

export function compile(text: string, context: HoursContext = BERLIN): CompiledHours {
  const compiled = compileHours(text, context);
  if (compiled === null) throw new Error(`${text} was not compiled`);
  return compiled;
}

/** The instant of a local time such as 2026-12-25T09:30. */
export function local(time: string, timezone = BERLIN.timezone): Date {
  return instantOfLocalMinute(timezone, Date.parse(`${time}:00Z`) / 60_000);
}

export function at(compiled: CompiledHours, time: string, timezone = BERLIN.timezone): OpenAt {
  return openAt(compiled, timezone, local(time, timezone));
}

/** Open or not at a local time in Berlin, and the local time of the next change. */
export function told(text: string, time: string): string {
  const { open, until } = at(compile(text), time);
  const state = open === null ? 'unknown' : open ? 'open' : 'closed';
  const change = until?.toLocaleString('sv', {
    timeZone: BERLIN.timezone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return `${state} until ${change ?? 'ever'}`;
}
