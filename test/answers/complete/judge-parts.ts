import { foldWords as fold } from '../../../src/search/understand/tokens.ts';
import type { Answer } from '../check-facts.ts';
import { instantOf, openIn, usuallyIn, type StoredPlace } from '../directory-copy.ts';
import { readWish, type CompleteQuestion } from './questions.ts';

type Directory = ReadonlyMap<string, StoredPlace>;
type Wish = readonly [name: string, values: readonly string[]];

/** Wishes that may be given up, by the name that `relaxed` uses. */
const GIVEN_UP: Readonly<Record<string, readonly string[]>> = {
  kind: ['category', 'cuisine'],
  cuisine: ['cuisine'],
  diet: ['diet'],
  area: ['area', 'near'],
  price: ['price'],
  open: ['time'],
  rating: ['rating'],
  reviews: ['rating'],
};
/** Whether nothing of a question passed in silence, and nothing was claimed to be unknown that was honoured. */
export function judgeParts(
  asked: CompleteQuestion,
  answer: Answer,
  text: string,
  directory: Directory,
): string[] {
  const named = answer.understood['not_in_directory'] as string[];
  return [
    ...namingFaults(asked, named, answer, directory),
    ...named.filter((part) => !text.includes(part)).map((part) => `"${part}" is not in the text`),
    ...wishFaults(asked, answer),
    ...placeFaults(asked, answer, directory),
  ];
}

function namingFaults(
  asked: CompleteQuestion,
  named: readonly string[],
  answer: Answer,
  directory: Directory,
): string[] {
  const { missing, may } = asked;
  const said = ` ${named.map(fold).join(' ')} `;
  const isSaid = (word: string) => said.includes(/^[\x20-\x7e]*$/.test(word) ? ` ${word} ` : word);
  const silent = missing.filter(
    ({ words, or }) =>
      !fold(words).split(' ').every(isSaid) &&
      !(or !== undefined && isHonoured(readWish(or), answer, directory)),
  );
  const expected = [...missing.map(({ words }) => words), ...may].flatMap((part) => fold(part).split(' '));
  const isExpected = (word: string) => expected.some((one) => one === word || isUnspaced(word, one));
  const idle = named.filter((part) => {
    const words = fold(part)
      .split(' ')
      .filter((word) => word.length > 3 || isExpected(word));
    return words.filter(isExpected).length * 2 < Math.max(1, words.length);
  });
  return [
    ...silent.map(({ words }) => `"${words}" passed in silence`),
    ...(idle.length <= givenUp(answer) + absent(asked, directory)
      ? []
      : idle.map((part) => `"${part}" is named without need`)),
    ...(answer.relaxed.length > 0 && named.length === 0 ? ['what was given up is not named'] : []),
  ];
}

const TIME_WORDS_MAX = 3;

/** How many of the kinds that there should be one of each are not in town. */
function absent({ holds, destination }: CompleteQuestion, directory: Directory): number {
  const inTown = [...directory.values()].filter(({ slug }) => slug === destination);
  const kinds = holds.get('each') ?? [];
  return kinds.filter((kind) => !inTown.some((place) => fits(place, ['kind', [kind]]))).length;
}

/** How many words of wishes may be named because the wishes were given up. */
function givenUp({ relaxed, understood }: Answer): number {
  const words = relaxed.map((wish) => {
    const read = understood[wish];
    if (wish === 'time') return TIME_WORDS_MAX;
    return typeof read === 'string' ? read.split('|').length : 1;
  });
  return words.reduce((sum, one) => sum + one, 0);
}

function isUnspaced(word: string, expected: string): boolean {
  return !/^[\x20-\x7e]*$/.test(word) && (word.includes(expected) || expected.includes(word));
}

function isHonoured(wish: Wish, { places, understood }: Answer, directory: Directory): boolean {
  if (wish[0] === 'party') return String(understood.party) === wish[1][0];
  return places.length > 0 && places.every(({ place_id }) => fits(directory.get(place_id), wish));
}

