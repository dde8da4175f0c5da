import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import { WallClockDate, workMeter } from './wall-clock-date.ts';
import { instantOfLocalMinute, zoneStretch } from './zone-clock.ts';

const MINUTE_MS = 60_000;
const SUN_EVENTS = ['dawn', 'sunrise', 'sunset', 'dusk'] as const;

/** Where a text applies: the sun, the holidays and the language of the words follow from it. */
export interface HoursPlace {
  readonly lat: number;
  readonly lng: number;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** ISO 3166-2, such as GB-ENG, where it is known: some holidays hold in a part of a country only. */
  readonly region?: string;
  /** IANA name. */
  readonly timezone: string;
}

type StatePair = [open: boolean, change: WallClockDate | undefined, unknown: boolean];

/** The part of the library that is used here. It throws strings as well as errors. */
export interface OsmHours {
  isWeekStable(): boolean;
  getStatePair(date: WallClockDate): StatePair;
  getMatchingRule(date: WallClockDate): number | undefined;
  prettifyValue(options: { rule_index: number }): string;
}

type OsmHoursClass = new (text: string, nominatim: object, options: object) => OsmHours;
type SunTimes = Record<(typeof SUN_EVENTS)[number], Date | null>;
type GetTimes = (date: Date, lat: number, lng: number) => SunTimes;

let library: OsmHoursClass | undefined;
let sunZone = 'UTC';

/**
 * The library is loaded with its `Date` and `console` replaced. `Date`, because it computes in the time zone of the
 * process; `console`, because it prints about holidays that it does not know.
 */
function loadLibrary(): OsmHoursClass {
  const file = createRequire(import.meta.url).resolve('opening_hours');
  const { getTimes } = createRequire(file)('suncalc') as { getTimes: GetTimes };
  const scope = {
    module: { exports: {} },
    exports: {},
    require: () => ({ getTimes: wallClockSunTimes(getTimes) }),
    Date: WallClockDate,
    console: { error: () => undefined, warn: () => undefined },
  };
  const run = compileFunction(readFileSync(file, 'utf8'), Object.keys(scope), { filename: file });
  run.apply({}, Object.values(scope));
  return scope.module.exports as OsmHoursClass;
}

/** The sun's times as the wall clock of the place shows them, for a day that is given by that wall clock. */
function wallClockSunTimes(getTimes: GetTimes) {
  return (date: WallClockDate, lat: number, lng: number): Record<string, WallClockDate | null> => {
    const instant = instantOfLocalMinute(sunZone, Math.floor(date.getTime() / MINUTE_MS));
    const times = getTimes(new Date(instant), lat, lng);
    return Object.fromEntries(
      SUN_EVENTS.map((event) => {
        const at = times[event]?.getTime();
        return [event, at === undefined ? null : new WallClockDate(at + zoneStretch(sunZone, at).offset)];
      }),
    );
  };
}

/** Reads a text or throws. */
export function parseOsmHours(text: string, place: HoursPlace): OsmHours {
  library ??= loadLibrary();
  const address = {
    country_code: place.country.toLowerCase(),
    ...(place.region === undefined ? {} : { 'ISO3166-2-lvl4': place.region }),
  };
  return new library(text, { lat: String(place.lat), lon: String(place.lng), address }, { locale: 'en' });
}

/** Runs a task that uses the library, within an amount of work after which the library throws `WorkExhausted`. */
export function withWork<T>(work: number, now: Date, timezone: string, task: () => T): T {
  const before = { ...workMeter, sunZone };
  workMeter.left = work;
  workMeter.now = now.getTime() + zoneStretch(timezone, now.getTime()).offset;
  sunZone = timezone;
  try {
    return task();
  } finally {
    workMeter.left = before.left;
    workMeter.now = before.now;
    sunZone = before.sunZone;
  }
}
