import rows from './category-table.json' with { type: 'json' };
import { VERTICALS, type Vertical } from './verticals.ts';

export type Tags = ReadonlyMap<string, string>;

interface Meaning {
  readonly vertical: Vertical;
  readonly category: string;
  /** Sorted by the rank of the vertical, then by the row of the table. */
  readonly order: number;
}

export interface CategoryMatch {
  vertical: Vertical;
  /** All matching categories; the first one decided the vertical. */
  categories: string[];
}

/**
 * Maps tags to verticals and categories: vertical, tag key, values. `value>category` renames; `*` matches every value
 * that no other row lists, as a category of its own. Objects that match no row (offices, schools, springs …)
 * are of no interest to travellers.
 */
export const CATEGORY_TABLE = rows as unknown as readonly (readonly [
  vertical: Vertical,
  key: string,
  values: string,
])[];
const ANY = '*';
// Free text in a tag, such as a sentence, does not become a category.
const PLAIN_VALUE = /^[a-z][a-z0-9_-]{1,39}$/;
const VACANT = new Set(['vacant', 'empty', 'disused', 'closed', 'abandoned']);
const NO_VALUE = new Set(['no', 'none']);
// Memorial stones in pavements and memorial benches exist in the thousands; nobody looks for one by name.
const MINOR_MEMORIALS = new Set(['stolperstein', 'bench', 'ghost_bike']);

export const meanings = readTable();

/** Tag keys that can make an object a place of interest. */
export const CATEGORY_KEYS: readonly string[] = [...meanings.keys()];

function readTable(): Map<string, Map<string, Meaning>> {
  const byKey = new Map<string, Map<string, Meaning>>();
  for (const [row, [vertical, key, values]] of CATEGORY_TABLE.entries()) {
    const byValue = byKey.getOrInsertComputed(key, () => new Map<string, Meaning>());
    const rank = VERTICALS.indexOf(vertical) * CATEGORY_TABLE.length;
    for (const entry of values.split(' ')) {
      const [value = '', category = value] = entry.split('>');
      byValue.set(value, { vertical, category, order: rank + row });
    }
  }
  return byKey;
}

function meaningOf(byValue: ReadonlyMap<string, Meaning>, value: string): Meaning | null {
  const meaning = byValue.get(value.toLowerCase());
  if (meaning !== undefined) return meaning;
  const any = byValue.get(ANY);
  if (any === undefined || value === '' || VACANT.has(value) || NO_VALUE.has(value)) return null;
  return PLAIN_VALUE.test(value) ? { ...any, category: value } : any;
}

/**
 * A resort that takes an entrance fee is visited, not slept in. A sports centre for swimming is a pool too, one for
 * skiing is a part of a ski resort.
 */
function valuesOf(value: string, tags: Tags): string[] {
  if (value === 'resort' && tags.get('fee') === 'yes') return ['resort_with_fee'];
  const sports = value === 'sports_centre' ? (tags.get('sport')?.split(';') ?? []) : [];
  if (sports.includes('skiing')) return ['ski_resort'];
  return sports.includes('swimming') ? [value, 'swimming_pool'] : [value];
}

/** Returns the category that the tags give an object, or null when it is of no interest to travellers. */
export function classify(tags: Tags): CategoryMatch | null {
  const matches: Meaning[] = [];
  for (const [key, tag] of tags) {
    const byValue = meanings.get(key);
    if (byValue === undefined) continue;
    if (key === 'historic' && MINOR_MEMORIALS.has(tags.get('memorial') ?? '')) continue;
    for (const value of tag.split(';').flatMap((part) => valuesOf(part.trim(), tags))) {
      const meaning = meaningOf(byValue, value);
      if (meaning !== null) matches.push(meaning);
    }
  }
  matches.sort((a, b) => a.order - b.order);
  const [first] = matches;
  if (first === undefined) return null;
  return { vertical: first.vertical, categories: [...new Set(matches.map(({ category }) => category))] };
}

const words = readWords();

/** Maps values and categories as plain words, for sources that state a kind without the tag key. */
function readWords(): Map<string, Meaning> {
  const byWord = new Map<string, Meaning>();
  for (const byValue of meanings.values()) {
    for (const [value, meaning] of byValue) {
      for (const word of value === ANY ? [] : [value, meaning.category]) {
        const current = byWord.get(word);
        if (current === undefined || current.order > meaning.order) byWord.set(word, meaning);
      }
    }
  }
  // `yes` does not describe a kind under any key.
  byWord.delete('yes');
  return byWord;
}

export function classifyWord(word: string): CategoryMatch | null {
  const meaning = words.get(word.trim().toLowerCase().replaceAll(' ', '_'));
  return meaning === undefined ? null : { vertical: meaning.vertical, categories: [meaning.category] };
}

/** True when the object is a vacant shop or the like. */
export function isVacant(tags: Tags): boolean {
  return ['shop', 'amenity', 'craft', 'office'].some((key) => VACANT.has(tags.get(key) ?? ''));
}
