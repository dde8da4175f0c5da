import type { Match, Matched } from './match-phrases.ts';
import { foldWords, phraseOf, wordAt, type Units } from './units.ts';

/** A place of the directory that was named in a question. */
export interface NamedPlace {
  place_id: string;
  name: string;
  lat: number;
  lng: number;
}

/** What the index is asked about words that no lexicon explains. */
export interface NameSearch {
  /** A place with this whole name; with `part`, one whose name has all of these words. */
  place(words: string, part: boolean): NamedPlace | undefined;
  /** An area as records write it. */
  area(words: string): string | undefined;
  /** Whether there are places of such a kind. */
  isKind(word: string): boolean;
}

export interface Mentions {
  matches: Match[];
  open: Map<number, boolean>;
  areas: string[];
  categories: string[];
  nearArea: boolean;
  landmark: NamedPlace | undefined;
  unknownLandmark: boolean;
  named: NamedPlace | undefined;
  /** Units that are part of a name. */
  taken: Set<number>;
  /** Words that stay unexplained. */
  rest: string[];
}

interface MentionQuery {
  units: Units;
  matched: Matched;
  raw: string;
  search: NameSearch;
}

const LANDMARK_WORDS_MAX = 6;
const LANDMARK_TRIES = 3;
const TITLES_MAX = 2;
const KIND_WORDS_MAX = 3;
/** What ends the name of a landmark. */
const ENDS = new Set(['time', 'price', 'grammar', 'intent', 'number', 'party', 'ask', 'diet']);
/** Words with capitals that belong together, also over a small word: "Museum of the Sea". */
const TITLE =
  /\p{Lu}[\p{L}\p{N}’'.&-]*(?:\s(?:(?:of|the|de|del|della|di|da|do|du|des|la|le|les|el|y|e|und|&|n)\s)*\p{Lu}[\p{L}\p{N}’'.&-]*)+/gu;
const QUOTED = /["“«„]([^"”»“]{2,80})["”»“]/gu;

/** Finds places and areas that are named: near what, about which place, in an area that only records know. */
export function findMentions(asked: MentionQuery): Mentions {
  const { matched } = asked;
  const mentions: Mentions = {
    matches: [...matched.matches],
    open: new Map(matched.open),
    areas: [],
    categories: [],
    nearArea: false,
    landmark: undefined,
    unknownLandmark: false,
    named: undefined,
    taken: new Set(),
    rest: [],
  };
  findLandmark(asked, mentions);
  findTitles(asked, mentions);
  explainRest(asked, mentions);
  return mentions;
}

/** Units that turned out to be a name say nothing else. */
function take(mentions: Mentions, from: number, to: number): void {
  mentions.matches = mentions.matches.filter((match) => match.to <= from || match.from >= to);
  for (let at = from; at < to; at++) {
    mentions.open.delete(at);
    mentions.taken.add(at);
  }
}

function findLandmark({ units, search }: MentionQuery, mentions: Mentions): void {
  const near = mentions.matches.find(({ section, value }) => section === 'grammar' && value === 'near');
  const after = mentions.matches.find(
    ({ section, value }) => section === 'grammar' && value === 'near_after',
  );
  if (after !== undefined) {
    mentions.nearArea = mentions.matches.some(
      ({ section, to }) => section === 'area' && after.from - to <= 1,
    );
    return;
  }
  if (near === undefined) return;
  const start = skipSmall(near.to, mentions.open);
  const next = mentions.matches.find(({ from }) => from >= start);
  if (next?.from === start && (next.section === 'area' || next.section === 'destination')) {
    mentions.nearArea = next.section === 'area';
    return;
  }
  const end = endOfName(units, mentions, start);
  let tries = 0;
  for (let to = end; to > start && tries < LANDMARK_TRIES; to--) {
    if (mentions.open.get(to - 1) === true) continue;
    tries++;
    const words = phraseOf(units, start, to);
    const area = search.area(words);
    const place = area === undefined ? search.place(words, !isKindOnly(mentions, start, to)) : undefined;
    if (area === undefined && place === undefined) continue;
    take(mentions, start, to);
    if (area !== undefined) mentions.areas.push(area);
    mentions.nearArea = area !== undefined;
    mentions.landmark = place;
    return;
  }
  const area = mentions.matches.find((one) => one.section === 'area' && one.from >= start && one.to <= end);
  mentions.nearArea = area !== undefined;
  mentions.unknownLandmark = end > start && area === undefined;
  // "near a park", "near Kuta beach": what stands there is no kind of place that is looked for.
  take(mentions, start, end);
  if (area !== undefined) mentions.matches.push(area);
}

/** A kind of place is no name, although many names have it in them. */
function isKindOnly({ open }: Mentions, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (open.get(at) === false) return false;
  return true;
}

function skipSmall(at: number, open: ReadonlyMap<number, boolean>): number {
  let start = at;
  while (open.get(start) === true) start++;
  return start;
}

function endOfName(units: Units, mentions: Mentions, start: number): number {
  let end = start;
  while (end < units.units.length && end - start < LANDMARK_WORDS_MAX) {
    const match = mentions.matches.find(({ from, to }) => from <= end && end < to);
    if (match !== undefined && ENDS.has(match.section)) break;
    if (match === undefined && mentions.open.get(end) === true && end > start && isJoint(wordAt(units, end)))
      break;
    end = match?.to ?? end + 1;
  }
  return end;
}

const JOINTS = new Set([
  'for',
  'that',
  'which',
  'where',
  'open',
  'in',
  'and',
  'or',
  'is',
  'on',
  'at',
  'que',
  'para',
  'pour',
  'ouvert',
  'abierto',
  'yang',
  'untuk',
  'das',
  'für',
  'fur',
  'con',
  'com',
]);

function isJoint(word: string): boolean {
  return JOINTS.has(word);
}

/** Quoted words and words with capitals may be the name of a place, even if they are made of ordinary words. */
function findTitles({ units, raw, search }: MentionQuery, mentions: Mentions): void {
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
      take(mentions, range.from, range.to);
      mentions.named ??= place;
      return;
    }
  }
}

