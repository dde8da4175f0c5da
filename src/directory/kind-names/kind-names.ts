import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownValue } from '../../core/input/own-value.ts';
import { lazy } from '../../core/memory/lazy.ts';

interface LanguageNames {
  kinds: Readonly<Record<string, string>>;
  cuisines: Readonly<Record<string, string>>;
}

export const KIND_NAMES_FILE = join(import.meta.dirname, 'kind-names.json');

/** Names by language other than English, made by `npm run vocabulary`. */
const names = lazy(
  () => JSON.parse(readFileSync(KIND_NAMES_FILE, 'utf8')) as Readonly<Record<string, LanguageNames>>,
);

/** Returns the name of a kind of place in a language, for use within a sentence. */
export function kindNameIn(language: string, kind: string): string | undefined {
  return ownValue(ownValue(names(), language)?.kinds ?? {}, kind);
}

export function cuisineNameIn(language: string, cuisine: string): string | undefined {
  return ownValue(ownValue(names(), language)?.cuisines ?? {}, cuisine);
}
