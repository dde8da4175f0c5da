import type { Ctx } from '../../core/context.ts';
import { fold, isUnspaced } from '../../core/text/fold.ts';
import type { Destination } from '../../directory/destinations.ts';
import { hasNoPlaces } from '../../search/empty-hint.ts';
import type { Hit } from '../../search/query/hit.ts';
import { searchPlaces } from '../../search/search-places.ts';
import { ASKED_WISHES } from '../../search/understand/lexicon/lexicon.ts';
import type { Question } from '../../search/understand/question/read-question.ts';
import type { Relaxed } from '../answer-sets.ts';
import type { AnswerLanguage, AnswerValues, DirectoryKey, PlainKey } from '../language/answer-language.ts';
import { candidateNames } from '../search/candidate.ts';
import { relaxConstraints, type Constraints } from '../search/constraints.ts';
import { isTooShort } from '../search/name-search.ts';
import type { Note } from '../wording/notes.ts';
import { labelOf } from '../wording/place-label.ts';
import type { Claim } from '../wording/place-sentence.ts';
import type { ClosedPlace } from './closed-place.ts';
import { conditionTexts, labelsOf } from '../wording/condition-texts.ts';
import { countMatching, type MatchingPlaces } from './count-matching.ts';
import { hasArea } from './has-boundary.ts';

/** A sentence about what the directory has or lacks, the query that proves it, and what is true otherwise. */
interface Statement {
  key: DirectoryKey;
  values?: AnswerValues;
  needed?: boolean;
  isTrue: () => boolean | Promise<boolean>;
  /** A sentence that holds whatever the directory has; null: nothing is said. */
  otherwise: readonly [PlainKey, AnswerValues?] | null;
}

/**
 * Says a sentence about the directory, the only way to do so: first checks it by a query that is independent of the
 * search for the answer. When the check contradicts it, the sentence that is true takes its place.
 */
export async function stateChecked(
  language: AnswerLanguage,
  { key, values, needed = true, isTrue, otherwise }: Statement,
): Promise<Note[]> {
  if (await isTrue()) return [{ text: language.directoryText(key, values), needed }];
  return otherwise === null ? [] : [{ text: language.text(...otherwise), needed }];
}

/** A question about a destination, as statements about the directory need it. */
export interface Inquiry {
  ctx: Ctx;
  destination: Destination;
  question: Question;
  language: AnswerLanguage;
  constraints: Constraints;
}

const MORE_MAX = 2_000;

/** Counts the places that meet the constraints; unless `certain`, also those that perhaps meet them. */
function count(inquiry: Inquiry, constraints: Constraints, enough: number, certain = false): MatchingPlaces {
  const { ctx, destination, question } = inquiry;
  const words = question.words.byValue;
  return countMatching(ctx.deps, destination, constraints, { words, enough, certain });
}

/** True when it is certain that no place meets the constraints. */
function isNone(inquiry: Inquiry, constraints: Constraints): boolean {
  const { ids, complete } = count(inquiry, constraints, 1);
  return complete && ids.size === 0;
}

/** States why conditions were dropped. For a named place it only says what its record does not confirm. */
export async function relaxedStatements(inquiry: Inquiry, relaxed: readonly Relaxed[]): Promise<Note[]> {
  const { language, constraints, question } = inquiry;
  const notes: Note[] = [];
  for (const one of relaxed) {
    const what = conditionTexts(language, constraints, [one]);
    const otherwise = ['unfit', { what }] as const;
    const others = new Set(relaxed.filter((other) => other !== one));
    const kept = relaxConstraints(constraints, others);
    const isTrue = () => question.named === undefined && isNone(inquiry, kept);
    const onlyKind = kindAlone(constraints, one);
    const hasKind = onlyKind !== undefined && !isNone(inquiry, onlyKind);
    const key = hasKind ? 'relaxed.rest' : relaxedKey(one, constraints);
    const values = { ...labelsOf(language, constraints), what };
    notes.push(...(await stateChecked(language, { key, values, isTrue, otherwise })));
  }
  return notes;
}

function relaxedKey(one: Relaxed, { rating, reviews }: Constraints): DirectoryKey {
  return one === 'rating' && rating === undefined && reviews === undefined
    ? 'relaxed.unrated'
    : `relaxed.${one}`;
}

