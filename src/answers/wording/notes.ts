import type { Question } from '../../search/understand/question/read-question.ts';
import type { Relaxed } from '../answer-sets.ts';
import type { Constraints } from '../search/constraints.ts';
import { ASKED_WISHES } from '../../search/understand/lexicon/lexicon.ts';
import noteParts from './notes.json' with { type: 'json' };
import { kitchenName, kindName } from './place-label.ts';

/** A sentence besides the places. */
export interface Note {
  text: string;
  /** True when the answer would be misleading without it. Other notes are dropped when there is no room. */
  needed: boolean;
}

/** Continuations of "The directory does not say" for wishes that no record answers. */
const ASKS: Readonly<Record<string, string>> = noteParts.asks;

/** Names of topics that the directory does not cover. */
const OUT: Readonly<Record<string, string>> = noteParts.out;

const ASKS_MAX = 3;

/** Returns notes on unanswered wishes. `answered` are the wishes that facts of the places answer. */
export function askNotes({ asks }: Question, answered: ReadonlySet<string>): Note[] {
  const words = [...asks]
    .filter((ask) => !answered.has(ASKED_WISHES[ask] ?? ''))
    .flatMap((ask) => (ASKS[ask] === undefined ? [] : [ASKS[ask]]))
    .slice(0, ASKS_MAX);
  return words.length === 0
    ? []
    : [{ text: `The directory does not say ${words.join(' or ')}.`, needed: true }];
}

export function outWords(out: ReadonlySet<string>): string {
  return [...out].map((topic) => OUT[topic] ?? 'that').join(' or ');
}

/** Returns notes on relaxed constraints, so that the answer is not mistaken for an exact match. */
export function relaxedNotes(
  relaxed: readonly Relaxed[],
  { areas, diets, cuisines, categories, rating, reviews }: Constraints,
): Note[] {
  const words: Readonly<Record<Relaxed, string>> = {
    rating:
      rating === undefined && reviews === undefined
        ? 'No match has a rating.'
        : 'No match has that rating or so many reviews.',
    price: 'No match in that price range, so other prices are shown.',
    area: `Nothing matches in ${areas.join(' or ')} itself, so the nearest are shown.`,
    near: 'Nothing matches near the place you named, so the whole destination was searched.',
    diet: `No match is recorded as ${diets.flat().map(dietName).join(' or ')}, so ask the venue about its menu.`,
    time: 'None is known to be open then; the hours of these are not verified, so ask first.',
    cuisine: `No ${cuisines.map(kitchenName).join(' or ')} kitchen matches, so other kitchens are shown.`,
    category: `No ${categories.map(kindName).join(' or ')} matches, so other kinds are shown.`,
  };
  return relaxed.map((one) => ({ text: words[one], needed: true }));
}

/** Note on an area without a boundary: places may be inside it without being recorded there. */
export function aroundNote(areas: readonly string[]): Note {
  return { text: `The map has no boundary of ${areas.join(' or ')}.`, needed: true };
}

export function unknownAreaNote(areas: readonly string[]): Note {
  return { text: `The directory does not know where ${areas.join(' or ')} is.`, needed: true };
}

export function dietName(diet: string): string {
  return diet.replace('gluten_free', 'gluten-free');
}

/** Note on dishes. When the question also asks for something else, not every place represents the dish. */
export function dishNote({ dishes, apart }: Question): Note {
  const names = dishes.map((dish) => dish.replaceAll('_', ' ')).join(' or ');
  const closest = apart ? '' : '; these come closest';
  return { text: `The directory does not say who serves ${names}${closest}.`, needed: true };
}

export const NOTES = noteParts.notes satisfies Record<string, Note>;
