import { editDistance } from '../../core/text/edit-distance.ts';
import { areaKeyOf } from '../areas/area-key.ts';
import type { IndexStore } from '../store/index-store.ts';
import { bytesOf, destinationKey, term, textOf, WORLD } from '../store/keys.ts';
import { lengthIn } from '../store/list-parts.ts';
import { packDocs, unpackDocs } from '../store/blocks.ts';
import { KIND_WORDS } from '../understand/lexicon/kind-words.ts';

const WORD_MIN = 4;
const SUGGESTIONS = 3;
const NOTHING = Buffer.alloc(0);

interface KnownWord {
  word: string;
  places: number;
}

/** True for words that can be corrected. Short words and numbers have too many neighbours. */
export function isCorrectable(word: string): boolean {
  return word.length >= WORD_MIN && !/\d/.test(word);
}

/** The table maps numbers to words, words to numbers, and trigrams to the numbers of the words that contain them. */
const wordKey = (word: string) => `w${Buffer.from(word).toString('latin1')}`;
const numberKey = (number: number) => `n${bytesOf(number, 4)}`;
const gramKey = (gram: string) => `g${Buffer.from(gram).toString('latin1')}`;

/** Writes the dictionary for spelling correction. Words are numbered from 1 in the given order. */
export function writeSpelling({ spelling }: IndexStore, words: readonly string[]): void {
  const lists = new Map<string, number[]>();
  for (const [i, word] of words.entries())
    for (const gram of gramsOf(word)) lists.getOrInsertComputed(gram, () => []).push(i + 1);
  const append = { append: true } as never;
  const sorted = Array.from(lists, ([gram, list]) => [gramKey(gram), list] as const).sort((a, b) =>
    a[0] < b[0] ? -1 : 1,
  );
  for (const [key, list] of sorted) spelling.putSync(key, packDocs(list, 0, list.length, NOTHING), append);
  for (const [i, word] of words.entries()) spelling.putSync(numberKey(i + 1), Buffer.from(word), append);
  for (const [i, word] of words.entries())
    spelling.putSync(wordKey(word), Buffer.from(String(i + 1)), append);
}

/** Adds a word that occurs for the first time, or removes one that no place has any more. */
export function changeSpelling(store: IndexStore, word: string, isAdded: boolean): void {
  const { spelling } = store;
  const old = Number(spelling.getBinary(wordKey(word))?.toString() ?? 0);
  const number = isAdded ? Number(store.meta('spelt') ?? 0) + 1 : old;
  if (isAdded) {
    store.setMeta('spelt', String(number));
    spelling.putSync(numberKey(number), Buffer.from(word));
    spelling.putSync(wordKey(word), Buffer.from(String(number)));
  } else {
    spelling.removeSync(numberKey(number));
    spelling.removeSync(wordKey(word));
  }
  for (const gram of gramsOf(word)) {
    const bytes = spelling.getBinary(gramKey(gram));
    const list = new Set(bytes === undefined ? [] : unpackDocs(bytes, 0));
    if (isAdded) list.add(number);
    else list.delete(number);
    const numbers = [...list].sort((a, b) => a - b);
    if (numbers.length === 0) spelling.removeSync(gramKey(gram));
    else spelling.putSync(gramKey(gram), packDocs(numbers, 0, numbers.length, NOTHING));
  }
}

/**
 * Returns dictionary words close to a misspelt one, by edit distance and then by frequency. Words that occur in the
 * destination take precedence.
 */
export function correct(store: IndexStore, word: string, isHere: (word: string) => boolean): string[] {
  if (word.length < WORD_MIN) return [];
  const limit = word.length >= 8 ? 2 : 1;
  const near = [
    ...KIND_WORDS.map((kind) => ({ word: kind, places: Infinity })),
    ...similar(store, word, limit),
  ]
    .map((row) => ({ ...row, distance: editDistance(word, row.word, limit) }))
    .filter((row) => row.distance > 0 && row.distance <= limit)
    .sort((a, b) => a.distance - b.distance || b.places - a.places || (a.word < b.word ? -1 : 1));
  const here = near.filter((row) => isHere(row.word));
  return (here.length > 0 ? here : near).slice(0, SUGGESTIONS).map((row) => row.word);
}

/** Finds words that share enough trigrams to be within the edit distance limit. */
function similar(store: IndexStore, word: string, limit: number): KnownWord[] {
  const grams = gramsOf(word);
  // A changed letter affects at most three trigrams.
  const shared = Math.max(1, grams.length - 3 * limit);
  const counts = new Map<number, number>();
  for (const gram of grams) {
    const bytes = store.spelling.getBinary(gramKey(gram));
    if (bytes === undefined) continue;
    for (const number of unpackDocs(bytes, 0)) counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  const spellings = new Set(swapped(word));
  for (const [number, count] of counts) {
    if (count < shared) continue;
    const spelt = store.spelling.getBinary(numberKey(number))?.toString() ?? '';
    if (Math.abs(spelt.length - word.length) <= limit) spellings.add(spelt);
  }
  return Array.from(spellings, (spelt) => {
    const head = store.lists.getBinaryFast(destinationKey(WORLD) + term('w', spelt));
    return { word: spelt, places: lengthIn(head) };
  }).filter(({ places }) => places > 0);
}

/**
 * Returns the word with each pair of neighbouring letters swapped. A swap affects more trigrams than any other typo: in
 * a short word, all of them.
 */
function swapped(word: string): string[] {
  const letters = Array.from(word);
  return letters
    .slice(1)
    .map((letter, i) => [...letters.slice(0, i), letter, letters[i], ...letters.slice(i + 2)].join(''));
}

function gramsOf(word: string): string[] {
  const padded = `0${word}0`;
  const grams = new Set<string>();
  for (let i = 0; i + 3 <= padded.length; i++) grams.add(padded.slice(i, i + 3));
  return [...grams];
}

const PREFIX_MIN = 2;
const PREFIX_READ_MAX = 4_000;

/** Returns the most frequent longer words of names that begin with a text, in a destination or in the world. */
export function completeWord(store: IndexStore, beginning: string, scope: number, max: number): string[] {
  return completeTerm(store, 'w', beginning, scope, max);
}

/** Returns the kinds of most places that begin with a text. The text itself is the kind it names, if it is one. */
export function completeKind(store: IndexStore, beginning: string, max: number): string[] {
  const key = beginning.replaceAll(' ', '_');
  const isKind = store.lists.doesExist(destinationKey(WORLD) + term('k', key));
  return [...(isKind ? [key] : []), ...completeTerm(store, 'k', key, WORLD, max)].slice(0, max);
}

/** Returns the keys of areas with most places that begin with a text, and are longer than it. */
export function completeArea(store: IndexStore, beginning: string, max: number): string[] {
  return completeTerm(store, 'a', areaKeyOf(beginning), WORLD, max);
}

function completeTerm(
  { lists }: IndexStore,
  mark: 'w' | 'k' | 'a',
  beginning: string,
  scope: number,
  max: number,
): string[] {
  if (beginning.length < PREFIX_MIN) return [];
  const key = destinationKey(scope);
  const prefix = key + term(mark, beginning);
  const words: KnownWord[] = [];
  const range = { start: `${prefix}\x01`, end: `${prefix}\xff\xff`, limit: PREFIX_READ_MAX };
  for (const { key: at, value } of lists.getRange(range))
    words.push({ word: textOf(at.slice(key.length)), places: lengthIn(value) });
  return words
    .sort((a, b) => b.places - a.places || (a.word < b.word ? -1 : 1))
    .slice(0, max)
    .map(({ word }) => word);
}
