import { lazy } from '../memory/lazy.ts';

const english = lazy(() => new Intl.NumberFormat('en'));

export function formatNumber(value: number): string {
  return english().format(value);
}

export function formatCount(value: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(value)} ${value === 1 ? singular : plural}`;
}