/** How the question was read. */
function wishFaults({ holds }: CompleteQuestion, { understood, outcome }: Answer): string[] {
  const faults: string[] = [];
  const open = holds.get('open');
  if (open !== undefined && !open.includes(understood.open_at ?? 'none'))
    faults.push(`open_at is ${String(understood.open_at)}, not ${open.join(' or ')}`);
  const party = holds.get('party');
  if (party !== undefined && String(understood.party) !== party[0])
    faults.push(`party is ${String(understood.party)}`);
  if (holds.has('out') && outcome !== 'out_of_scope' && outcome !== 'no_match')
    faults.push(`the outcome is ${outcome}`);
  return faults;
}

function placeFaults(
  { holds, destination }: CompleteQuestion,
  answer: Answer,
  directory: Directory,
): string[] {
  const { places, relaxed } = answer;
  const wishes = [...holds].filter(([name]) => GIVEN_UP[name] !== undefined || name === 'without');
  const isGivenUp = ([name]: Wish) => GIVEN_UP[name]?.some((one) => relaxed.includes(one)) === true;
  const kept = wishes.filter((wish) => !isGivenUp(wish));
  const faults: string[] = [];
  // Where no place is known to be open, one that usually is, with the date of its hours, is right.
  const isKnown = [...directory.values()].some(
    (place) => place.slug === destination && kept.every((wish) => fits(place, wish)),
  );
  const fitsUsually = (place: StoredPlace | undefined, [name, values]: Wish) =>
    name === 'open' &&
    !isKnown &&
    place !== undefined &&
    answer.claims.some(({ place_id, field }) => place_id === place.id && field === 'hours_from') &&
    values.some((one) => usuallyIn(place, instantOf(place.timezone, one)) === true);
  for (const { place_id, name } of places) {
    const place = directory.get(place_id);
    const missed = kept.filter((wish) => !fits(place, wish) && !fitsUsually(place, wish));
    if (missed.length > 0) faults.push(`${name} is not ${missed.map(([one]) => one).join(', ')}`);
  }
  const inTown = [...directory.values()].filter(({ slug }) => slug === destination);
  const each = holds.get('each');
  const all = inTown.filter((place) =>
    [...wishes, ...(each === undefined ? [] : [['kind', each] as Wish])].every((wish) => fits(place, wish)),
  );
  const isAsked = wishes.some(([name]) => name !== 'open');
  if (isAsked && places.length === 0 && all.length > 0) faults.push('no place is named');
  if (kept.length < wishes.length && all.length > 0)
    faults.push('a wish was given up that could be fulfilled');
  for (const kind of holds.get('each') ?? [])
    if (
      inTown.some((place) => [...kept, ['kind', [kind]] as Wish].every((wish) => fits(place, wish))) &&
      !places.some(({ place_id }) => fits(directory.get(place_id), ['kind', [kind]]))
    )
      faults.push(`no place is a ${kind}`);
  const { open_at, category } = answer.understood;
  const read: Wish[] = [
    ...(open_at === null ? [] : [['open', [open_at]] as const]),
    ...(typeof category === 'string' ? [['kind', category.split('|')] as const] : []),
  ];
  const others = all.filter((place) => read.every((wish) => fits(place, wish)));
  const isAround = /(?:^|, )(?:around|near) /i.test(answer.answer);
  if (answer.answer.includes('Nothing else matches') && isAsked && !isAround && others.length > 1)
    faults.push('something else matches');
  return faults;
}

function fits(place: StoredPlace | undefined, [name, values]: Wish): boolean {
  if (place === undefined) return false;
  const kinds = [place.vertical, place.category, ...place.categories, ...place.cuisine];
  switch (name) {
    case 'diet':
      return values.some((one) => kinds.includes(one) || (one === 'vegetarian' && kinds.includes('vegan')));
    case 'area':
      return values.includes(place.area ?? '');
    case 'price':
      return values.includes(place.price_range ?? '');
    case 'without':
      return !values.some((one) => kinds.includes(one) || place.area === one);
    case 'rating':
      return (place.rating ?? 0) >= Number(values[0]);
    case 'reviews':
      return place.review_count >= Number(values[0]);
    case 'open':
      return values.some(
        (one) => one === 'none' || openIn(place, instantOf(place.timezone, one)).open === true,
      );
    default:
      return values.some((one) => kinds.includes(one));
  }
}
