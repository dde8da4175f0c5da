import { fold } from '../../../core/text/fold.ts';

/** Names as they are compared: folded and without spaces, which mappers set as they like. */
export function nameKeys(names: Iterable<string>): string[] {
  const keys = [...names].map((name) => fold(name).replaceAll(' ', ''));
  return [...new Set(keys)].filter((key) => key !== '');
}
