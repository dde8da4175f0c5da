import type { Relaxed } from '../search/constraints.ts';
import { ASKED_WISHES } from '../search/wishes.ts';
import type { Match } from './match-phrases.ts';
import { tiedByAnd, tiedByOr, type Wording } from './joints.ts';
import { kitchensOf } from './lexicon.ts';
import { isHonoured, speller, type Reading } from './reading.ts';

/** The words of a question by the wish that they express. */
export interface WishWords extends Readonly<Record<Relaxed, readonly string[]>> {
  /** By a kind, a kitchen, a dish or an area. */
  byValue: ReadonlyMap<string, string>;
  /** By what the facts of a place may answer. */
  byWish: ReadonlyMap<string, readonly string[]>;
  /** How many places were asked for. */
  count: readonly string[];
  /** Kinds, kitchens, dishes and areas of which one is enough: "Thai or Japanese". */
  either: readonly (readonly [string, string])[];
}

/** In which words each wish was asked for, should it have to be given up. */
export function wishWords(reading: Reading): WishWords {
  const { price, rating, clock, mentions, negations, count } = reading;
  const spelled = speller(reading);
  const of = (section: Match['section']) =>
    negations.wanted.filter((match) => match.section === section && isHonoured(match, reading));
  const words = (section: Match['section']) => of(section).map(spelled);
  const texts = (...written: (string | undefined)[]) => written.filter((one) => one !== undefined);
  return {
    byValue: new Map(
      negations.wanted.flatMap((match) => kitchensOf(match.value).map((value) => [value, spelled(match)])),
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

/** Neighbours between which "or" stands; of a word for many kitchens each goes with each. */
function eitherPairs(reading: Reading): (readonly [string, string])[] {
  const { negations } = reading;
  const tied = neighbours(negations.wanted).filter(([first, second]) => tiedByOr(reading, first, second));
  const groups = [...tied, ...negations.wanted.map((match) => [match, match] as const)].map((matches) =>
    matches.flatMap(({ value }) => kitchensOf(value)),
  );
  return groups.flatMap((values) =>
    values.flatMap((one, at) => values.slice(at + 1).map((other) => [one, other] as const)),
  );
}

const KINDS = new Set<Match['section']>(['category', 'cuisine', 'dish']);

/** Whether a kind of place and a kitchen are two things: "sushi or Thai", "a museum and some ramen". */
export function isApart(wording: Wording, wanted: readonly Match[]): boolean {
  return neighbours(wanted.filter(({ section }) => KINDS.has(section))).some(
    ([first, second]) =>
      first.section !== second.section &&
      (tiedByOr(wording, first, second) || tiedByAnd(wording, first, second)),
  );
}

/** Diets of which one is enough stand together: "vegetarian or vegan, and gluten-free". */
export function dietGroups(wording: Wording, wanted: readonly Match[]): string[][] {
  const groups: string[][] = [];
  let last: Match | undefined;
  for (const match of wanted.filter(({ section }) => section === 'diet').sort((a, b) => a.from - b.from)) {
    if (last !== undefined && tiedByOr(wording, last, match)) groups.at(-1)?.push(match.value);
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
