import { findLandmark } from './find-landmark.ts';
import type { Match } from '../match-phrases.ts';
import { take, type MentionQuery, type Mentions } from './mentions.ts';
import { foldWords, phraseOf, type Span, type Units } from '../units.ts';

const TITLES_MAX = 2;
const KIND_WORDS_MAX = 3;
/** Words with capitals that belong together, also over a small word: "Museum of the Sea". */
const TITLE =
  /\p{Lu}[\p{L}\p{N}’'.&-]*(?:\s(?:(?:of|the|de|del|della|di|da|do|du|des|la|le|les|el|y|e|und|&|n)\s)*\p{Lu}[\p{L}\p{N}’'.&-]*)+/gu;
const QUOTED = /["“«„]([^"”»“]{2,80})["”»“]/gu;

/** Finds places and areas that are named: near what, about which place, in an area that only records know. */
export function findMentions(query: MentionQuery): Mentions {
  const mentions: Mentions = {
    matches: [...query.matched.matches],
    open: new Map(query.matched.open),
    areas: [],
    categories: [],
    nearArea: false,
    landmark: undefined,
    named: undefined,
    taken: new Set(),
    unknownNames: [],
    unknownLandmark: undefined,
  };
  findLandmark(query, mentions);
  findTitles(query, mentions);
  explainRest(query, mentions);
  return mentions;
}

/** Quoted words and words with capitals may be the name of a place, even if they are made of ordinary words. */
function findTitles({ units, language, raw, search }: MentionQuery, mentions: Mentions): void {
  const titles = [
    ...[...raw.matchAll(QUOTED)].map(([, text = '']) => text),
    ...[...raw.matchAll(TITLE)].map(([text]) => text),
  ].slice(0, TITLES_MAX);
  for (const title of titles) {
    for (const words of [title, title.replace(/^\S+\s/, '')]) {
      const range = rangeOf(units, foldWords(words));
      if (range === undefined || mentions.taken.has(range.from) || isArea(mentions, range)) continue;
      const place = search.place(words, false);
      if (place === undefined) continue;
      take(mentions, range);
      mentions.named ??= place;
      return;
    }
    // German writes every noun with a capital.
    if (language !== 'de') takeUnknownTitle(units, mentions, rangeOf(units, foldWords(title)));
  }
}

/** Sections whose words names are made of: "Joe's Pizza", "Sagrada Familia". */
const NAME_PARTS = new Set(['category', 'dish', 'ask']);

/** A title with a word that nobody knows is a name as a whole, whatever its other words may mean. */
function takeUnknownTitle(units: Units, mentions: Mentions, range: Span | undefined): void {
  if (range === undefined || mentions.taken.has(range.from)) return;
  const isUnknown = (at: number) => mentions.open.get(at) === false;
  const isPart = (at: number) =>
    isUnknown(at) ||
    mentions.matches.some(({ section, from, to }) => from <= at && at < to && NAME_PARTS.has(section));
  let { from } = range;
  // A question begins with a capital too.
  while (from < range.to && !isPart(from)) from++;
  const all = Array.from({ length: range.to - from }, (_, at) => from + at);
  if (all.length < 2 || !all.some(isUnknown)) return;
  if (!all.every((at) => isPart(at) || mentions.open.get(at) === true)) return;
  if (all.some((at) => at > from && units.units[at]?.apart === true)) return;
  take(mentions, { from, to: range.to });
  mentions.unknownNames.push({ from, to: range.to });
}

function isArea({ matches }: Mentions, range: Span): boolean {
  return matches.some(
    ({ section, from, to }) =>
      (section === 'area' || section === 'destination') && from <= range.from && to >= range.to,
  );
}

function rangeOf(units: Units, folded: string): Span | undefined {
  const at = units.text.indexOf(folded);
  if (folded === '' || at < 0) return undefined;
  const from = units.units.findIndex((unit) => unit.from === at);
  const to = units.units.findIndex((unit) => unit.to === at + folded.length);
  return from < 0 || to < 0 ? undefined : { from, to: to + 1 };
}

/** Words that nobody understood: an area of the records, a kind of the records, or the name of a place. */
function explainRest({ units, search }: MentionQuery, mentions: Mentions): void {
  for (const span of openRuns(units, mentions.open).slice(0, KIND_WORDS_MAX)) {
    const words = phraseOf(units, span.from, span.to);
    const area = search.area(words);
    const kind = area === undefined ? search.kind(words) : undefined;
    if (kind?.isKitchen === true) {
      addKitchen(mentions, { section: 'cuisine', value: kind.value, ...span });
      continue;
    }
    if (isDenied(mentions, span)) continue;
    if (area !== undefined) mentions.areas.push(area);
    if (kind !== undefined) mentions.categories.push(kind.value);
    if (area !== undefined || kind !== undefined) take(mentions, span);
  }
  const [longest] = unexplained(units, mentions).sort((a, b) => b.to - b.from - (a.to - a.from));
  if (longest === undefined || mentions.named !== undefined || !mayBeAboutOne(mentions)) return;
  const place = search.place(phraseOf(units, longest.from, longest.to), false);
  if (place === undefined) return;
  take(mentions, longest);
  mentions.named = place;
}

/** A kitchen that only records know is read like one of the lexicon: "Nepalese restaurant" is one wish, not two. */
function addKitchen(mentions: Mentions, kitchen: Match): void {
  for (let at = kitchen.from; at < kitchen.to; at++) mentions.open.delete(at);
  const behind = mentions.matches.findIndex(({ from }) => from >= kitchen.to);
  mentions.matches.splice(behind < 0 ? mentions.matches.length : behind, 0, kitchen);
}

const KINDS = new Set(['category', 'cuisine', 'dish', 'diet']);
const ABOUT_ONE = new Set(['name', 'hours', 'contact', 'book']);

/** Who asks for a kind of place means many, unless something is asked that only one place has. */
function mayBeAboutOne({ matches, categories }: Mentions): boolean {
  return (
    (categories.length === 0 && !matches.some(({ section }) => KINDS.has(section))) ||
    matches.some(({ section, value }) => section === 'intent' && ABOUT_ONE.has(value))
  );
}

/** Stretches of words that nobody understood and nobody ruled out. */
function unexplained(units: Units, mentions: Mentions): Span[] {
  return openRuns(units, mentions.open).filter((run) => !isDenied(mentions, run));
}

function isDenied({ matches }: Mentions, { from }: Span): boolean {
  return matches.some(({ value, to }) => value === 'not' && to === from);
}

/** Stretches of words that nobody understood. A comma divides them. */
export function openRuns({ units }: Units, open: ReadonlyMap<number, boolean>): Span[] {
  const runs: Span[] = [];
  for (const [at, { apart }] of units.entries()) {
    if (open.get(at) !== false) continue;
    const last = runs.at(-1);
    if (last?.to === at && !apart) last.to = at + 1;
    else runs.push({ from: at, to: at + 1 });
  }
  return runs;
}
