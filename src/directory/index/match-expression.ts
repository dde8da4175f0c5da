import { wordsOf } from '../fold.ts';
import { categoriesFor, categoryKey } from './synonyms.ts';
import { wholeName } from './tokens.ts';

/** What is asked of the index, with names already resolved. Lists are alternatives. */
export interface Filters {
  destination?: number | undefined;
  country?: string | undefined;
  category?: string | undefined;
  cuisine?: string | undefined;
  area?: string | undefined;
  city?: string | undefined;
  cells?: readonly string[] | undefined;
}

/** The filters as an FTS5 expression; undefined when there are none. */
export function filterExpression(filters: Filters): string | undefined {
  const { destination, country, category, cuisine, area, city, cells } = filters;
  const scope = destination === undefined ? '' : String(destination);
  const parts: (string | undefined)[] = [];
  if (country !== undefined) parts.push(quote(`c_${country.toLowerCase()}`));
  const kinds = [category, cuisine].filter((kind) => kind !== undefined).map(categoriesFor);
  const areaKey = area === undefined ? undefined : categoryKey(area);
  for (const [i, alternatives] of kinds.entries()) {
    // The area and the first kind are one token together; a second kind stands by itself.
    const head = areaKey !== undefined && scope !== '' && i === 0 ? `${scope}a_${areaKey}_k_` : `${scope}k_`;
    parts.push(anyOf(alternatives.map((kind) => (scope === '' ? `k_${kind}` : head + kind))));
  }
  if (areaKey !== undefined && (kinds.length === 0 || scope === '')) {
    parts.push(
      scope === ''
        ? allOf(wordsOf(area ?? '').map((word) => `w_${word}`))
        : areaIn(scope, area ?? '', areaKey),
    );
  }
  if (city !== undefined) parts.push(allOf(wordsOf(city).map((word) => `${scope}w_${word}`)));
  if (cells !== undefined) parts.push(anyOf(cells));
  if (scope !== '' && kinds.length === 0 && area === undefined && city === undefined)
    parts.push(quote(scope));
  return join(parts);
}

function areaIn(scope: string, area: string, key: string): string {
  return `(${quote(`${scope}a_${key}`)} OR ${allOf(wordsOf(area).map((word) => `${scope}w_${word}`)) ?? '""'})`;
}

/**
 * The ways in which words may match, from the best to the weakest: the whole name, all words in the name, words in
 * the name or what the place is and where, the last word only begun.
 */
export function textStages(text: string, filters: Filters): string[] {
  const words = wordsOf(text).slice(0, WORDS_MAX);
  if (words.length === 0) return [];
  const scope = filters.destination === undefined ? '' : `${filters.destination}_`;
  const rest = filterExpression({
    ...filters,
    ...(restNeedsScope(filters) ? {} : { destination: undefined }),
  });
  const stages = [
    // A whole name is so rare that its list is short everywhere; only then is the destination looked at.
    join([
      quote(wholeName(text)),
      filters.destination === undefined ? undefined : quote(String(filters.destination)),
      rest,
    ]),
    join([allOf(words.map((word) => scope + word)), rest]),
    join([...meanings(words, filters.destination), rest]),
    join([...meanings(words.slice(0, -1), filters.destination), begun(words.at(-1) ?? '', scope), rest]),
  ];
  return stages.filter((stage) => stage !== undefined);
}

/** The same with other words in place of the misspelt ones. */
export function correctedStage(words: readonly (readonly string[])[], filters: Filters): string | undefined {
  const scope = filters.destination === undefined ? '' : `${filters.destination}_`;
  return join([
    ...words.map((alternatives) => anyOf(alternatives.map((word) => scope + word))),
    filterExpression(filters),
  ]);
}

const WORDS_MAX = 8;

function restNeedsScope({ category, cuisine, area, city }: Filters): boolean {
  return category !== undefined || cuisine !== undefined || area !== undefined || city !== undefined;
}

/** Each word, or two together such as "coffee shop", as part of a name, as a kind of place, or as part of an area. */
function meanings(words: readonly string[], destination: number | undefined): string[] {
  const scope = destination === undefined ? '' : String(destination);
  const parts: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const [word = '', next] = words.slice(i, i + 2);
    const pair = next === undefined ? [] : categoriesFor(`${word} ${next}`).slice(1);
    if (pair.length > 0) {
      parts.push(anyOf(pair.map((kind) => `${scope}k_${kind}`)) ?? '');
      i++;
      continue;
    }
    const name = scope === '' ? word : `${scope}_${word}`;
    parts.push(
      anyOf([name, ...categoriesFor(word).map((kind) => `${scope}k_${kind}`), `${scope}w_${word}`]) ?? '',
    );
  }
  return parts;
}

function begun(word: string, scope: string): string | undefined {
  return word.length < 2 ? undefined : `${quote(scope + word)} *`;
}

function anyOf(tokens: readonly string[]): string | undefined {
  return tokens.length === 0 ? undefined : `(${tokens.map(quote).join(' OR ')})`;
}

function allOf(tokens: readonly string[]): string | undefined {
  return tokens.length === 0 ? undefined : `(${tokens.map(quote).join(' AND ')})`;
}

function join(parts: readonly (string | undefined)[]): string | undefined {
  const kept = parts.filter((part) => part !== undefined && part !== '');
  return kept.length === 0 ? undefined : kept.join(' AND ');
}

function quote(token: string): string {
  return `"${token.replaceAll('"', '')}"`;
}
