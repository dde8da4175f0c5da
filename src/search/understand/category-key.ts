import { fold } from '../../core/text/fold.ts';

/** A category or an area as it is stored and indexed: folded, with underscores. */
export function categoryKey(text: string): string {
  return fold(text).replaceAll(' ', '_');
}
