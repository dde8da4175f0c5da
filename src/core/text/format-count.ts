import { lazy } from '../memory/lazy.ts';

const english = lazy(() => new Intl.NumberFormat('en'));

/** Formats a number: 24016 becomes 24,016. */
export function formatNumber(value: number): string {
  return english().format(value);
}

/** Formats a number with its noun: 1 place, 24,016 places. */
export function formatCount(value: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(value)} ${value === 1 ? singular : plural}`;
}
