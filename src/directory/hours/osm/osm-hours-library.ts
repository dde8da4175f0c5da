import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import { DAY_MINUTES } from '../compile/compiled-hours.ts';
import { type ZoneClock, zoneClock } from '../zone-clock.ts';
import { WallClockDate, workMeter } from './wall-clock-date.ts';
import { DAY_MS } from '../../../core/time.ts';

/** What working out the sun of a day costs, in the making of dates. */
const SUN_WORK = 200;
const SUN_EVENTS = ['dawn', 'sunrise', 'sunset', 'dusk'] as const;

/** Where a text applies: the sun, the holidays and the language of the words follow from it. */
export interface HoursPlace {
  readonly lat: number;
  readonly lng: number;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** ISO 3166-2, such as GB-ENG, the largest first, where they are known: some holidays hold in a part of a country. */
  readonly regions?: readonly string[];
  /** IANA name. */
  readonly timezone: string;
}

export interface HoursContext extends HoursPlace {
  readonly now: Date;
}

type StatePair = [open: boolean, change: WallClockDate | undefined, unknown: boolean];

/** The part of the library that is used here. It throws strings as well as errors. */
export interface OsmHours {
  isWeekStable(): boolean;
  getStatePair(date: WallClockDate): StatePair;
  getMatchingRule(date: WallClockDate): number | undefined;
  prettifyValue(options: { rule_index: number }): string;
  getStructuredWarnings(): { type: string }[];
}

type OsmHoursClass = new (text: string, nominatim: object, options: object) => OsmHours;
type SunTimes = Record<(typeof SUN_EVENTS)[number], Date | null>;
type WallClockSunTimes = Record<string, WallClockDate | null>;
type GetTimes = (date: Date, lat: number, lng: number) => SunTimes;

/** A statement of the library as it was released, and as it runs here. */
type Mend = readonly [released: string, mended: string];

// The library lists and compiles hundreds of expressions anew for every text, some of them for every word. They are
// the same each time and keep no place in what they read, so that here they are made once: half the time of a text.
const MENDS: readonly Mend[] = [
  [
    'const correction_entries = Object.entries(data$1)',
    'const correction_entries = once.entries ??= Object.entries(data$1)',
  ],
  [
    'const phrase_correction_entries = correction_entries.filter',
    'const phrase_correction_entries = once.phrases ??= correction_entries.filter',
  ],
  ['const match = input.match(new RegExp(', 'const match = input.match(correction.atStart ??= new RegExp('],
  [
    `new RegExp('^' + entry.pattern + '$', 'iu').test(word)`,
    `(entry.whole ??= new RegExp('^' + entry.pattern + '$', 'iu')).test(word)`,
  ],
  [
    'const ERROR_TOLERANCE_REGEX = new RegExp(',
    'const ERROR_TOLERANCE_REGEX = once.tolerance ??= new RegExp(',
  ],
];

let library: OsmHoursClass | undefined;
/** The sun is worked out once a day; a text may ask for it many times. */
let sun = { clock: zoneClock('UTC'), days: new Map<number, WallClockSunTimes>() };

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
    once: {},
  };
  const run = compileFunction(mend(readFileSync(file, 'utf8')), Object.keys(scope), { filename: file });
  run.apply({}, Object.values(scope));
  return scope.module.exports as OsmHoursClass;
}

function mend(source: string): string {
  return MENDS.reduce((text, [released, mended]) => {
    const parts = text.split(released);
    if (parts.length !== 2) throw new Error('opening_hours has changed: look whether it is still mended.');
    return parts.join(mended);
  }, source);
}

/** The sun's times as the wall clock of the place shows them, for a day that is given by that wall clock. */
function wallClockSunTimes(getTimes: GetTimes) {
  return (date: WallClockDate, lat: number, lng: number): WallClockSunTimes => {
    const day = Math.floor(date.getTime() / DAY_MS);
    let times = sun.days.get(day);
    if (times === undefined) {
      workMeter.left -= SUN_WORK;
      const noon = sun.clock.instantOf((day + 0.5) * DAY_MINUTES);
      times = toWallClock(getTimes(new Date(noon), lat, lng), sun.clock);
      sun.days.set(day, times);
    }
    return times;
  };
}

function toWallClock(times: SunTimes, clock: ZoneClock): WallClockSunTimes {
  return Object.fromEntries(
    SUN_EVENTS.map((event) => {
      const at = times[event]?.getTime();
      return [event, at === undefined ? null : new WallClockDate(clock.localAt(at))];
    }),
  );
}

/** Reads a text or throws. */
export function parseOsmHours(text: string, place: HoursPlace): OsmHours {
  library ??= loadLibrary();
  const address = {
    country_code: place.country.toLowerCase(),
    // Of several levels the library takes the highest that it knows.
    ...Object.fromEntries((place.regions ?? []).map((code, at) => [`ISO3166-2-lvl${4 + at}`, code])),
  };
  return new library(text, { lat: String(place.lat), lon: String(place.lng), address }, { locale: 'en' });
}

/** Warnings that speak of the meaning, not of the style. */
const DOUBTS = new Set([
  'use_multi',
  'vague',
  'default_state',
  'ambiguous_word',
  'ambiguous_single_digit_hour',
  'interpreted_as_year',
]);

/** For warnings it looks for a change in the next five years, which takes long where there is none. */
const WARNINGS_WORK_MAX = 10_000;

/** Whether the library itself is not sure. In "Tu 17:00-23:00 We 17:00-22:00" it runs days and times together. */
export function libraryDoubts(hours: OsmHours): boolean {
  try {
    return withinWork(WARNINGS_WORK_MAX, () => hours.getStructuredWarnings()).some(({ type }) =>
      DOUBTS.has(type),
    );
  } catch {
    return true;
  }
}

/** One rule of a text as a text of its own, or null where that takes too long. */
export function ruleText(hours: OsmHours, index: number): string | null {
  try {
    return withinWork(WARNINGS_WORK_MAX, () => hours.prettifyValue({ rule_index: index }));
  } catch {
    return null;
  }
}

/** Whether a text was refused only because the library has no dates of the public holidays that it mentions. */
export function isMissingHolidays(error: unknown): boolean {
  return typeof error === 'string' && error.includes('There are no holidays (PH)');
}

/** A part of the work that has an own, smaller limit. */
function withinWork<T>(limit: number, task: () => T): T {
  const allowed = Math.min(workMeter.left, limit);
  const kept = workMeter.left - allowed;
  workMeter.left = allowed;
  try {
    return task();
  } finally {
    workMeter.left += kept;
  }
}

/** Runs a task that uses the library, within an amount of work after which the library throws `WorkExhausted`. */
export function withWork<T>(work: number, now: Date, timezone: string, task: () => T): T {
  const before = { ...workMeter };
  workMeter.left = work;
  workMeter.now = zoneClock(timezone).localAt(now.getTime());
  sun = { clock: zoneClock(timezone), days: new Map() };
  try {
    return task();
  } finally {
    Object.assign(workMeter, before);
  }
}
