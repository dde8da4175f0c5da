import { editDistance } from '../../core/text/edit-distance.ts';
import type { Segment } from '../store/segment.ts';
import { KIND_WORDS } from './synonyms.ts';

const WORD_MIN = 4;
const SUGGESTIONS = 3;
const BEGUN_MIN = 2;
const COMPLETIONS = 8;
const CANDIDATES_MAX = 4_000;

/** A word of names, and how many places have it. */
export interface KnownWord {
  word: string;
  places: number;
}

/** Remembers every word of a name, with the pieces of three letters by which a misspelt one is found. */
export function writeSpelling(segment: Segment, words: ReadonlyMap<string, number>): void {
  for (const [word, places] of words) if (isSpelt(word)) addWord(segment, word, places);
}

/** Counts the words of a place that came or left. One that no place has any more stays, and is not found. */
export function countWords(segment: Segment, words: Iterable<string>, change: 1 | -1): void {
  const sql = 'update word set places = places + ? where word = ?';
  for (const word of words)
    if (isSpelt(word) && segment.change(sql, change, word).changes === 0) addWord(segment, word, change);
}

/** Short words and numbers are not corrected: too many others are as near. */
function isSpelt(word: string): boolean {
  return word.length >= WORD_MIN && !/\d/.test(word);
}

function addWord(segment: Segment, word: string, places: number): void {
  const { rowid } = segment.change('insert into word (word, places) values (?, ?)', word, places);
  const grams = gramsOf(word).join(' ');
  segment.change('insert into word_gram (rowid, grams) values (?, ?)', rowid, grams);
}

/** The most frequent words that begin with a text and are longer. One letter is not enough of a word. */
export function completions(segment: Segment, begun: string): KnownWord[] {
  if (begun.length < BEGUN_MIN) return [];
  const sql = `select word, places from word where word > ? and word < ? and places > 0
    order by places desc, word limit ?`;
  return segment.statement(sql).all(begun, `${begun}\uffff`, COMPLETIONS) as unknown as KnownWord[];
}

/** The most frequent of several lists of completions. */
export function mergeCompletions(lists: readonly (readonly KnownWord[])[]): string[] {
  return together(lists.flat())
    .sort((a, b) => b.places - a.places || inOrder(a.word, b.word))
    .slice(0, COMPLETIONS)
    .map(({ word }) => word);
}

/** Known words that a misspelt one may stand for, nearest first, the more frequent of two equally near. */
export function correct(segments: readonly Segment[], word: string): string[] {
  if (word.length < WORD_MIN) return [];
  const limit = word.length >= 8 ? 2 : 1;
  const kinds = KIND_WORDS.map((kind) => ({ word: kind, places: Infinity }));
  const known = together(segments.flatMap((segment) => similar(segment, word, limit)));
  return [...kinds, ...known]
    .map((row) => ({ ...row, distance: editDistance(word, row.word, limit) }))
    .filter((row) => row.distance > 0 && row.distance <= limit)
    .sort((a, b) => a.distance - b.distance || b.places - a.places || inOrder(a.word, b.word))
    .slice(0, SUGGESTIONS)
    .map((row) => row.word);
}

/** Words of about the same length that share a piece with one. */
function similar(segment: Segment, word: string, limit: number): KnownWord[] {
  const match = gramsOf(word)
    .map((gram) => `"${gram}"`)
    .join(' OR ');
  const sql = `select w.word, w.places from word_gram join word w on w.id = word_gram.rowid
    where word_gram match ? and length(w.word) between ? and ? and w.places > 0 limit ?`;
  const rows = segment.statement(sql).all(match, word.length - limit, word.length + limit, CANDIDATES_MAX);
  return rows as unknown as KnownWord[];
}

/** Each word once, with the places of all that tell of it. */
function together(words: readonly KnownWord[]): KnownWord[] {
  const places = new Map<string, number>();
  for (const known of words) places.set(known.word, (places.get(known.word) ?? 0) + known.places);
  return Array.from(places, ([word, count]) => ({ word, places: count }));
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : 1;
}

function gramsOf(word: string): string[] {
  const padded = `0${word}0`;
  const grams = new Set<string>();
  for (let i = 0; i + 3 <= padded.length; i++) grams.add(padded.slice(i, i + 3));
  return [...grams];
}