function isArea({ matches }: Mentions, range: { from: number; to: number }): boolean {
  return matches.some(
    ({ section, from, to }) =>
      (section === 'area' || section === 'destination') && from <= range.from && to >= range.to,
  );
}

function rangeOf(units: Units, folded: string): { from: number; to: number } | undefined {
  const at = units.text.indexOf(folded);
  if (folded === '' || at < 0) return undefined;
  const from = units.units.findIndex((unit) => unit.from === at);
  const to = units.units.findIndex((unit) => unit.to === at + folded.length);
  return from < 0 || to < 0 ? undefined : { from, to: to + 1 };
}

/** Words that nobody understood: an area of the records, a kind of the records, or the name of a place. */
function explainRest({ units, search }: MentionQuery, mentions: Mentions): void {
  const runs = runsOf(units, mentions);
  for (const { from, to } of runs.slice(0, KIND_WORDS_MAX)) {
    const words = phraseOf(units, from, to);
    const area = search.area(words);
    if (area !== undefined) mentions.areas.push(area);
    else if (search.isKind(words)) mentions.categories.push(words.replaceAll(' ', '_'));
    else continue;
    take(mentions, from, to);
  }
  const left = runsOf(units, mentions);
  mentions.rest = left.flatMap(({ from, to }) => phraseOf(units, from, to).split(' '));
  const [longest] = left.sort((a, b) => b.to - b.from - (a.to - a.from));
  if (longest === undefined || mentions.named !== undefined || !mayBeAboutOne(mentions)) return;
  const place = search.place(phraseOf(units, longest.from, longest.to), false);
  if (place === undefined) return;
  take(mentions, longest.from, longest.to);
  mentions.named = place;
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

function runsOf(units: Units, { open, matches }: Mentions): { from: number; to: number }[] {
  const denied = new Set(matches.filter(({ value }) => value === 'not').map(({ to }) => to));
  const runs: { from: number; to: number }[] = [];
  for (let at = 0; at < units.units.length; at++) {
    if (open.get(at) !== false || /^\d+$/.test(wordAt(units, at))) continue;
    const last = runs.at(-1);
    if (last?.to === at) last.to = at + 1;
    else runs.push({ from: at, to: at + 1 });
  }
  return runs.filter(({ from }) => !denied.has(from));
}
