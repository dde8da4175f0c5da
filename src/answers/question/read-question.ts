import type { Destination } from '../../directory/destinations.ts';
import { DAY_MINUTES, dateOfDay } from '../../directory/hours/compile/compiled-hours.ts';
import { localMinuteOf } from '../../directory/hours/zone-clock.ts';
import { destinationWords } from './destination-words.ts';
import { DISHES, verticalOf, type Language } from './lexicon.ts';
import { maskContacts, withoutMarks } from './mask-contacts.ts';
import { findMentions, type NameSearch, type NamedPlace } from './find-mentions.ts';
import { matchPhrases, type Match } from './match-phrases.ts';
import { readClock } from './read-clock.ts';
import { readNegations } from './read-negations.ts';
import { readParty } from './read-party.ts';
import { readTime, type AskedTime } from './read-time.ts';
import { unitsOf } from './units.ts';

/** What a traveller asked for, in words of the directory. Lists are alternatives. */
export interface Question {
  language: Language;
  categories: string[];
  cuisines: string[];
  /** Dishes: the directory knows kinds of places, so these are what was meant, not what can be looked up. */
  dishes: string[];
  diets: string[];
  areas: string[];
  price: 'cheap' | 'moderate' | 'expensive' | undefined;
  time: AskedTime | undefined;
  party: number | undefined;
  /** Kinds, kitchens and areas that are not wanted, and words of names. */
  without: string[];
  withoutNames: string[];
  /** Whether the area was given as something to be near to, not in. */
  nearArea: boolean;
  landmark: NamedPlace | undefined;
  /** A place that the question is about. */
  named: NamedPlace | undefined;
  /** Whether something to be near to was named that the directory does not know. */
  unknownLandmark: boolean;
  /** What was wished for that no record says anything about. */
  asks: Set<string>;
  out: Set<string>;
  intents: Set<string>;
  /** Words that stay unexplained. */
  rest: readonly string[];
  /** Whether contact details were taken out. */
  masked: boolean;
}

const BUDGET =
  /[€$£¥]\s?\d+(?:[.,]\d+)?|(?<![\d.,])\d+(?:[.,]\d+)?\s?(?:euros?|dollars?|usd|eur|yen|円|pounds|bucks|dólares|reais|rupiah|€|£|¥)(?!\p{L})/giu;
const EVENING_KINDS = new Set(['restaurant', 'bar', 'nightclub']);
/** A meal says what is looked for, where nothing else does. */
const MEAL_KINDS: Readonly<Record<string, string>> = {
  lunch: 'restaurant',
  dinner: 'restaurant',
  breakfast: 'cafe',
};

/** Understands a question by words alone. `search` asks the index for places and areas by name. */
export function readQuestion(
  question: string,
  destination: Destination,
  now: Date,
  search: NameSearch,
): Question {
  const { text, masked } = maskContacts(question);
  const localNow = localMinuteOf(destination.timezone, now);
  const today = dateOfDay(Math.floor(localNow / DAY_MINUTES));
  const plain = withoutMarks(text);
  const budget = plain.replace(BUDGET, ' ');
  const clock = readClock(budget, today);
  const units = unitsOf(clock.rest);
  const matched = matchPhrases(units, destinationWords(destination));
  const mentions = findMentions({ units, matched, raw: clock.rest, search });
  const { wanted, without, withoutNames } = readNegations(units, mentions.matches, mentions.open);
  const values = (section: Match['section']) => [
    ...new Set(wanted.filter((one) => one.section === section).map(({ value }) => value)),
  ];
  const said = new Set(values('time'));
  const asks = new Set(values('ask'));
  if (budget !== plain) asks.add('budget');
  const categories = readCategories(wanted, said, [...mentions.categories], asks);
  const kinds = categories.map(verticalOf);
  const eats = categories.length === 0 && (values('cuisine').length > 0 || values('dish').length > 0);
  const evening = eats || kinds.some((kind) => EVENING_KINDS.has(kind ?? ''));
  return {
    language: matched.language,
    categories,
    cuisines: values('cuisine'),
    dishes: values('dish').filter((dish) => DISHES[dish] !== undefined),
    diets: values('diet'),
    areas: [...new Set([...values('area'), ...mentions.areas])],
    price: values('price')[0] as Question['price'],
    time: readTime(said, clock, localNow, evening),
    party: readParty(units, mentions.matches),
    without,
    withoutNames,
    nearArea: mentions.nearArea,
    landmark: mentions.landmark,
    named: mentions.named,
    unknownLandmark: mentions.unknownLandmark,
    asks,
    out: new Set(values('out')),
    intents: new Set(values('intent')),
    rest: mentions.rest,
    masked,
  };
}

/** The kinds that are looked for: what follows "with" is a wish about them, and pizza says more than restaurant. */
function readCategories(
  wanted: readonly Match[],
  said: ReadonlySet<string>,
  found: readonly string[],
  asks: Set<string>,
): string[] {
  const kinds: string[] = [...found];
  let withEnds = -1;
  for (const { section, value, from, to } of wanted) {
    if (section === 'grammar' && value === 'with') withEnds = to;
    if (section !== 'category') continue;
    if (kinds.length > 0 && withEnds >= 0 && from - withEnds <= 1) asks.add('facility');
    else kinds.push(value);
  }
  if (kinds.length === 0 && !wanted.some(({ section }) => section === 'cuisine' || section === 'dish')) {
    const meal = Object.keys(MEAL_KINDS).find((part) => said.has(part));
    if (meal !== undefined) kinds.push(MEAL_KINDS[meal] ?? '');
  }
  const general = new Set(
    kinds.filter((kind) => kinds.some((other) => other !== kind && verticalOf(other) === kind)),
  );
  return [...new Set(kinds.filter((kind) => !general.has(kind)))];
}
