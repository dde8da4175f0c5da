import type { CategoryMatch, Tags } from '../categories.ts';
import words from './closed-words.json' with { type: 'json' };
import { tidySpaces } from './names.ts';

// "Closed" in the languages of map data, without words that also mean "indoors" or "covered".
const CLOSED = words.closed.join('|');
const SINCE = String.raw`(?:\s+(?:since|in|seit|depuis|desde|dal|en)?\s*[\d./-]{4,10})?`;
/** Matches only in brackets or next to a dash, because a bar may be called Closed. */
const SET_APART = new RegExp(
  String.raw`[([（【]\s*(?:${CLOSED})${SINCE}\s*[)\]）】]|^(?:${CLOSED})\s*[-–—:]\s+\S|\S\s+[-–—]\s*(?:${CLOSED})${SINCE}[.!]*$`,
  'iu',
);
/** Unambiguous expressions, which match anywhere. */
const FOR_GOOD = new RegExp(words.closedForGood.join('|'), 'iu');
const ENDS_IN_CLOSED = /\p{Ll}.*\sCLOSED[.!]*$/u;

// Hours that are closed without a day, a season or a temporary reason.
const NEVER_OPEN =
  /^(?:24\/7\s+|Mo-Su(?:,\s?PH)?\s+|PH,\s?Mo-Su\s+)?(?:closed|off)(?:\s+"[^"]*permanent[^"]*")?$|^"[^"]*permanently closed[^"]*"$/i;
const END_DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;
/** Attractions that count as closed if their hours say so. Others, such as a monument, need no hours. */
const WITH_DOORS = new Set(words.withDoors.split(' '));
const QUOTE_LENGTH_MAX = 80;

/** Prefixes of the notes of closure evidence from a map. */
export const MARKED_DISUSED = 'Marked as disused in the map';
export const CALLED_CLOSED = 'Called closed in the map';

/** Returns why a place is closed according to its tags, or null. An end date counts when the map is newer. */
export function closedByName(
  tags: Tags,
  { vertical, categories }: CategoryMatch,
  asOf: Date | null,
): string | null {
  const name = nameOfClosed(tags);
  if (name !== null) return `${CALLED_CLOSED}: its name there is “${shortened(name)}”.`;
  const hasDoors =
    vertical !== 'beach' &&
    (vertical !== 'attraction' || categories.some((category) => WITH_DOORS.has(category)));
  if (!hasDoors) return null;
  const hours = tags.get('opening_hours')?.trim() ?? '';
  if (NEVER_OPEN.test(hours)) return `${CALLED_CLOSED}: opening_hours=${shortened(hours)}.`;
  const ended = tags.get('end_date')?.trim() ?? '';
  return asOf !== null && isOver(ended, asOf) ? `${CALLED_CLOSED}: end_date=${ended}.` : null;
}

function nameOfClosed(tags: Tags): string | null {
  for (const [key, text] of tags) {
    if (key !== 'name' && !key.startsWith('name:')) continue;
    const name = tidySpaces(text);
    // Shops of a brand called Closed are not closed.
    if (tags.get('brand')?.toLowerCase() === 'closed' && /^closed\b/i.test(name)) continue;
    if (SET_APART.test(name) || FOR_GOOD.test(name) || ENDS_IN_CLOSED.test(name)) return name;
  }
  return null;
}

function shortened(text: string): string {
  return text.length <= QUOTE_LENGTH_MAX ? text : `${text.slice(0, QUOTE_LENGTH_MAX - 1).toWellFormed()}…`;
}

/** True when the year, month or day has ended by then. */
function isOver(text: string, asOf: Date): boolean {
  const [, year, month, day] = END_DATE.exec(text) ?? [];
  if (year === undefined) return false;
  const after =
    month === undefined
      ? Date.UTC(Number(year) + 1, 0)
      : Date.UTC(
          Number(year),
          Number(month) - (day === undefined ? 0 : 1),
          day === undefined ? 1 : Number(day) + 1,
        );
  return after <= asOf.getTime();
}
