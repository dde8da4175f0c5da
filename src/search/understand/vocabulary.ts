import { readFileSync } from 'node:fs';
import { fold } from '../../core/text/fold.ts';
import type { IndexStore } from '../store/index-store.ts';
import { bytesOf } from '../store/keys.ts';
import { BRANDS_FILE, WORDS_FILE } from './vocabulary-files.ts';

/**
 * The vocabulary is part of the index file, which every searching process has memory-mapped, so that none has to load
 * it. Phrases are in buckets by hash, one line for each meaning:
 *
 *   k kind    c cuisine    b brand    f wish    p price    o open now    d destination, by its code
 *   s stop word    q praise    + joins two kinds    = another form of the word
 *   # length of the longest phrase that begins so
 *
 * A kind may be followed by `>` and a broader one, which applies when no place is of the kind. `~` marks a meaning that
 * only applies when no name contains the phrase.
 */
const BUCKETS = 4096;

/** Any distribution will do: the entries of a bucket are compared with the phrase. */
function bucketOf(phrase: string): number {
  let hash = phrase.length;
  for (let i = 0; i < phrase.length; i++) hash = (Math.imul(hash, 31) + phrase.charCodeAt(i)) | 0;
  return (hash ^ (hash >>> 15)) & (BUCKETS - 1);
}

export function writeVocabulary({ vocabulary }: IndexStore): void {
  const buckets = Array.from({ length: BUCKETS }, (): string[] => []);
  const longest = new Map<string, number>();
  const add = (phrase: string, meaning: string) => buckets[bucketOf(phrase)]?.push(phrase, meaning);
  const addPhrase = (phrase: string, meaning: string) => {
    add(phrase, meaning);
    const end = phrase.indexOf(' ');
    if (end < 0) return;
    const first = phrase.slice(0, end);
    const words = wordsIn(phrase, end);
    if (words > (longest.get(first) ?? 0)) longest.set(first, words);
  };
  for (const [meaning, phrases] of linesOf(WORDS_FILE))
    for (const phrase of phrases) addPhrase(phrase, meaning);
  for (const [number, [name = '', ...others]] of linesOf(BRANDS_FILE)) {
    add(number, name);
    const own = fold(name);
    const meaning = `b${number}`;
    if (own !== '') addPhrase(own, meaning);
    for (const phrase of others) addPhrase(phrase, meaning);
  }
  for (const [word, words] of longest) add(word, `#${words}`);
  for (const [number, entries] of buckets.entries()) {
    let text = '\n';
    for (let i = 0; i < entries.length; i += 2) text += `${entries[i]}\t${entries[i + 1]}\n`;
    vocabulary.putSync(bytesOf(number, 2), Buffer.from(text), { append: true } as never);
  }
}

function wordsIn(phrase: string, firstEnd: number): number {
  let words = 1;
  for (let at = firstEnd; at >= 0; at = phrase.indexOf(' ', at + 1)) words++;
  return words;
}

function linesOf(file: string): [head: string, phrases: string[]][] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const end = line.indexOf('\t');
      return [line.slice(0, end), line.slice(end + 1).split('|')];
    });
}

/** Returns all meanings of a phrase; none for most. */
export function meaningsOf({ vocabulary }: IndexStore, phrase: string): string[] {
  const bytes = vocabulary.getBinaryFast(bytesOf(bucketOf(phrase), 2));
  if (bytes === undefined) return [];
  const bucket = bytes.toString('utf8', 0, bytes.length);
  const line = `\n${phrase}\t`;
  const meanings: string[] = [];
  for (let at = bucket.indexOf(line); at >= 0; at = bucket.indexOf(line, at + 1)) {
    const from = at + line.length;
    meanings.push(bucket.slice(from, bucket.indexOf('\n', from)));
  }
  return meanings;
}

/** Returns the name of a brand. */
export function brandName(store: IndexStore, number: string): string {
  return meaningsOf(store, number)[0] ?? number;
}
