import { DAY_MINUTES, type DayHours, type MinuteSpan } from '../compile/compiled-hours.ts';
import { type HoursPlace, type OsmHours, parseOsmHours, ruleText } from './osm-hours-library.ts';
import { WallClockDate, WorkExhausted } from './wall-clock-date.ts';
import { MINUTE_MS } from '../../../core/time.ts';

const CHANGES_MAX = 200;
const UNKNOWN_DAY: DayHours = [[0, DAY_MINUTES, 'unknown']];

function wallClock(day: number, minute: number): WallClockDate {
  return new WallClockDate((day * DAY_MINUTES + minute) * MINUTE_MS);
}

/** Reads the spans of one day, minutes 0 to 1440. A day that the library cannot compute is unknown. */
export function readDay(hours: OsmHours, day: number): DayHours {
  try {
    return walkDay(hours, day);
  } catch (error) {
    if (error instanceof WorkExhausted) throw error;
    return UNKNOWN_DAY;
  }
}

function walkDay(hours: OsmHours, day: number): DayHours {
  const spans: MinuteSpan[] = [];
  let minute = 0;
  for (let changes = 0; minute < DAY_MINUTES; changes++) {
    if (changes > CHANGES_MAX) return UNKNOWN_DAY;
    const [open, change, unknown] = hours.getStatePair(wallClock(day, minute));
    const next = change === undefined ? DAY_MINUTES : change.getTime() / MINUTE_MS - day * DAY_MINUTES;
    // For a few values the library reports a change in the past, which would loop for ever.
    if (next <= minute) return UNKNOWN_DAY;
    const end = Math.min(next, DAY_MINUTES);
    if (open || unknown) addSpan(spans, unknown ? [minute, end, 'unknown'] : [minute, end]);
    minute = end;
  }
  return spans;
}

function addSpan(spans: MinuteSpan[], span: MinuteSpan): void {
  const last = spans.at(-1);
  if (last?.[1] === span[0] && last[2] === span[2]) spans[spans.length - 1] = withEnd(last, span[1]);
  else spans.push(span);
}

export function withEnd(span: MinuteSpan, end: number): MinuteSpan {
  return span[2] === undefined ? [span[0], end] : [span[0], end, span[2]];
}

/**
 * Returns a function that reads how far the night of a day extends into the next. In "Mo-Th 18:00-01:00; Fr
 * 18:00-03:00" the library lets the rule for Friday erase the last hour of Thursday's night, which the authors of such
 * texts do not intend. So the rule before midnight is evaluated alone, and its early hours of the next day are
 * returned.
 */
export function createNightReader(hours: OsmHours, place: HoursPlace): (day: number) => MinuteSpan | null {
  const alone = new Map<number, OsmHours | null>();
  const ruleAlone = (index: number): OsmHours | null =>
    alone.getOrInsertComputed(index, () => {
      const text = ruleText(hours, index);
      return text === null ? null : parseOsmHours(text, place);
    });
  return (day) => {
    const index = matchingRule(hours, day);
    const rule = index === undefined ? null : ruleAlone(index);
    const [early] = rule === null ? [] : readDay(rule, day + 1);
    return early?.[0] === 0 && early[1] < DAY_MINUTES ? early : null;
  };
}

function matchingRule(hours: OsmHours, day: number): number | undefined {
  try {
    return hours.getMatchingRule(wallClock(day, DAY_MINUTES - 1));
  } catch (error) {
    if (error instanceof WorkExhausted) throw error;
    return undefined;
  }
}
