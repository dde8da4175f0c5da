import { createRequire } from 'node:module';
import type * as Transliteration from 'transliteration';
import { whenNeeded } from '../memory/when-needed.ts';

// Its tables take longer to load than most of the service; few texts need them.
const library = whenNeeded(() => createRequire(import.meta.url)('transliteration') as typeof Transliteration);

/** The text in Latin letters, whatever its script. */
export function transliterate(text: string): string {
  return library().transliterate(text);
}
