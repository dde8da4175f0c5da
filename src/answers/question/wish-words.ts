import type { Relaxed } from '../search/constraints.ts';
import type { Match } from './match-phrases.ts';
import { tiedByOr } from './read-negations.ts';
import { isHonoured, speller, type Reading } from './reading.ts';

/** The words of a question by the wish that they express. */
export interface WishWords extends Readonly<Record<Relaxed, readonly string[]>> {
  /** By a kind, a kitchen, a dish or an area. */
  byValue: ReadonlyMap<string, string>;
  /** How many places were asked for. */
  count: readonly string[];
  /** Kinds, kitchens, dishes and areas of which one is enough: "Thai or Japanese". */
  either: readonly (readonly [string, string])[];
}

/** In which words each wish was asked for, should it have to be given up. */
export function wishWords(reading: Reading): WishWords {
  const { price, clock, mentions, negations, count } = reading;
  const spelled = speller(reading);
  const of = (section: Match['section']) =>
    negations.wanted.filter((match) => match.section === section && isHonoured(match, reading));
  const words = (section: Match['section']) => of(section).map(spelled);
  const texts = (...written: (string | undefined)[]) => written.filter((one) => one !== undefined);
  return {
    byValue: new Map(negations.wanted.map((match) => [match.value, spelled(match)])),
    either: eitherPairs(reading),
    rating: of('intent')
      .filter(({ value }) => value === 'best')
      .map(spelled),
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

/** Neighbours between which "or" stands, perhaps with an article. */
function eitherPairs({ units, negations }: Reading): (readonly [string, string])[] {
  const named = negations.wanted
    .filter(({ section }) => section !== 'grammar')
    .sort((a, b) => a.from - b.from);
  return named.flatMap((match, at) => {
    const next = named[at + 1];
    if (next === undefined || next.from <= match.to) return [];
    const between = Array.from({ length: next.from - match.to }, (_, i) => match.to + i);
    return between.some((unit) => tiedByOr(units, unit, unit + 1))
      ? [[match.value, next.value] as const]
      : [];
  });
}