/** Returns the constraints that only name a dropped kind or cuisine, if there are others beside it. */
function kindAlone(constraints: Constraints, one: Relaxed): Constraints | undefined {
  if (one !== 'category' && one !== 'cuisine') return undefined;
  const { categories, cuisines, without, withoutNames } = constraints;
  return {
    ...NO_CONSTRAINTS,
    ...{ without, withoutNames },
    categories: one === 'category' ? categories : [],
    cuisines: one === 'cuisine' ? cuisines : [],
  };
}

const NO_CONSTRAINTS: Constraints = {
  categories: [],
  cuisines: [],
  diets: [],
  areas: [],
  prices: [],
  openAt: undefined,
  aroundClock: false,
  near: undefined,
  without: [],
  withoutNames: [],
  wishes: [],
  notDenied: [],
  rated: false,
  rating: undefined,
  reviews: undefined,
  apart: undefined,
};

const AREA_NOTES = {
  /** The area is only a point on the map: places may be inside it without being recorded there. */
  pointOnly: { key: 'around.noBoundary', instead: 'around.unsure', shaped: true },
  unknown: { key: 'area.unknown', instead: 'area.unused', shaped: false },
} as const;

export function areaStatement(
  { ctx, destination, language }: Omit<Inquiry, 'constraints'>,
  note: keyof typeof AREA_NOTES,
  areas: readonly string[],
): Promise<Note[]> {
  const { key, instead, shaped } = AREA_NOTES[note];
  const values = { areas: language.or(areas) };
  return stateChecked(language, {
    ...{ key, values, otherwise: [instead, values] },
    isTrue: () => noneOf(areas, (area) => hasArea(ctx, destination, area, { shaped })),
  });
}

async function noneOf(
  values: readonly string[],
  test: (value: string) => Promise<boolean>,
): Promise<boolean> {
  for (const value of values) if (await test(value)) return false;
  return true;
}

/** States that no record has the dish. When the question asks for something else too, not every place represents it. */
export function dishStatement(inquiry: Inquiry): Promise<Note[]> {
  const { language, question } = inquiry;
  const values = { dishes: language.or(question.dishes.map((dish) => dishName(language, dish))) };
  return stateChecked(language, {
    key: question.apart ? 'dish.unknown' : 'dish.closest',
    ...{ values, otherwise: ['dish.some', values] },
    isTrue: () => question.dishes.every((dish) => isNone(inquiry, { ...NO_CONSTRAINTS, cuisines: [dish] })),
  });
}

function dishName({ code, cuisine }: AnswerLanguage, dish: string): string {
  return code === 'en' ? dish.replaceAll('_', ' ') : cuisine(dish);
}

const ASKS_MAX = 3;

/** States which wishes no record answers. `answered` are the wishes that facts of the places answer. */
export async function asksStatement(inquiry: Inquiry, answered: ReadonlySet<string>): Promise<Note[]> {
  const { ctx, destination, language, question } = inquiry;
  const asks = [...question.asks]
    .filter((ask) => !answered.has(ASKED_WISHES[ask] ?? '') && isAskKey(ask))
    .slice(0, ASKS_MAX);
  if (asks.length === 0) return [];
  const values = {
    asks: language.or([...new Set(asks.map((ask) => language.text(`ask.${ask as 'quiet'}`)))]),
  };
  const isRecorded = (ask: string) => {
    const wish = ASKED_WISHES[ask];
    const search = { destination, limit: 1 };
    return wish !== undefined && searchPlaces(ctx.deps, { ...search, wishes: [wish] }).hits.length > 0;
  };
  return stateChecked(language, {
    ...{ key: 'asks.unknown', values, otherwise: ['asks.these', values] },
    isTrue: () => !asks.some(isRecorded),
  });
}

const ASK_KEYS = new Set(
  'quiet crowd kids romantic view laptop pets stroller cash smoke_free free_entry outdoor wifi dogs access parking music pool cards dress service wait budget facility party holiday allergy food award delivery'.split(
    ' ',
  ),
);

function isAskKey(ask: string): boolean {
  return ASK_KEYS.has(ask);
}

/** States that the landmark is not in the directory. */
export function landmarkStatement({ ctx, destination, language, question }: Inquiry): Promise<Note[]> {
  return stateChecked(language, {
    ...{ key: 'landmark.unknown', otherwise: ['landmark.unused'] },
    isTrue: () =>
      !isTooShort(question.unknownLandmark) && !isNamed(ctx, destination, question.unknownLandmark),
  });
}

/** Shorter words begin too many others. */
const BEGINNING_MIN = 4;
const NAMED_PLACES = 5;

