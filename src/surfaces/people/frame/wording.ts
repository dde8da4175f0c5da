import { lazy } from '../../../core/memory/lazy.ts';

const english = lazy(() => new Intl.NumberFormat('en'));

/** Formats a number: 24016 becomes 24,016. */
export function formatNumber(value: number): string {
  return english().format(value);
}

/** Formats a number with its noun: 1 place, 24,016 places. */
export function formatCount(value: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(value)} ${value === 1 ? singular : plural}`;
}

/** Formats an API value for people: night_market becomes Night market. */
export function sentenceCase(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1).replaceAll('_', ' ');
}

/** Formats a duration in seconds, minutes or hours. */
export function formatWait(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

/** Day keys used in opening hours, with their English names. */
export const DAY_NAMES = [
  ['mon', 'Monday'],
  ['tue', 'Tuesday'],
  ['wed', 'Wednesday'],
  ['thu', 'Thursday'],
  ['fri', 'Friday'],
  ['sat', 'Saturday'],
  ['sun', 'Sunday'],
] as const;
