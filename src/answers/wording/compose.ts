import type { Destination } from '../../directory/destinations.ts';
import {
  clockText,
  DAY_MINUTES,
  dateOfDay,
  weekdayOf,
  WEEKDAY_NAMES,
} from '../../directory/hours/compile/compiled-hours.ts';
import type { AskedTime } from '../../search/understand/question/time/read-time.ts';
import type { Question } from '../../search/understand/question/read-question.ts';
import type { Note } from './notes.ts';
import type { Detail, PlaceSentence } from './place-sentence.ts';

export const ANSWER_WORDS_MAX = 120;
export const PLACES_MAX = 3;
const WEEK_DAYS = 7;

export interface Composed {
  lead: string;
  places: PlaceSentence[];
  notes: string[];
}

export function joinAnswer(
  { lead, places, notes }: Composed,
  sentences = places.map(({ sentence }) => sentence),
): string {
  return [lead, ...sentences, ...notes].filter((part) => part !== '').join(' ');
}

export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

/**
 * Composes the longest answer that fits: drops details first, then optional notes, then places. With long names even
 * one place may exceed the limit.
 */
export function compose(
  lead: string,
  render: (detail: Detail) => PlaceSentence[],
  notes: readonly Note[],
): Composed {
  const needed = notes.filter((note) => note.needed);
  let last: Composed | undefined;
  for (const places of [PLACES_MAX, 2, 1])
    for (const included of places === PLACES_MAX ? [notes, needed] : [needed])
      for (const detail of [0, 1, 2] as const) {
        last = { lead, places: render(detail).slice(0, places), notes: included.map(({ text }) => text) };
        if (countWords(joinAnswer(last)) <= ANSWER_WORDS_MAX) return last;
      }
  return shortened(last ?? { lead, places: [], notes: [] });
}

function shortened(composed: Composed): Composed {
  let { notes } = composed;
  while (notes.length > 0 && countWords(joinAnswer({ ...composed, notes })) > ANSWER_WORDS_MAX)
    notes = notes.slice(0, -1);
  return { ...composed, notes };
}

/** Returns the opening words: the common location and, if requested, the opening time. */
export function leadOf(
  question: Question,
  destination: Destination,
  { localNow, open, near }: { localNow: number; open: boolean; near: boolean },
): string {
  const { areas, nearArea, time, landmark } = question;
  const area = areas.length === 1 && !near ? `${areas[0] ?? ''}, ` : '';
  const where =
    landmark !== undefined
      ? `near the place you named in ${destination.name}`
      : `${nearArea && area !== '' ? 'around' : 'in'} ${area}${destination.name}`;
  if (!open || time === undefined) return `${where.charAt(0).toUpperCase()}${where.slice(1)}:`;
  return time.now
    ? `Open now, at ${clockText(localNow)} local time, ${where}:`
    : `Open ${whenText(time, localNow)} local time, ${where}:`;
}

/** Formats "today at 19:30", "tomorrow, Sunday, at 12:30" or "on Friday at 20:00". */
export function whenText({ minute }: AskedTime, localNow: number): string {
  const day = Math.floor(minute / DAY_MINUTES);
  const ahead = day - Math.floor(localNow / DAY_MINUTES);
  const weekday = WEEKDAY_NAMES[weekdayOf(day)] ?? '';
  const at = `at ${clockText(minute)}`;
  if (ahead === 0) return `today ${at}`;
  if (ahead === 1) return `tomorrow, ${weekday}, ${at}`;
  return ahead > 0 && ahead < WEEK_DAYS ? `on ${weekday} ${at}` : `on ${weekday} ${dateOfDay(day)} ${at}`;
}
