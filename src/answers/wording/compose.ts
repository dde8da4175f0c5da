import type { Destination } from '../../directory/destinations.ts';
import { clockText, DAY_MINUTES, dateOfDay } from '../../directory/hours/compile/compiled-hours.ts';
import type { AskedTime } from '../../search/understand/question/time/read-time.ts';
import type { Question } from '../../search/understand/question/read-question.ts';
import type { AnswerLanguage } from '../language/answer-language.ts';
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

/** Characters that count as one word in scripts without spaces. */
const UNSPACED_WORD = 4;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

export function countWords(text: string): number {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.length + Math.floor((text.match(UNSPACED)?.length ?? 0) / UNSPACED_WORD);
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
  { text, weekday }: AnswerLanguage,
  question: Question,
  destination: Destination,
  { localNow, open, near }: { localNow: number; open: boolean; near: boolean },
): string {
  const { areas, nearArea, time, landmark } = question;
  const area = areas.length === 1 && !near ? `${areas[0] ?? ''}, ` : '';
  const place = `${landmark === undefined ? area : ''}${destination.name}`;
  const around = nearArea && area !== '' ? 'where.around' : 'where.in';
  const where = text(landmark === undefined ? around : 'where.near', { place });
  if (!open || time === undefined) {
    const lead = text('lead.plain', { where });
    return `${lead.charAt(0).toUpperCase()}${lead.slice(1)}`;
  }
  if (time.now) return text('lead.openNow', { time: clockText(localNow), where });
  return text('lead.openThen', { when: whenText({ text, weekday }, time, localNow), where });
}

/** Formats "today at 19:30", "tomorrow, Sunday, at 12:30" or "on Friday before 20:00". */
function whenText(
  { text, weekday: weekdayOf }: Pick<AnswerLanguage, 'text' | 'weekday'>,
  { minute, before }: AskedTime,
  localNow: number,
): string {
  const day = Math.floor(minute / DAY_MINUTES);
  const ahead = day - Math.floor(localNow / DAY_MINUTES);
  const date = dateOfDay(day);
  const weekday = weekdayOf(date);
  const at =
    before === true
      ? text('time.before', { time: clockText(minute + 1) })
      : text('time.at', { time: clockText(minute) });
  if (ahead === 0) return text('when.today', { at });
  if (ahead === 1) return text('when.tomorrow', { weekday, at });
  return ahead > 0 && ahead < WEEK_DAYS
    ? text('when.weekday', { weekday, at })
    : text('when.date', { weekday, date, at });
}
