import { fold } from '../../core/text/fold.ts';

/** Normalizes a category or an area to its stored and indexed form: folded, with underscores. */
export function categoryKey(text: string): string {
  return fold(text).replaceAll(' ', '_');
}
