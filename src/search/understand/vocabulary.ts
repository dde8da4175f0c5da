import { readFileSync } from 'node:fs';
import { fold } from '../../core/text/fold.ts';
import type { IndexStore } from '../store/index-store.ts';
import { bytesOf, hash48 } from '../store/keys.ts';
import { BRANDS_FILE, WORDS_FILE } from './vocabulary-files.ts';

/**
 * What phrases mean, in the index file itself: every process that searches has it mapped, and none has to load it. Phrases
 * lie in buckets by their hashes, each as a line with one of its meanings:
 *
 *   k kind    c cuisine    b brand    f wish    p price    o open now    d destination, by its code
 *   s small word    q praise    + joins two kinds    = another form of the word    # words of the longest phrase that begins so
 *
 * A kind may name a broader one behind `>`, for where there is none of it; `~` marks what is meant only where no name has it.
 */
const BUCKETS = 4096;
const keyOf = (phrase: string) => bytesOf(hash48(phrase) % BUCKETS, 2);

export function writeVocabulary({ vocabulary }: IndexStore): void {
  const buckets = new Map<string, string>();
  const longest = new Map<string, number>();
  const add = (phrase: string, meaning: string) => {
    const key = keyOf(phrase);
    buckets.set(key, `${buckets.get(key) ?? '\n'}${phrase}\t${meaning}\n`);
  };
  const addPhrase = (phrase: string, meaning: string) => {
    add(phrase, meaning);
    const end = phrase.indexOf(' ');
    if (end < 0) return;
    const first = phrase.slice(0, end);
    longest.set(first, Math.max(longest.get(first) ?? 0, phrase.split(' ').length));
  };
  for (const [meaning, phrases] of linesOf(WORDS_FILE))
    for (const phrase of phrases) addPhrase(phrase, meaning);
  for (const [number, [name = '', ...others]] of linesOf(BRANDS_FILE)) {
    add(number, name);
    for (const phrase of new Set([fold(name), ...others])) if (phrase !== '') addPhrase(phrase, `b${number}`);
  }
  for (const [word, words] of longest) add(word, `#${words}`);
  for (const key of [...buckets.keys()].sort())
    vocabulary.putSync(key, Buffer.from(buckets.get(key) ?? ''), { append: true } as never);
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

/** All that a phrase means; nothing for most. */
export function meaningsOf({ vocabulary }: IndexStore, phrase: string): string[] {
  const bytes = vocabulary.getBinaryFast(keyOf(phrase));
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

/** A brand as it writes itself. */
export function brandName(store: IndexStore, number: string): string {
  return meaningsOf(store, number)[0] ?? number;
}
