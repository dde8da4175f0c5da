import { wordsOf } from '../../core/text/fold.ts';
import { WEEKDAYS } from './lexicon/lexicon.ts';
import type { Part } from './phrase.ts';
import { readClock } from './question/time/read-clock.ts';

const DAYS = new Set([...WEEKDAYS, 'weekend']);
const NIGHT_ENDS = 6 * 60;
const DAY_MINUTES = 24 * 60;
const UNTIL =
  /(?<!\p{L})(?:until|till|til|bis|jusqu|hasta|fino|até|ate|tot|sampai|asti|saakka|do|до|まで)(?!\p{Ll})/iu;

/**
 * Completes the openings that a text requests. A day counts only beside a word for open, or behind a kind, because it is
 * also part of names ("Sunday Market"), and a time of the day only beside another word. A clock time beside a word for open replaces
 * its words: "open until 4am".
 */
export function readOpenings(text: string, parts: readonly Part[]): readonly Part[] {
  if (!parts.some(({ is }) => is === 'open')) return parts;
  const saysOpen = parts.some(({ is, values }) => is === 'open' && values.includes('now'));
  const hasSubject = parts.some(({ is }) => is !== 'open');
  const read = parts.map((part, at): Part => {
    if (part.is !== 'open' || part.values.includes('now')) return part;
    const isDay = part.values.some((one) => DAYS.has(one));
    const isBehindKind =
      at > 0 && parts.slice(0, at).every(({ is }) => is === 'kind' || is === 'cuisine' || is === 'open');
    return saysOpen || (hasSubject && !isDay) || isBehindKind ? part : { ...part, is: 'name', values: [] };
  });
  return saysOpen && /\d/.test(text) ? withClock(text, read) : read;
}

function withClock(text: string, parts: readonly Part[]): readonly Part[] {
  // Only the words of the time depend on the language. Without a.m. or p.m., small hours are those of the night.
  const clock = readClock(text, '1970-01-01', 'en');
  if (clock.minute === undefined || clock.minuteText === undefined) return parts;
  const words = new Set(wordsOf(clock.minuteText));
  const isTime = (part: Part) => part.is === 'name' && part.words.every((word) => words.has(word));
  if (!parts.some(isTime)) return parts;
  const isUntil = UNTIL.test(text);
  const minute = isUntil && clock.minute <= NIGHT_ENDS ? clock.minute + DAY_MINUTES : clock.minute;
  const rest = parts.filter((part) => !isTime(part));
  return rest.map((part) =>
    part.is === 'open' && part.values.includes('now')
      ? { ...part, values: [`${isUntil ? 'until' : 'at'} ${minute}`] }
      : part,
  );
}
