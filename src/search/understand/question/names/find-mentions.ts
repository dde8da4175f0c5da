import { isUnspaced } from '../../../../core/text/fold.ts';
import { findLandmark } from './find-landmark.ts';
import type { Match } from '../match-phrases.ts';
import { take, type MentionQuery, type Mentions } from './mentions.ts';
import { foldWords, phraseOf, wordAt, type TokenSpan, type Tokens } from '../../tokens.ts';

const TITLES_MAX = 2;
const KIND_WORDS_MAX = 3;
/** Consecutive capitalized words, also joined by a stop word: "Museum of the Sea". */
const TITLE =
  /\p{Lu}[\p{L}\p{N}’'.&-]*(?:\s(?:(?:of|the|de|del|della|di|da|do|du|des|la|le|les|el|y|e|und|&|n)\s)*\p{Lu}[\p{L}\p{N}’'.&-]*)+/gu;
const QUOTED = /["“«„]([^"”»“]{2,80})["”»“]/gu;

/**
 * Finds named places and areas: the landmark to be near, the place the question is about, areas that only occur in
 * records.
 */
export function findMentions(query: MentionQuery): Mentions {
  const mentions: Mentions = {
    matches: [...query.matched.matches],
    open: new Map(query.matched.open),
    areas: [],
    categories: [],
    nearArea: false,
    landmark: undefined,
    named: undefined,
    nameTokens: new Set(),
    unknownNames: [],
    unknownLandmark: undefined,
  };
  findLandmark(query, mentions);
  findTitles(query, mentions);
  findUnspaced(query, mentions);
  explainRest(query, mentions);
  return mentions;
}

/** Looks up quoted and capitalized words as the name of a place, even if they are ordinary words. */
function findTitles({ tokens, language, raw, search }: MentionQuery, mentions: Mentions): void {
  const titles = [
    ...[...raw.matchAll(QUOTED)].map(([, text = '']) => text),
    ...[...raw.matchAll(TITLE)].map(([text]) => text),
  ].slice(0, TITLES_MAX);
  for (const title of titles) {
    for (const words of [title, title.replace(/^\S+\s/, '')]) {
      const range = rangeOf(tokens, foldWords(words));
      if (range === undefined || mentions.nameTokens.has(range.from) || isArea(mentions, range)) continue;
      const place = search.place(words);
      if (place === undefined) continue;
      take(mentions, range);
      mentions.named ??= place;
      return;
    }
    // German capitalizes every noun.
    if (language !== 'de') markUnknownTitle(tokens, mentions, rangeOf(tokens, foldWords(title)));
  }
}

const UNSPACED_PARTS = new Set(['category', 'area']);

/** Looks up words of a script without spaces as the name of a place: 東寺 is one, although 寺 alone is a kind. */
function findUnspaced({ tokens, search }: MentionQuery, mentions: Mentions): void {
  if (mentions.named !== undefined) return;
  const isPart = (at: number) =>
    !mentions.nameTokens.has(at) &&
    isUnspaced(wordAt(tokens, at)) &&
    (mentions.open.get(at) === false ||
      mentions.matches.some(({ section, from, to }) => from <= at && at < to && UNSPACED_PARTS.has(section)));
  for (let from = 0, to = 1; from < tokens.list.length; from = to, to = from + 1) {
    if (!isPart(from)) continue;
    while (isPart(to) && tokens.list[to]?.from === tokens.list[to - 1]?.to) to++;
    const span = { from, to };
    const isKind = mentions.matches.some((match) => match.from === from && match.to === to);
    const place = isKind || isDenied(mentions, span) ? undefined : search.place(phraseOf(tokens, from, to));
    if (place === undefined) continue;
    take(mentions, span);
    mentions.named = place;
    return;
  }
}

/** Sections whose words occur in names: "Joe's Pizza", "Sagrada Familia". */
const NAME_PARTS = new Set(['category', 'dish', 'ask']);

/** Treats a title with an unknown word as one name, whatever its other words mean. */
function markUnknownTitle(tokens: Tokens, mentions: Mentions, range: TokenSpan | undefined): void {
  if (range === undefined || mentions.nameTokens.has(range.from)) return;
  const isUnknown = (at: number) => mentions.open.get(at) === false;
  const isPart = (at: number) =>
    isUnknown(at) ||
    mentions.matches.some(({ section, from, to }) => from <= at && at < to && NAME_PARTS.has(section));
  let { from } = range;
  // The first word of a question is capitalized too.
  while (from < range.to && !isPart(from)) from++;
  const all = Array.from({ length: range.to - from }, (_, at) => from + at);
  if (all.length < 2 || !all.some(isUnknown)) return;
  if (!all.every((at) => isPart(at) || mentions.open.get(at) === true)) return;
  if (all.some((at) => at > from && tokens.list[at]?.apart === true)) return;
  take(mentions, { from, to: range.to });
  mentions.unknownNames.push({ from, to: range.to });
}

function isArea({ matches }: Mentions, range: TokenSpan): boolean {
  return matches.some(
    ({ section, from, to }) =>
      (section === 'area' || section === 'destination') && from <= range.from && to >= range.to,
  );
}

function rangeOf(tokens: Tokens, folded: string): TokenSpan | undefined {
  const at = tokens.text.indexOf(folded);
  if (folded === '' || at < 0) return undefined;
  const from = tokens.list.findIndex((token) => token.from === at);
  const to = tokens.list.findIndex((token) => token.to === at + folded.length);
  return from < 0 || to < 0 ? undefined : { from, to: to + 1 };
}

/** Looks up words that were not understood as an area of the records, a kind of the records, or the name of a place. */
function explainRest({ tokens, search }: MentionQuery, mentions: Mentions): void {
  for (const span of openRuns(tokens, mentions.open).slice(0, KIND_WORDS_MAX)) {
    const words = phraseOf(tokens, span.from, span.to);
    const area = search.area(words);
    const kind = area === undefined ? search.kind(words) : undefined;
    if (kind?.isKitchen === true) {
      addCuisine(mentions, { section: 'cuisine', value: kind.value, ...span });
      continue;
    }
    if (isDenied(mentions, span)) continue;
    if (area !== undefined) mentions.areas.push(area);
    if (kind !== undefined) mentions.categories.push(kind.value);
    if (area !== undefined || kind !== undefined) take(mentions, span);
  }
  const [longest] = openRuns(tokens, mentions.open)
    .filter((run) => !isDenied(mentions, run))
    .sort((a, b) => b.to - b.from - (a.to - a.from));
  if (longest === undefined || mentions.named !== undefined || !mayBeAboutOne(mentions)) return;
  const place = search.place(phraseOf(tokens, longest.from, longest.to));
  if (place === undefined) return;
  take(mentions, longest);
  mentions.named = place;
}

/**
 * Adds a cuisine that only occurs in records as if it were in the lexicon: "Nepalese restaurant" is one wish, not two.
 */
function addCuisine(mentions: Mentions, cuisine: Match): void {
  for (let at = cuisine.from; at < cuisine.to; at++) mentions.open.delete(at);
  const behind = mentions.matches.findIndex(({ from }) => from >= cuisine.to);
  mentions.matches.splice(behind < 0 ? mentions.matches.length : behind, 0, cuisine);
}

const KINDS = new Set(['category', 'cuisine', 'dish', 'diet']);
const ABOUT_ONE = new Set(['name', 'hours', 'contact', 'book']);

/**
 * True when the question may be about a single place. A kind of place means many, unless the question asks for
 * something that only a single place has.
 */
function mayBeAboutOne({ matches, categories }: Mentions): boolean {
  return (
    (categories.length === 0 && !matches.some(({ section }) => KINDS.has(section))) ||
    matches.some(({ section, value }) => section === 'intent' && ABOUT_ONE.has(value))
  );
}

function isDenied({ matches }: Mentions, { from }: TokenSpan): boolean {
  return matches.some(({ value, to }) => value === 'not' && to === from);
}

/** Spans of words that were not understood, split at commas. */
function openRuns({ list }: Tokens, open: ReadonlyMap<number, boolean>): TokenSpan[] {
  const runs: TokenSpan[] = [];
  for (const [at, { apart }] of list.entries()) {
    if (open.get(at) !== false) continue;
    const last = runs.at(-1);
    if (last?.to === at && !apart) last.to = at + 1;
    else runs.push({ from: at, to: at + 1 });
  }
  return runs;
}
