import type { Destination } from '../../../directory/destinations.ts';
import type { Wish } from '../../../directory/place/facts.ts';
import { DAY_MINUTES, dateOfDay, dayNumber } from '../../../directory/hours/compile/compiled-hours.ts';
import { publicHolidays } from '../../../directory/hours/osm/holiday-calendar.ts';
import { localMinuteOf } from '../../../directory/hours/zone-clock.ts';
import { destinationWords } from './names/destination-words.ts';
import type { FoundLandmark } from '../../landmark/landmark.ts';
import { findMentions } from './names/find-mentions.ts';
import type { NameSearch, NamedPlace } from './names/mentions.ts';
import { ASKED_WISHES, DISHES, cuisinesOf, verticalOf, type Language } from '../lexicon/lexicon.ts';
import { maskContacts, withoutMarks } from './mask-contacts.ts';
import { bindAdjectives } from './bind-adjectives.ts';
import { languageOf, matchPhrases, type Match, type Matched } from './match-phrases.ts';
import { readClock } from './time/read-clock.ts';
import { isLodging, readKinds, type Kinds } from './read-kinds.ts';
import { readNegations } from './read-negations.ts';
import { readCount, readParty } from './read-party.ts';
import { readPrice } from './figures/read-price.ts';
import { readRating, type Bound } from './figures/read-rating.ts';
import { HABITS, readTime, type AskedTime, type Habit } from './time/read-time.ts';
import type { PhraseLookup } from './joints.ts';
import type { Reading } from './reading.ts';
import { PARTY_LARGE, unansweredParts } from './unanswered.ts';
import { dietGroups, isApart, wishWords, type WishWords } from './wish-words.ts';
import { phraseOf, tokensOf, type TokenSpan } from '../tokens.ts';

/** A traveller's question in terms of the directory. Lists are alternatives. */
export interface Question {
  language: Language;
  categories: string[];
  cuisines: string[];
  /** Dishes that were meant. They cannot be looked up, because the directory only has kinds of places. */
  dishes: string[];
  diets: string[];
  /** One diet of each group must be satisfied. */
  dietGroups: string[][];
  /** True when kinds, cuisines and dishes are alternatives: "sushi or Thai". */
  apart: boolean;
  areas: string[];
  /** Levels of price_range; empty when no price was named. */
  prices: readonly string[];
  rating: Bound | undefined;
  reviews: Bound | undefined;
  time: AskedTime | undefined;
  /** True when the place must be open around the clock. */
  aroundClock: boolean;
  past: boolean;
  party: number | undefined;
  count: number | undefined;
  /** Kinds, cuisines and areas to exclude. */
  without: string[];
  withoutNames: string[];
  /** True when the places should be near the area instead of in it. */
  nearArea: boolean;
  landmark: FoundLandmark | undefined;
  /** The place that the question is about. */
  named: NamedPlace | undefined;
  /** The named landmark if it is not in the directory, otherwise empty. */
  unknownLandmark: string;
  /** True when there are words that were not understood, which may be the subject of the question. */
  unknownWords: boolean;
  /** Wishes that no record answers, by their lexicon values. */
  asks: Set<string>;
  /** Wishes that the facts of a place may answer. */
  wishes: Wish[];
  out: Set<string>;
  intents: Set<string>;
  /** Parts of the question that none of the above covers, in the question's own words. */
  unanswered: readonly string[];
  words: WishWords;
  masked: boolean;
}

export const PRICES: Readonly<Record<string, readonly string[]>> = {
  cheap: ['$'],
  moderate: ['$$'],
  expensive: ['$$$', '$$$$'],
};
const EVENING_KINDS = new Set(['restaurant', 'bar', 'nightclub']);
const EARLY_KINDS = new Set(
  'cafe gym market attraction tour boat beach shop transport taxi clinic other'.split(' '),
);

export interface AskedIn {
  destination: Destination;
  now: Date;
  /** Looks up places and areas by name in the index. */
  search: NameSearch;
}