/** True when some place has all of these words in one of its names. */
function isNamed({ deps }: Ctx, destination: Destination, words: string): boolean {
  const parts = fold(words).split(' ');
  const found = searchPlaces(deps, { destination, text: words, limit: NAMED_PLACES });
  const names = found.cards().flatMap((card, at) => candidateNames(found.hits[at] as Hit, card));
  return names.some((name) => parts.every((part) => hasWord(` ${fold(name)} `, part)));
}

function hasWord(name: string, word: string): boolean {
  if (isUnspaced(word)) return name.includes(word);
  return name.includes(word.length < BEGINNING_MIN ? ` ${word} ` : ` ${word}`);
}

/** States that the single place is all there is, or how many more match. */
export function onlyStatement(inquiry: Inquiry, shown: readonly string[]): Promise<Note[]> {
  const { language, constraints } = inquiry;
  return stateChecked(language, {
    ...{ key: constraints.rated ? 'only.rated' : 'only.any', otherwise: null, needed: false },
    isTrue: () => {
      const { ids, complete } = count(inquiry, constraints, shown.length + 1);
      return complete && [...ids].every((id) => shown.includes(id));
    },
  });
}

/** States how many more places reach a rating, because "rated over 4.5" asks for all of them. */
export function moreStatement(inquiry: Inquiry, shown: readonly string[]): Promise<Note[]> {
  const { language, constraints } = inquiry;
  const { ids, complete } = count(inquiry, constraints, MORE_MAX, true);
  const more = [...ids].filter((id) => !shown.includes(id)).length;
  return stateChecked(language, {
    key: complete ? 'more' : 'moreThan',
    values: { count: more, shown: String(more) },
    isTrue: () => more > 0,
    otherwise: null,
  });
}

/** States that the places of an answer have no promotion; those were read from their records. */
export function noDealsStatement({ language }: Inquiry, promotions: number): Promise<Note[]> {
  return stateChecked(language, { key: 'note.noDeals', isTrue: () => promotions === 0, otherwise: null });
}

/** States that no place matches, or that the destination has no places at all. */
export function noMatchStatement(inquiry: Inquiry, criteria: string): Promise<Note[]> {
  const { ctx, language, destination, constraints } = inquiry;
  const values = { place: destination.name, criteria };
  return stateChecked(language, {
    key: hasNoPlaces(ctx.deps, destination) ? 'plain.empty' : 'plain.noMatch',
    ...{ values, otherwise: ['plain.notFound', values] },
    isTrue: () => isNone(inquiry, constraints),
  });
}

/** States that a place has closed, with the latest evidence and its date, unless another of its name is open. */
export async function closedStatement(
  { ctx, destination, language }: Pick<Inquiry, 'ctx' | 'destination' | 'language'>,
  place: ClosedPlace,
): Promise<{ notes: Note[]; claims: Claim[] }> {
  const { id, name, kind, source_url, closed_at } = place;
  const at = place.observed_at ?? closed_at;
  const date = at.toISOString().slice(0, DATE_LENGTH);
  const evidence = language.text(`closed.${kind ?? 'recorded'}`, { source: source_url ?? '' });
  const label = labelOf(place, language).text;
  const notes = await stateChecked(language, {
    key: 'closed.place',
    values: { name, kind: label, place: destination.name, date, evidence },
    isTrue: () => {
      const found = searchPlaces(ctx.deps, { destination, text: name, limit: NAMED_PLACES });
      return !found
        .cards()
        .some((card, at) =>
          candidateNames(found.hits[at] as Hit, card).some((one) => fold(one) === fold(name)),
        );
    },
    otherwise: null,
  });
  const claim = { place_id: id, observed_at: at.toISOString() };
  const claims = [
    { ...claim, field: 'name', value: name, text: name },
    { ...claim, field: 'closed_at', value: closed_at.toISOString(), text: date },
  ];
  return { notes, claims: notes.length === 0 ? [] : claims };
}

const DATE_LENGTH = 'YYYY-MM-DD'.length;

/** States that the directory has nothing about words that were not understood. */
export function unknownSubjectStatement({
  ctx,
  destination,
  language,
  question,
}: Omit<Inquiry, 'constraints'>): Promise<Note[]> {
  const values = { place: destination.name };
  const isUnknown = (part: string) => {
    const words = part.split(/[\s'’-]+/).filter((word) => !isTooShort(word));
    return words.length > 0 && !words.some((word) => isNamed(ctx, destination, word));
  };
  return stateChecked(language, {
    ...{ key: 'plain.unknown', values, otherwise: ['plain.unsure', values] },
    isTrue: () => question.unanswered.every(isUnknown),
  });
}
