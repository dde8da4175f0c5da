import { fold } from '../../../core/text/fold.ts';

/** Returns names for comparison: folded and without spaces, which mappers use inconsistently. */
export function nameKeys(names: Iterable<string>): string[] {
  const keys = [...names].map((name) => fold(name).replaceAll(' ', ''));
  return [...new Set(keys)].filter((key) => key !== '');
}
