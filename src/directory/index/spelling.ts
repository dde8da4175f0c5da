import type { Segment } from './segment.ts';
import { KIND_WORDS } from './synonyms.ts';

const WORD_MIN = 4;
const SUGGESTIONS = 3;
const BEGUN_MIN = 2;
const COMPLETIONS = 8;

/** Remembers every word of a name, with the pieces of three letters by which a misspelt one is found. */
export function writeSpelling(segment: Segment, words: ReadonlyMap<string, number>): void {
  let id = 0;
  for (const [word, places] of words) {
    if (word.length < WORD_MIN || /\d/.test(word)) continue;
    segment.statement('insert into word values (?, ?, ?)').run(++id, word, places);
    segment.statement('insert into word_gram (rowid, grams) values (?, ?)').run(id, gramsOf(word).join(' '));
  }
}

/** The most frequent words that begin with a text and are longer. One letter is not enough of a word. */
export function completions(segment: Segment, begun: string): string[] {
  if (begun.length < BEGUN_MIN) return [];
  const rows = segment
    .statement('select word from word where word > ? and word < ? order by places desc limit ?')
    .all(begun, `${begun}\uffff`, COMPLETIONS);
  return (rows as unknown as { word: string }[]).map(({ word }) => word);
}

/** Known words that a misspelt one may stand for, nearest first, the more frequent of two equally near. */
export function correct(segment: Segment, word: string): string[] {
  if (word.length < WORD_MIN) return [];
  const limit = word.length >= 8 ? 2 : 1;
  const match = gramsOf(word)
    .map((gram) => `"${gram}"`)
    .join(' OR ');
  const rows = segment
    .statement(
      `select w.word, w.places from word_gram join word w on w.id = word_gram.rowid where word_gram match ?
       and length(w.word) between ? and ? limit 4000`,
    )
    .all(match, word.length - limit, word.length + limit) as unknown as { word: string; places: number }[];
  const kinds = KIND_WORDS.map((kind) => ({ word: kind, places: Infinity }));
  return [...kinds, ...rows]
    .map((row) => ({ ...row, distance: editDistance(word, row.word, limit) }))
    .filter((row) => row.distance > 0 && row.distance <= limit)
    .sort((a, b) => a.distance - b.distance || b.places - a.places)
    .slice(0, SUGGESTIONS)
    .map((row) => row.word);
}

function gramsOf(word: string): string[] {
  const padded = `0${word}0`;
  const grams = new Set<string>();
  for (let i = 0; i + 3 <= padded.length; i++) grams.add(padded.slice(i, i + 3));
  return [...grams];
}

/** Optimal string alignment: insertions, deletions, replacements and swapped neighbours; gives up past the limit. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    if (Math.min(...row) > limit) return limit + 1;
    before = last;
    last = row;
  }
  return last[b.length] ?? limit + 1;
}
