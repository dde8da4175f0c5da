import { whenNeeded } from '../../../core/memory/when-needed.ts';

const english = whenNeeded(() => new Intl.NumberFormat('en'));

/** A number as people read it: 24016 becomes 24,016. */
export function figure(value: number): string {
  return english().format(value);
}

/** A number with its noun: 1 place, 24,016 places. */
export function count(value: number, singular: string, plural = `${singular}s`): string {
  return `${figure(value)} ${value === 1 ? singular : plural}`;
}

/** A word of the wire as people read it: night_market becomes Night market. */
export function sentenceCase(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1).replaceAll('_', ' ');
}

/** Seconds as a person would say them. */
export function waitWords(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

/** The days as hours name them, and as people do. */
export const DAYS = [
  ['mon', 'Monday'],
  ['tue', 'Tuesday'],
  ['wed', 'Wednesday'],
  ['thu', 'Thursday'],
  ['fri', 'Friday'],
  ['sat', 'Saturday'],
  ['sun', 'Sunday'],
] as const;
