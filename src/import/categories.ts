import { CATEGORY_TABLE } from './category-table.ts';
import { VERTICALS, type Vertical } from './verticals.ts';

export type Tags = ReadonlyMap<string, string>;

interface Meaning {
  readonly vertical: Vertical;
  readonly category: string;
  /** By the rank of the vertical, then by the row of the table. */
  readonly order: number;
}

export interface CategoryMatch {
  vertical: Vertical;
  /** All that matched, the one that decided the vertical first. */
  categories: string[];
}

const ANY = '*';
// A mapper's own spelling, such as a sentence in the tag, is not made into a category.
const PLAIN_VALUE = /^[a-z][a-z0-9_-]{1,39}$/;
const VACANT = new Set(['vacant', 'empty', 'disused', 'closed', 'abandoned']);
const NO_VALUE = new Set(['no', 'none']);
// Stones in the pavement and benches are memorials by the thousand; nobody looks for one by its name.
const MINOR_MEMORIALS = new Set(['stolperstein', 'bench', 'ghost_bike']);

const meanings = readTable();

/** The tag keys that can make an object a place of interest. */
export const CATEGORY_KEYS: readonly string[] = [...meanings.keys()];

function readTable(): Map<string, Map<string, Meaning>> {
  const byKey = new Map<string, Map<string, Meaning>>();
  for (const [row, [vertical, key, values]] of CATEGORY_TABLE.entries()) {
    const byValue = byKey.get(key) ?? new Map<string, Meaning>();
    byKey.set(key, byValue);
    const rank = VERTICALS.indexOf(vertical) * CATEGORY_TABLE.length;
    for (const entry of values.split(' ')) {
      const [value = '', category = value] = entry.split('>');
      byValue.set(value, { vertical, category, order: rank + row });
    }
  }
  return byKey;
}

/** A tag may hold several values, such as `nightclub;restaurant`. */
function valuesOf(tag: string): string[] {
  return tag.includes(';') ? tag.split(';').map((value) => value.trim()) : [tag.trim()];
}

function meaningOf(byValue: ReadonlyMap<string, Meaning>, value: string): Meaning | null {
  const known = byValue.get(value.toLowerCase());
  if (known !== undefined) return known;
  const any = byValue.get(ANY);
  if (any === undefined || value === '' || VACANT.has(value) || NO_VALUE.has(value)) return null;
  return PLAIN_VALUE.test(value) ? { ...any, category: value } : any;
}

/** What the tags make of an object for a traveller, or null when it is nothing for one. */
export function classify(tags: Tags): CategoryMatch | null {
  const found: Meaning[] = [];
  for (const [key, tag] of tags) {
    const byValue = meanings.get(key);
    if (byValue === undefined) continue;
    if (key === 'historic' && MINOR_MEMORIALS.has(tags.get('memorial') ?? '')) continue;
    for (const value of valuesOf(tag)) {
      const meaning = meaningOf(byValue, value);
      if (meaning !== null) found.push(meaning);
    }
  }
  found.sort((a, b) => a.order - b.order);
  const [first] = found;
  if (first === undefined) return null;
  return { vertical: first.vertical, categories: [...new Set(found.map(({ category }) => category))] };
}

const words = readWords();

/** Values and categories as plain words, for sources that name a kind without the tag key. */
function readWords(): Map<string, Meaning> {
  const byWord = new Map<string, Meaning>();
  for (const byValue of meanings.values()) {
    for (const [value, meaning] of byValue) {
      for (const word of value === ANY ? [] : [value, meaning.category]) {
        const known = byWord.get(word);
        if (known === undefined || known.order > meaning.order) byWord.set(word, meaning);
      }
    }
  }
  // Says nothing about a kind, whatever tag it stands in.
  byWord.delete('yes');
  return byWord;
}

/** The category that a single word such as `pub` stands for. */
export function classifyWord(word: string): CategoryMatch | null {
  const meaning = words.get(word.trim().toLowerCase().replaceAll(' ', '_'));
  return meaning === undefined ? null : { vertical: meaning.vertical, categories: [meaning.category] };
}

/** Whether the object is a shop or the like that stands empty. */
export function isVacant(tags: Tags): boolean {
  return ['shop', 'amenity', 'craft', 'office'].some((key) => VACANT.has(tags.get(key) ?? ''));
}

/** The same rules for `osmium tags-filter`: everything, or what can become one category. */
export function osmiumFilter(category?: string): string[] {
  const expressions: string[] = [];
  for (const [key, byValue] of meanings) {
    if (category === undefined && byValue.has(ANY)) {
      expressions.push(`nwr/${key}`);
      continue;
    }
    const named = [...byValue].filter(([value]) => value !== ANY);
    const values = named.filter(([, meaning]) => (category ?? meaning.category) === meaning.category);
    const wanted = values.map(([value]) => value);
    if (category !== undefined && byValue.has(ANY) && !byValue.has(category)) wanted.push(category);
    if (wanted.length > 0) expressions.push(`nwr/${key}=${wanted.join(',')}`);
  }
  return expressions;
}
