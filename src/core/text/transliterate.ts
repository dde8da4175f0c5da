import { createRequire } from 'node:module';
import type * as Transliteration from 'transliteration';
import { lazy } from '../memory/lazy.ts';

// Loaded on demand: its tables take longer to load than most of the service, and few texts need them.
const library = lazy(() => createRequire(import.meta.url)('transliteration') as typeof Transliteration);

export function transliterate(text: string): string {
  return library().transliterate(text);
}
