import { type CompiledHours, type DayHours, type WeekHours, dateOfDay, weekdayOf } from './compiled-hours.ts';

/** A week pattern with fewer occurrences than this is stored day by day. */
const PATTERN_WEEKS_MIN = 3;
const WEEK_DAYS = 7;

interface Run {
  readonly week: WeekHours;
  readonly from: number;
  until: number;
}

type Folded = Required<Pick<CompiledHours, 'week' | 'seasons' | 'exceptions'>>;

/** Makes equal days the same object, so that they can be compared by identity. */
function shareEqualDays(days: readonly DayHours[]): DayHours[] {
  const shared = new Map<string, DayHours>();
  return days.map((hours) => {
    const key = JSON.stringify(hours);
    const first = shared.get(key) ?? hours;
    shared.set(key, first);
    return first;
  });
}

function differingDays(a: WeekHours, b: WeekHours): number {
  let count = 0;
  for (let at = 0; at < WEEK_DAYS; at++) if (a[at] !== b[at]) count++;
  return count;
}

/** Splits days into whole weeks from the first day on, each reordered so that Monday comes first. */
function splitIntoWeeks(days: readonly DayHours[], from: number): WeekHours[] {
  const weeks: WeekHours[] = [];
  for (let at = 0; at + WEEK_DAYS <= days.length; at += WEEK_DAYS) {
    const week: DayHours[] = [];
    for (let step = 0; step < WEEK_DAYS; step++) week[weekdayOf(from + at + step)] = days[at + step] ?? [];
    weeks.push(week);
  }
  return weeks;
}

/** Returns the weeks that recur, which are the ordinary weeks of the seasons; holidays make the others rare. */
function findPatterns(weeks: readonly WeekHours[]): WeekHours[] {
  const candidates: { week: WeekHours; count: number }[] = [];
  for (const week of weeks) {
    const match = candidates.find((candidate) => differingDays(candidate.week, week) === 0);
    if (match === undefined) candidates.push({ week, count: 1 });
    else match.count++;
  }
  return candidates.filter(({ count }) => count >= PATTERN_WEEKS_MIN).map(({ week }) => week);
}

function closest(week: WeekHours, patterns: readonly WeekHours[], otherwise: WeekHours): WeekHours {
  let best = otherwise;
  for (const pattern of patterns)
    if (differingDays(week, pattern) < differingDays(week, best)) best = pattern;
  return best;
}

/** Finds runs of weeks that are closest to one pattern, counted from the first week. */
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

/** Merges a short run into its neighbour, where its days become exceptions. */
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

/** Folds consecutive days, at least a week from `from` on, into an ordinary week, seasons and single exceptions. */
export function foldDays(dayHours: readonly DayHours[], from: number): Folded {
  const days = shareEqualDays(dayHours);
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
