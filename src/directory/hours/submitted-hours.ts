import { type HoursContext, compileHours } from './compile/compile-hours.ts';
import type { CompiledHours } from './compile/compiled-hours.ts';
import { type PlainRule, readDays, readPlainRules, readRanges, toOsmText } from './plain-hours.ts';

interface HoursError {
  /** A JSON pointer into the submission. */
  readonly pointer: string;
  readonly detail: string;
}

export interface SubmittedHours {
  /** The submitted text; an object is converted to OSM's syntax, from which it can be compiled again. */
  readonly text: string;
  /** Null where the text could not be read, which is not an error. */
  readonly compiled: CompiledHours | null;
  /** Reasons why an object was refused; nothing is stored then. */
  readonly errors: readonly HoursError[];
}

export const HOURS_FORM =
  'Write Mo-Fr 09:00-17:00; Sa 10:00-14:00, or Mon-Fri 9am-5pm, or {"mon-fri": "09:00-17:00", "sun": "closed"}; with am and pm, or on the 24-hour clock.';

const POINTER = '/hours';
const KEY_DETAIL = 'Use a day, a range or a list of days, daily, weekdays, weekends or holidays.';
const VALUE_DETAIL = 'Use closed, 24h, or times such as 09:00-17:00, several of them separated by commas.';

function pointerTo(key: string): string {
  return `${POINTER}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Also accepts the output format of hours, [["09:00","17:00"]]. */
function rangesText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return null;
  const pairs = value.map((pair: unknown) =>
    Array.isArray(pair) && pair.length === 2 ? pair.join('-') : '',
  );
  return pairs.length === 0 ? 'closed' : pairs.join(',');
}

function readObject(value: Readonly<Record<string, unknown>>): { rules: PlainRule[]; errors: HoursError[] } {
  const rules: PlainRule[] = [];
  const errors: HoursError[] = [];
  for (const [key, hours] of Object.entries(value)) {
    const days = readDays(key);
    const ranges = readRanges(rangesText(hours) ?? '');
    if (days === null) errors.push({ pointer: pointerTo(key), detail: KEY_DETAIL });
    else if (ranges === null) errors.push({ pointer: pointerTo(key), detail: VALUE_DETAIL });
    else rules.push({ days, ranges });
  }
  if (rules.length === 0 && errors.length === 0) errors.push({ pointer: POINTER, detail: KEY_DETAIL });
  return { rules, errors };
}

/** Compiles submitted hours: an object of days, or a text in OSM's syntax or in plain English. */
export function compileSubmittedHours(
  value: string | Readonly<Record<string, unknown>>,
  context: HoursContext,
): SubmittedHours {
  if (typeof value === 'string') return { text: value, compiled: compileText(value, context), errors: [] };
  const { rules, errors } = readObject(value);
  const text = errors.length > 0 ? '' : toOsmText(rules);
  return { text, compiled: errors.length > 0 ? null : compileHours(text, context), errors };
}

/** A text that is ambiguous in OSM's syntax may still be clear in plain English. */
function compileText(text: string, context: HoursContext): CompiledHours | null {
  const compiled = compileHours(text, context);
  if (compiled !== null && compiled.doubtful !== true) return compiled;
  const rules = readPlainRules(text);
  return rules === null ? compiled : (compileHours(toOsmText(rules), context) ?? compiled);
}
