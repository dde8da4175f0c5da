import { DAYS } from './fields.ts';

const CLOSED = /^(x|-|off|closed|geschlossen|ferme|fermé|cerrado|chiuso|fechado|gesloten)$/i;
const ALL_DAY = /^(24 ?(h|hours)|24\/7|open 24 hours|00:00 ?[-–] ?(24:00|00:00|23:59))$/i;
const TIME = /(\d{1,2})(?:[:.h](\d{2}))?\s*(am|pm|a\.m\.|p\.m\.)?/;
const SPAN = new RegExp(`${TIME.source}\\s*(?:-|–|—|to|bis|à|a)\\s*${TIME.source}`, 'gi');
const HALF = /\d\s*[ap]\.?m\b/i;
const SPECIAL = /(\d{4})-(\d{2})-(\d{2})\s*:\s*(.*?)(?=,?\s*\d{4}-\d{2}-\d{2}\s*:|$)/g;
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Returns the hours of a week, given by day, in the form of OpenStreetMap; null when no day is given. */
export function hoursOfWeek(row: ReadonlyMap<string, string>): string | null {
  const rules = DAYS.flatMap((day) => {
    const text = row.get(day);
    return text === undefined ? [] : [`${day} ${spansOf(text) ?? text}`];
  });
  for (const [, year, month, day, text = ''] of (row.get('special_hours') ?? '').matchAll(SPECIAL)) {
    const spans = spansOf(text.trim());
    if (spans !== null) rules.push(`${year} ${MONTHS[Number(month) - 1]} ${day} ${spans}`);
  }
  return rules.length === 0 ? null : rules.join('; ');
}

/** Returns the spans of one day, or null when the text cannot be read; then it is kept as it is. */
function spansOf(text: string): string | null {
  if (CLOSED.test(text)) return 'off';
  if (ALL_DAY.test(text)) return '00:00-24:00';
  const hasHalves = HALF.test(text);
  const spans = [...text.matchAll(SPAN)].map(([, ...parts]) => {
    const [start, end] = [readTime(parts.slice(0, 3)), readTime(parts.slice(3))];
    start.half ??= end.half && halfBefore(start, { ...end, half: end.half });
    return hasHalves && (isUnclear(start) || isUnclear(end)) ? null : `${timeOf(start)}-${timeOf(end)}`;
  });
  const rest = text.replace(SPAN, '').replace(/[\s,;/&]|and|und|et|y|uhr|h/gi, '');
  return spans.length === 0 || spans.includes(null) || rest !== '' ? null : spans.join(',');
}

interface DayTime {
  hour: number;
  minute: string;
  half: 'a' | 'p' | undefined;
}

function readTime([hour = '0', minute = '00', half]: readonly (string | undefined)[]): DayTime {
  const letter = half?.[0]?.toLowerCase();
  return { hour: Number(hour), minute, half: letter === 'a' || letter === 'p' ? letter : undefined };
}

/** In "5-10 pm" and "9-5 pm" the first time is the last one of its name before the second. */
function halfBefore(start: DayTime, end: DayTime & { half: 'a' | 'p' }): 'a' | 'p' | undefined {
  if (!isUnclear(start)) return undefined;
  const minutes = ({ hour, minute }: DayTime) => (hour % 12) * 60 + Number(minute);
  if (minutes(start) < minutes(end)) return end.half;
  return end.half === 'a' ? 'p' : 'a';
}

/** True for a time that may be in the morning or in the afternoon, among times that say so. */
function isUnclear({ hour, half }: DayTime): boolean {
  return half === undefined && hour >= 1 && hour <= 12;
}

function timeOf({ hour, minute, half }: DayTime): string {
  const hours = half === 'p' && hour < 12 ? hour + 12 : half === 'a' && hour === 12 ? 0 : hour;
  return `${String(hours).padStart(2, '0')}:${minute}`;
}
