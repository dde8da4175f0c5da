import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import { DAY_MINUTES } from '../compile/compiled-hours.ts';
import { type ZoneClock, zoneClock } from '../zone-clock.ts';
import { WallClockDate, workMeter } from './wall-clock-date.ts';
import { assertPackageVersion } from '../../../core/package-version.ts';
import { DAY_MS } from '../../../core/time.ts';

/** Work units for computing the sun of a day; one unit is the creation of a date. */
const SUN_WORK = 200;
const SUN_EVENTS = ['dawn', 'sunrise', 'sunset', 'dusk'] as const;

/** Location of a text. It determines the sun, the holidays and the language of the words. */
export interface HoursPlace {
  readonly lat: number;
  readonly lng: number;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** ISO 3166-2, such as GB-ENG, the largest first, where known: some holidays apply to a part of a country. */
  readonly regions?: readonly string[];
  /** IANA name. */
  readonly timezone: string;
}

export interface HoursContext extends HoursPlace {
  readonly now: Date;
}

type StatePair = [open: boolean, change: WallClockDate | undefined, unknown: boolean];

/** The part of the library's interface that is used here. It throws strings as well as errors. */
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

/** The version whose statements are patched below. */
const PATCHED_VERSION = '3.15.0';

/** A patch: a statement of the released library, and its replacement. */
type Patch = readonly [released: string, patched: string];

// The library rebuilds and recompiles hundreds of expressions for every text, some of them for every word. They are the
// same each time and stateless, so that the patches build them once, which halves the time per text.
const PATCHES: readonly Patch[] = [
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
/** Sun times per day; a text may need them many times. */
let sun = { clock: zoneClock('UTC'), days: new Map<number, WallClockSunTimes>() };

/**
 * Loads the library with its `Date` and `console` replaced. `Date`, because it computes in the time zone of the
 * process; `console`, because it logs about holidays that it does not know.
 */
function loadLibrary(): OsmHoursClass {
  assertPackageVersion('opening_hours', PATCHED_VERSION, import.meta.url);
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
  const run = compileFunction(applyPatches(readFileSync(file, 'utf8')), Object.keys(scope), {
    filename: file,
  });
  run.apply({}, Object.values(scope));
  return scope.module.exports as OsmHoursClass;
}

function applyPatches(source: string): string {
  return PATCHES.reduce((text, [released, patched]) => {
    const parts = text.split(released);
    if (parts.length !== 2)
      throw new Error(`opening_hours ${PATCHED_VERSION} has no single statement: ${released}`);
    return parts.join(patched);
  }, source);
}

/** Sun times on the wall clock of the place, for a day of that wall clock. */
function wallClockSunTimes(getTimes: GetTimes) {
  return (date: WallClockDate, lat: number, lng: number): WallClockSunTimes => {
    return sun.days.getOrInsertComputed(Math.floor(date.getTime() / DAY_MS), (day) => {
      workMeter.left -= SUN_WORK;
      const noon = sun.clock.instantOf((day + 0.5) * DAY_MINUTES);
      return toWallClock(getTimes(new Date(noon), lat, lng), sun.clock);
    });
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

export function parseOsmHours(text: string, place: HoursPlace): OsmHours {
  library ??= loadLibrary();
  const address = {
    country_code: place.country.toLowerCase(),
    // The library uses the highest level that it knows.
    ...Object.fromEntries((place.regions ?? []).map((code, at) => [`ISO3166-2-lvl${4 + at}`, code])),
  };
  return new library(text, { lat: String(place.lat), lon: String(place.lng), address }, { locale: 'en' });
}

/** Warnings about the meaning, not the style. */
const DOUBTS = new Set(
  'use_multi vague default_state ambiguous_word ambiguous_single_digit_hour interpreted_as_year'.split(' '),
);

/**
 * Work limit for warnings: the library searches the next five years for a change, which takes long where there is none.
 */
const WARNINGS_WORK_MAX = 10_000;

/** True when the library itself is uncertain. In "Tu 17:00-23:00 We 17:00-22:00" it runs days and times together. */
export function libraryDoubts(hours: OsmHours): boolean {
  try {
    return withinWork(WARNINGS_WORK_MAX, () => hours.getStructuredWarnings()).some(({ type }) =>
      DOUBTS.has(type),
    );
  } catch {
    return true;
  }
}

/** Returns one rule of a text as a separate text; null where that takes too long. */
export function ruleText(hours: OsmHours, index: number): string | null {
  try {
    return withinWork(WARNINGS_WORK_MAX, () => hours.prettifyValue({ rule_index: index }));
  } catch {
    return null;
  }
}

/** True when a text was refused only because the library has no dates for the public holidays in it. */
export function isMissingHolidays(error: unknown): boolean {
  return typeof error === 'string' && error.includes('There are no holidays (PH)');
}

/** Runs a part of the work with a smaller limit of its own. */
function withinWork<T>(limit: number, task: () => T): T {
  const allowed = Math.min(workMeter.left, limit);
  const reserved = workMeter.left - allowed;
  workMeter.left = allowed;
  try {
    return task();
  } finally {
    workMeter.left += reserved;
  }
}

/** Runs a task that uses the library, with a work limit beyond which the library throws `WorkExhausted`. */
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
