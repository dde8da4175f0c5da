import { fileURLToPath } from 'node:url';
import { ownValue } from '../../core/input/own-value.ts';
import { cutAtWord, NAME_MAX } from '../../core/text/limits.ts';
import kindNames from './unnamed-kinds.json' with { type: 'json' };

/** Made from the tagging schema by `npm run vocabulary`. */
export const UNNAMED_KINDS_FILE = fileURLToPath(new URL('unnamed-kinds.json', import.meta.url));

type KindNames = Readonly<Record<string, string>>;

/** Names of the kinds that are kept without a name of their own, by language tag. */
const KIND_NAMES: Readonly<Record<string, KindNames>> = kindNames;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u;

/** A place whose name may have been generated from its kind and area. */
export interface GeneratedName {
  name: string;
  name_generated?: boolean | undefined;
  category?: string | undefined;
  area?: string | null | undefined;
}

/** True for a kind whose objects are kept without a name. */
export function hasKindName(category: string): boolean {
  return ownValue(KIND_NAMES, category) !== undefined;
}

/** Returns the English name of a place without a name: its kind and area. */
export function generatedName(category: string, area: string | null): string {
  return withArea(kindNamesOf(category)['en'] ?? category.replaceAll('_', ' '), area);
}

/** Returns the names of the kind by language; undefined for a place with a name, a brand or an operator. */
export function kindNamesIfGenerated(place: GeneratedName): KindNames | undefined {
  if (place.name_generated !== true || place.category === undefined) return undefined;
  const names = kindNamesOf(place.category);
  const english = names['en'];
  const isKind = place.name === english || place.name.startsWith(`${english ?? ''}, `);
  return english !== undefined && isKind ? names : undefined;
}

export function withArea(kind: string, area: string | null | undefined): string {
  if (area == null) return kind;
  return cutAtWord(UNSPACED.test(kind) ? `${kind}（${area}）` : `${kind}, ${area}`, NAME_MAX);
}

function kindNamesOf(category: string): KindNames {
  return ownValue(KIND_NAMES, category) ?? {};
}
