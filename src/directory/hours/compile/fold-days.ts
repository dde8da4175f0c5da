import { type CompiledHours, type DayHours, type WeekHours, dateOfDay, weekdayOf } from './compiled-hours.ts';

/** A week pattern that returns less often than this is told day by day. */
const PATTERN_WEEKS_MIN = 3;
const WEEK_DAYS = 7;

interface Run {
  readonly week: WeekHours;
  readonly from: number;
  until: number;
}

type Folded = Required<Pick<CompiledHours, 'week' | 'seasons' | 'exceptions'>>;

/** Makes equal days the same object, so that they are compared by identity from here on. */
function shareEqualDays(days: readonly DayHours[]): DayHours[] {
  const shared = new Map<string, DayHours>();
  return days.map((hours) => {
    const key = JSON.stringify(hours);
    const known = shared.get(key) ?? hours;
    shared.set(key, known);
    return known;
  });
}

function differingDays(a: WeekHours, b: WeekHours): number {
  let count = 0;
  for (let at = 0; at < WEEK_DAYS; at++) if (a[at] !== b[at]) count++;
  return count;
}

/** Whole weeks from the first day on, each turned so that Monday comes first. */
function splitIntoWeeks(days: readonly DayHours[], from: number): WeekHours[] {
  const weeks: WeekHours[] = [];
  for (let at = 0; at + WEEK_DAYS <= days.length; at += WEEK_DAYS) {
    const week: DayHours[] = [];
    for (let step = 0; step < WEEK_DAYS; step++) week[weekdayOf(from + at + step)] = days[at + step] ?? [];
    weeks.push(week);
  }
  return weeks;
}

/** The weeks that occur again and again, which are the seasons' ordinary weeks; holidays make the others rare. */
function findPatterns(weeks: readonly WeekHours[]): WeekHours[] {
  const found: { week: WeekHours; count: number }[] = [];
  for (const week of weeks) {
    const known = found.find((candidate) => differingDays(candidate.week, week) === 0);
    if (known === undefined) found.push({ week, count: 1 });
    else known.count++;
  }
  return found.filter(({ count }) => count >= PATTERN_WEEKS_MIN).map(({ week }) => week);
}

function closest(week: WeekHours, patterns: readonly WeekHours[], otherwise: WeekHours): WeekHours {
  let best = otherwise;
  for (const pattern of patterns)
    if (differingDays(week, pattern) < differingDays(week, best)) best = pattern;
  return best;
}

/** Stretches of weeks, counted from the first, that come closest to one pattern. */
function findRuns(weeks: readonly WeekHours[], patterns: readonly WeekHours[], first: WeekHours): Run[] {
  const runs: Run[] = [];
  weeks.forEach((week, at) => {
    const last = runs.at(-1);
    const pattern = closest(week, patterns, last?.week ?? first);
    if (last?.week === pattern) last.until = at + 1;
    else runs.push({ week: pattern, from: at, until: at + 1 });
  });
  return runs;
}

/** A short run is left to its neighbour, whose exceptions its days become. */
function absorbShortRuns(runs: readonly Run[]): Run[] {
  const long: Run[] = [];
  for (const run of runs) {
    const last = long.at(-1);
    if (last === undefined) long.push(run);
    else if (last.week === run.week || run.until - run.from < PATTERN_WEEKS_MIN) last.until = run.until;
    else if (last.until - last.from < PATTERN_WEEKS_MIN) long[long.length - 1] = { ...run, from: last.from };
    else long.push(run);
  }
  return long;
}

/** Folds consecutive days, a week or more from `from` on, into an ordinary week, seasons and single exceptions. */
export function foldDays(given: readonly DayHours[], from: number): Folded {
  const days = shareEqualDays(given);
  const weeks = splitIntoWeeks(days, from);
  const patterns = findPatterns(weeks);
  const first = patterns[0] ?? weeks[0] ?? [];
  const runs = absorbShortRuns(findRuns(weeks, patterns, first));
  const week = runs[0]?.week ?? first;
  const seasons = runs.map((run, at) => ({
    from: from + run.from * WEEK_DAYS,
    until: from + (at === runs.length - 1 ? days.length : run.until * WEEK_DAYS),
    week: run.week,
  }));
  const exceptions: Record<string, DayHours> = {};
  days.forEach((hours, at) => {
    const day = from + at;
    const season = seasons.find((candidate) => day < candidate.until);
    if (hours !== season?.week[weekdayOf(day)]) exceptions[dateOfDay(day)] = hours;
  });
  const others = seasons.filter((season) => season.week !== week);
  return {
    week,
    seasons: others.map((season) => ({
      ...season,
      from: dateOfDay(season.from),
      until: dateOfDay(season.until),
    })),
    exceptions,
  };
}
