import type { Ctx } from '../../core/context.ts';
import { fold, isUnspaced } from '../../core/text/fold.ts';
import type { Destination } from '../../directory/destinations.ts';
import type { Question } from '../../search/understand/question/read-question.ts';
import { isName } from '../search/candidate.ts';

/** A closed place that a question names, with the latest evidence of its closure. */
export interface ClosedPlace {
  id: string;
  name: string;
  vertical: string;
  category: string;
  cuisine: string[];
  closed_at: Date;
  kind: 'website_dead' | 'published_report' | 'venue_said' | null;
  source_url: string | null;
  observed_at: Date | null;
}

const NAME_WORDS_MAX = 8;
const NAME_CHARACTERS_MAX = 24;
const TEXT_CHARACTERS_MAX = 120;
const NAME_MIN = 3;
const ARTICLE = /^(?:the|le|la|les|l['’]|el|los|las|il|lo|der|die|das|de|het) ?/i;

/** Finds the closed place whose whole name is in the question. Closed places are not in the index. */
export async function findClosedPlace(
  { db }: Ctx,
  destination: Destination,
  question: Question,
  text: string,
): Promise<ClosedPlace | undefined> {
  const names = possibleNames(text);
  if (names.length === 0) return undefined;
  const places = await db<ClosedPlace[]>`
    select p.id, p.name, p.vertical, p.category, p.cuisine, p.closed_at, e.kind, e.source_url, e.observed_at
    from place p left join lateral (
      select kind, source_url, observed_at from closure_evidence
      where place_id = p.id order by observed_at desc limit 1) e on true
    where lower(p.name) = any(${names}) and p.closed_at is not null and p.removed_at is null
      and p.destination_id = ${destination.id}
    order by char_length(p.name) desc, p.closed_at desc`;
  return places.find(({ name }) => isName(name) && isMeant(name, text, question, destination));
}

/**
 * True when the words are used as a name: not all of them are understood otherwise ("the best restaurant in Monaco" does
 * not mean a place called Monaco), and they are unknown or written as the name is.
 */
function isMeant(name: string, text: string, question: Question, destination: Destination): boolean {
  const words = fold(name).split(' ');
  if (wordsBeyond(fold(name).replace(ARTICLE, ''), readWords(question, destination)).length === 0)
    return false;
  const unread = new Set(question.unanswered.flatMap((part) => fold(part).split(' ')));
  if (words.some((word) => unread.has(word))) return true;
  const at = text.indexOf(name);
  return at > 0 || (at === 0 && (words.length > 1 || text.length === name.length));
}

/** Returns the words that the question uses for a destination, an area, a landmark, a kind or another wish. */
function readWords({ words }: Question, { name, other_names }: Destination): Set<string> {
  const { byValue, area, near, category, cuisine, diet } = words;
  const phrases = [name, ...other_names, ...byValue.values(), area, near, category, cuisine, diet].flat();
  return new Set(phrases.flatMap((phrase) => fold(phrase).split(' ')));
}

/** Returns the words of a name that are not among those read. Without spaces, a word may consist of several. */
function wordsBeyond(name: string, read: ReadonlySet<string>): string[] {
  const pieces = [...read].filter((word) => word !== '').sort((a, b) => b.length - a.length);
  return name
    .split(' ')
    .map((word) =>
      isUnspaced(word) ? pieces.reduce((rest, piece) => rest.replaceAll(piece, ''), word) : word,
    )
    .filter((word) => word !== '' && !read.has(word));
}

/** Returns every run of words of a text that may be a name, in lower case. */
function possibleNames(text: string): string[] {
  const words = text
    .split(/\s+/)
    .map((word) => word.replace(/^[("“«„'‘¿¡]+|[)"”»“'’.,;:!?。、？！]+$/gu, ''))
    .filter((word) => word !== '');
  const runs = new Set<string>();
  const add = (run: string) => {
    const name = run.toLowerCase();
    for (const one of [name, name.replace(ARTICLE, '')]) if (one.length >= NAME_MIN) runs.add(one);
  };
  for (let from = 0; from < words.length; from++)
    for (let to = from + 1; to <= Math.min(words.length, from + NAME_WORDS_MAX); to++)
      add(words.slice(from, to).join(' '));
  if (UNSPACED.test(text)) {
    const characters = Array.from(text.slice(0, TEXT_CHARACTERS_MAX));
    for (let from = 0; from < characters.length; from++)
      for (let to = from + 2; to <= Math.min(characters.length, from + NAME_CHARACTERS_MAX); to++)
        runs.add(characters.slice(from, to).join('').toLowerCase());
  }
  return [...runs];
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