export function readQuestion(
  question: string,
  lookup: PhraseLookup,
  { destination, now, search }: AskedIn,
): Question {
  const { text, masked } = maskContacts(question);
  const localNow = localMinuteOf(destination.timezone, now);
  const language = languageOf(text, lookup);
  const rating = readRating(withoutMarks(text));
  const price = readPrice(rating.rest);
  const clock = readClock(price.rest, dateOfDay(Math.floor(localNow / DAY_MINUTES)), language);
  const tokens = tokensOf(clock.rest);
  const wording = { tokens, language };
  const matched = matchPhrases(wording, lookup, destinationWords(destination));
  const party = readParty(tokens, matched);
  const count = party === undefined ? readCount(tokens, matched) : undefined;
  const query = { ...wording, matched: withoutSpan(matched, party), raw: clock.rest, search };
  const mentions = findMentions(query);
  mentions.matches = bindAdjectives(wording, mentions.matches);
  const negations = readNegations(wording, mentions.matches, mentions.open);
  const values = (section: Match['section']) => valuesOf(negations.wanted, section);
  const asks = new Set([...values('ask'), ...valuesOf(negations.unknown, 'ask')]);
  if (clock.date !== undefined && isHoliday(destination, clock.date, now)) asks.add('holiday');
  const timeWords = new Set(values('time'));
  const kinds = readKinds(wording, negations, timeWords, mentions.categories);
  const read = readTime(timeWords, clock, localNow, habitOf(kinds, values('cuisine'), values('dish')));
  // Opening hours are unknown on holidays, and beds are let by the night, whatever the hours of the reception.
  const untimed = asks.has('holiday') || isLodging(kinds);
  const prices = pricesOf(price.levels, values('price'));
  const phrase = ({ from, to }: TokenSpan) => phraseOf(tokens, from, to);
  if (price.unknown.length > 0) asks.add('budget');
  if (kinds.facilities.length > 0) asks.add('facility');
  if (party !== undefined && party.size > PARTY_LARGE) asks.add('party');
  const reading: Reading = {
    language,
    lookup,
    text,
    tokens,
    price,
    rating,
    priceWords: prices.words,
    clock,
    timeWords: new Set([...kinds.meals, ...(untimed ? [] : read.used)]),
    timed: !untimed && !read.past,
    party,
    count,
    mentions,
    negations,
    deniedNames: negations.names.filter((span) => search.place(phrase(span)) !== undefined),
    kinds,
  };
  return {
    language,
    categories: kinds.categories,
    cuisines: [...new Set(values('cuisine').flatMap(cuisinesOf))],
    dishes: values('dish').filter((dish) => DISHES[dish] !== undefined),
    diets: values('diet'),
    dietGroups: dietGroups(wording, negations.wanted),
    apart: isApart(wording, negations.wanted),
    areas: [...new Set([...values('area'), ...mentions.areas])],
    prices: prices.levels,
    rating: rating.rating,
    reviews: rating.reviews,
    time: untimed ? undefined : read.time,
    aroundClock: !untimed && read.used.has('around_clock'),
    past: read.past && !untimed,
    party: party?.size,
    count: count?.size,
    without: negations.without,
    withoutNames: negations.names.map(phrase),
    nearArea: mentions.nearArea,
    landmark: mentions.landmark,
    named: mentions.named,
    unknownLandmark: mentions.unknownLandmark === undefined ? '' : phrase(mentions.unknownLandmark),
    unknownWords:
      mentions.unknownNames.length > 0 ||
      [...mentions.open.values()].includes(false) ||
      matched.matches.some(({ section, value }) => section === 'ask' && value === 'object'),
    asks,
    wishes: [...new Set(values('ask').flatMap((ask) => ASKED_WISHES[ask] ?? []))],
    out: new Set(values('out')),
    intents: new Set(values('intent')),
    unanswered: unansweredParts(reading),
    words: wishWords(reading),
    masked,
  };
}

/** Days treated as holidays everywhere, whatever the law of the country. */
const HOLIDAYS = new Set(['12-24', '12-25', '12-26', '12-31', '01-01']);

/** True for a public holiday, when the regular weekly hours are unreliable. */
function isHoliday(destination: Destination, date: string, now: Date): boolean {
  if (HOLIDAYS.has(date.slice('YYYY-'.length))) return true;
  const from = dayNumber(date);
  return publicHolidays(destination, { from, until: from + 1 }, now)?.has(from) === true;
}

function valuesOf(matches: readonly Match[], section: Match['section']): string[] {
  return [...new Set(matches.filter((one) => one.section === section).map(({ value }) => value))];
}

/** Removes the span of the party size, which has no other meaning. */
function withoutSpan(matched: Matched, span: TokenSpan | undefined): Matched {
  const open = new Map(matched.open);
  for (let at = span?.from ?? 0; at < (span?.to ?? 0); at++) open.delete(at);
  const matches = matched.matches.filter(
    ({ section, from, to }) =>
      span === undefined || section === 'grammar' || from >= span.to || to <= span.from,
  );
  return { ...matched, matches, open };
}

function habitOf({ categories }: Kinds, cuisines: readonly string[], dishes: readonly string[]): Habit {
  if (categories.includes('brunch')) return HABITS.brunch;
  const verticals = categories.map((kind) => verticalOf(kind) ?? '');
  if (verticals.length > 0 && verticals.every((one) => one === 'nightclub')) return HABITS.night;
  const eats = categories.length === 0 && cuisines.length + dishes.length > 0;
  if (eats || verticals.some((one) => EVENING_KINDS.has(one))) return HABITS.evening;
  return verticals.some((one) => EARLY_KINDS.has(one)) ? HABITS.early : HABITS.day;
}

/** Combines written levels with price words. Of contradicting words, the first one counts. */
function pricesOf(
  levels: readonly string[] | undefined,
  words: readonly string[],
): { levels: readonly string[]; words: Set<string> } {
  let combined = levels;
  const used = new Set<string>();
  for (const word of words) {
    const both = (PRICES[word] ?? []).filter((level) => combined?.includes(level) !== false);
    if (both.length === 0) continue;
    combined = both;
    used.add(word);
  }
  return { levels: combined ?? [], words: used };
}
