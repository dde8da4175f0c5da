import type { Match } from './match-phrases.ts';
import { areLinked, type Wording } from './joints.ts';
import { ASKED_WISHES, cuisinesOf } from '../lexicon/lexicon.ts';
import { isHonoured, speller, type Reading } from './reading.ts';

type WishName = 'rating' | 'price' | 'area' | 'near' | 'diet' | 'time' | 'cuisine' | 'category';

/** Words of a question, by the wish that they express. */
export interface WishWords extends Readonly<Record<WishName, readonly string[]>> {
  /** By kind, cuisine, dish or area. */
  byValue: ReadonlyMap<string, string>;
  /** By wishes that the facts of a place may answer. */
  byWish: ReadonlyMap<string, readonly string[]>;
  count: readonly string[];
  /** Pairs of kinds, cuisines, dishes or areas of which one is enough: "Thai or Japanese". */
  either: readonly (readonly [string, string])[];
}

/** Returns the words of each wish, to report those that are relaxed. */
export function wishWords(reading: Reading): WishWords {
  const { price, rating, clock, mentions, negations, count } = reading;
  const spelled = speller(reading);
  const of = (section: Match['section']) =>
    negations.wanted.filter((match) => match.section === section && isHonoured(match, reading));
  const words = (section: Match['section']) => of(section).map(spelled);
  const texts = (...values: (string | undefined)[]) => values.filter((one) => one !== undefined);
  return {
    byValue: new Map(
      negations.wanted.flatMap((match) => cuisinesOf(match.value).map((value) => [value, spelled(match)])),
    ),
    byWish: new Map(
      [...Map.groupBy(of('ask'), ({ value }) => ASKED_WISHES[value] ?? '')].map(
        ([wish, matches]) => [wish, matches.map(spelled)] as const,
      ),
    ),
    either: eitherPairs(reading),
    rating: [
      ...of('intent')
        .filter(({ value }) => value === 'best')
        .map(spelled),
      ...rating.texts,
    ],
    price: [...words('price'), ...texts(price.levelsText)],
    area: [...words('area'), ...mentions.areas],
    count: count === undefined ? [] : [spelled(count)],
    near: mentions.landmark === undefined ? [] : [spelled(mentions.landmark)],
    diet: words('diet'),
    time: [...words('time'), ...texts(clock.dateText, clock.minuteText)],
    cuisine: [...words('cuisine'), ...words('dish')],
    category: [...words('category'), ...mentions.categories],
  };
}

/** Pairs of neighbours joined by "or". A word for several cuisines pairs each with each. */
function eitherPairs(reading: Reading): (readonly [string, string])[] {
  const { negations } = reading;
  const tied = neighbours(negations.wanted).filter(([first, second]) =>
    areLinked(reading, first, second, 'or'),
  );
  const groups = [...tied, ...negations.wanted.map((match) => [match, match] as const)].map((matches) =>
    matches.flatMap(({ value }) => cuisinesOf(value)),
  );
  return groups.flatMap((values) =>
    values.flatMap((one, at) => values.slice(at + 1).map((other) => [one, other] as const)),
  );
}

const KINDS = new Set<Match['section']>(['category', 'cuisine', 'dish']);

/** True when a kind of place and a cuisine are separate wishes: "sushi or Thai", "a museum and some ramen". */
export function isApart(wording: Wording, matches: readonly Match[]): boolean {
  return neighbours(matches.filter(({ section }) => KINDS.has(section))).some(
    ([first, second]) => first.section !== second.section && areLinked(wording, first, second, 'or', 'and'),
  );
}

/** Groups diets of which one is enough: "vegetarian or vegan, and gluten-free" makes two groups. */
export function dietGroups(wording: Wording, matches: readonly Match[]): string[][] {
  const groups: string[][] = [];
  let last: Match | undefined;
  for (const match of matches.filter(({ section }) => section === 'diet').sort((a, b) => a.from - b.from)) {
    if (last !== undefined && areLinked(wording, last, match, 'or')) groups.at(-1)?.push(match.value);
    else groups.push([match.value]);
    last = match;
  }
  return groups;
}

function neighbours(matches: readonly Match[]): (readonly [Match, Match])[] {
  const named = matches.filter(({ section }) => section !== 'grammar').sort((a, b) => a.from - b.from);
  return named.flatMap((match, at) => {
    const next = named.slice(at + 1).find(({ from }) => from >= match.to);
    return next === undefined ? [] : [[match, next] as const];
  });
}
