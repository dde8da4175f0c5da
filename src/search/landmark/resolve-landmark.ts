import { fold, isUnspaced, wordsIn } from '../../core/text/fold.ts';
import { metresBetween, type Point } from '../../core/geo.ts';
import type { Destination, DestinationSnapshot } from '../../directory/destinations.ts';
import { areaKeyOf } from '../areas/area-key.ts';
import { areaTerm } from '../areas/area-names.ts';
import { wholeName } from '../build/place-terms.ts';
import { all, any, docsIn, spotsOf, type Expression } from '../query/expression.ts';
import { correctedStage } from '../query/loose-stages.ts';
import { nameWordExpression } from '../query/word-terms.ts';
import { term, WORLD } from '../store/keys.ts';
import type { OpenIndex } from '../store/open-index.ts';
import type { Described } from '../store/place-row.ts';
import { scoreIn } from '../store/rank.ts';
import type { FoundLandmark, Landmark } from './landmark.ts';
import { comparableNames, isNamePart, matchName } from './match-name.ts';
import { findCorner, findStreet, middleOf } from './find-street.ts';
import { destinationNames } from '../understand/destination-names.ts';
import { findAreas } from '../understand/find-area.ts';
import { hasMeaning, knownPhrase } from '../understand/known-phrase.ts';
import { isIn } from '../understand/part.ts';
import type { Part } from '../understand/phrase.ts';
import { readText, type TextReading } from '../understand/read-text.ts';

export interface LandmarkScope {
  index: OpenIndex;
  /** Number of a destination, or the world. */
  scope: number;
  destinations: DestinationSnapshot | undefined;
}

interface Candidate extends Landmark {
  /** How well the name matches: above 3 for a whole name. */
  match: number;
  weight: number;
  /** True for a kind of place that people find their way by. */
  isLandmark: boolean;
  isStation?: boolean;
}

const CANDIDATES_MAX = 64;
const OTHERS_MAX = 5;
/** Landmarks of one name this close to each other are parts of one, such as the stations of several lines. */
const SAME_M = 500;
const WHOLE = 3;
const NAMED = 2;
const STREET = 2.5;
/** A candidate that matches this much worse than the best is not what was meant. */
const WORSE = 0.5;
const SCORE_MAX = 511;
/** Kinds of places that people find their way by. */
const LANDMARK_VERTICALS = new Set(['attraction', 'transport', 'event', 'beach', 'hotel', 'market', 'other']);
const LANDMARK_BONUS = 0.4;
/** Distance beyond a destination at which a landmark still is one of its own. */
const BEYOND_DEGREES = 0.2;
const ELISION = /\b(l|d|dell|all|nell|sull|dall) (?=[aeiouhy])/g;

/**
 * How freely a phrase may be matched: every word as it is; without its kind ("centre comercial pyrenees" for a
 * department store); misspelt words; both.
 */
export const FREEDOMS = ['exact', 'without kind', 'misspelt', 'misspelt without kind'] as const;
type Freedom = (typeof FREEDOMS)[number];

/** Finds the landmark that a phrase names: the most prominent of those whose names match about equally well. */
export function resolveLandmark(
  { index, scope, destinations }: LandmarkScope,
  phrase: string,
  freedom: Freedom,
): FoundLandmark | undefined {
  const corner = freedom !== 'exact' ? undefined : findCorner(index, scope, phrase);
  if (corner !== undefined) return { landmark: corner, others: [], isNamed: true, isStation: false };
  const found = candidatesOf({ index, scope, destinations }, phrase, freedom);
  if (found.length > 0 || scope === WORLD) return best(found);
  const around = destinationOf({ index, scope, destinations });
  if (around === undefined) return undefined;
  const beyond = candidatesOf({ index, scope: WORLD, destinations }, phrase, freedom);
  return best(beyond.filter((one) => isBeside(around, one)));
}

function destinationOf({ index, scope, destinations }: LandmarkScope): Destination | undefined {
  const id = index.destination(scope)?.id;
  return destinations?.destinations.find((one) => one.id === id);
}

function isBeside({ west, south, east, north }: Destination, { lat, lng }: Point): boolean {
  const isBetween = west <= east ? lng >= west - BEYOND_DEGREES && lng <= east + BEYOND_DEGREES : true;
  return lat >= south - BEYOND_DEGREES && lat <= north + BEYOND_DEGREES && isBetween;
}

function best(candidates: readonly Candidate[]): FoundLandmark | undefined {
  const sorted = candidates.toSorted((a, b) => b.weight - a.weight);
  const [first] = sorted;
  if (first === undefined) return undefined;
  const others: Candidate[] = [];
  for (const one of sorted.slice(1))
    if (
      one.match >= first.match - WORSE &&
      [first, ...others].every((other) => metresBetween(one, other) > SAME_M)
    )
      others.push(one);
  return {
    landmark: landmarkOf(first),
    others: others.slice(0, OTHERS_MAX).map(landmarkOf),
    isNamed: first.match >= NAMED,
    isStation: first.match >= WHOLE + 1 && first.isStation === true,
  };
}

function landmarkOf({ place_id, name, lat, lng }: Landmark): Landmark {
  return { ...(place_id !== undefined && { place_id }), name, lat, lng };
}

function candidatesOf(within: LandmarkScope, phrase: string, freedom: Freedom): Candidate[] {
  const { index, scope } = within;
  const isExact = freedom === 'exact';
  const found: Candidate[] = [];
  for (const form of formsOf(index, phrase)) {
    if (isExact) found.push(...namedPlaces(index, scope, form), ...namedAreas(index, scope, form));
    const read = readText(form, within);
    if (isWhere(read)) found.push(...otherDestination(within, form));
    else if (isReadable(read)) found.push(...describedPlaces(index, read, freedom));
    if (isExact && !found.some(({ match }) => match >= WHOLE)) {
      const street = findStreet(index, read.scope, form) ?? findStreet(index, read.scope, withoutAreas(read));
      if (street !== undefined) found.push({ ...street, match: STREET, weight: STREET, isLandmark: true });
    }
    if (found.length > 0) return withoutNamesakes(index, form, found);
  }
  return found;
}

/** "Near the casino" does not mean a shop that is called Casino. */
function withoutNamesakes(index: OpenIndex, form: string, candidates: Candidate[]): Candidate[] {
  const landmarks = candidates.filter(({ isLandmark }) => isLandmark);
  return landmarks.length > 0 && knownPhrase(index, form).kinds.length > 0 ? landmarks : candidates;
}

/** The phrase as it is, without elisions ("place d armes"), and without the articles in front of it. */
function formsOf(index: OpenIndex, phrase: string): string[] {
  const forms = [phrase];
  const words = phrase.split(' ');
  while (words.length > 1 && knownPhrase(index, words[0] ?? '').isStopWord) {
    words.shift();
    forms.push(words.join(' '));
  }
  return [...new Set(forms.flatMap((form) => [form, form.replace(ELISION, '$1')]))].slice(0, FORMS_MAX);
}

const FORMS_MAX = 4;

/** True for a text that names a destination and nothing else. */
function isWhere({ destination, rest }: TextReading): boolean {
  return destination !== undefined && rest === '';
}

/** True for a text of names and kinds. Wishes and opening hours do not belong to the name of a landmark. */
function isReadable({ parts }: TextReading): boolean {
  return (
    parts.length > 0 &&
    parts.every(({ is }) => is !== 'open' && is !== 'price' && is !== 'wish' && is !== 'stars')
  );
}

/** The centre of a destination other than the one that is searched. */
function otherDestination({ index, scope, destinations }: LandmarkScope, form: string): Candidate[] {
  const destination = destinations && destinationNames(destinations).byName.get(form);
  if (destination === undefined || scope === WORLD || index.destination(scope)?.id === destination.id)
    return [];
  const { name, lat, lng } = destination;
  return [{ name, lat, lng, match: WHOLE, weight: WHOLE, isLandmark: true }];
}

function namedPlaces(index: OpenIndex, scope: number, form: string): Candidate[] {
  return placesOf(index, scope, { name: wholeName(form) }, () => WHOLE + 1);
}

function placesOf(
  index: OpenIndex,
  scope: number,
  expression: Expression,
  matchOf: (place: Described, rank: number) => number,
  weightOf: (match: number, place: Described) => number = (match) => match,
): Candidate[] {
  const found: Candidate[] = [];
  let read = 0;
  for (const spot of spotsOf(index, expression, scope, -1)) {
    if (++read > CANDIDATES_MAX) break;
    const place = index.place(spot);
    if (place?.point == null) continue;
    const { described, placeId, point } = place;
    const match = matchOf(described, spot.rank);
    if (match <= 0) continue;
    const isLandmark = LANDMARK_VERTICALS.has(described.vertical);
    const weight =
      weightOf(match, described) + scoreIn(spot.doc) / SCORE_MAX + (isLandmark ? LANDMARK_BONUS : 0);
    const isStation = described.vertical === 'transport';
    found.push({ place_id: placeId, name: described.name, ...point, match, weight, isLandmark, isStation });
  }
  return found;
}

const AREA_PLACES = 80;
const INNER_MIN = 3;

function namedAreas(index: OpenIndex, scope: number, form: string): Candidate[] {
  return findAreas(index, scope, form).flatMap((key) => {
    const points: Point[] = [];
    // The village, where a municipality has its name.
    const inner: Point[] = [];
    let name = key.replaceAll('_', ' ');
    for (const spot of spotsOf(index, areaTerm(key), scope, -1)) {
      const place = index.place(spot);
      if (place?.point != null) {
        points.push(place.point);
        const { area } = place.described;
        if (area !== null && areaKeyOf(area) === key) inner.push(place.point);
      }
      name = place?.described.areas.find((one) => areaKeyOf(one) === key) ?? name;
      if (points.length >= AREA_PLACES) break;
    }
    const middle = middleOf(inner.length >= INNER_MIN ? inner : points);
    return middle === undefined
      ? []
      : [{ name, ...middle, match: WHOLE + 1, weight: WHOLE + 1 + LANDMARK_BONUS, isLandmark: true }];
  });
}

/** Finds places whose names, kinds and areas together match every word. */
function describedPlaces(index: OpenIndex, read: TextReading, freedom: Freedom): Candidate[] {
  const { scope } = read;
  const isFuzzy = freedom.startsWith('misspelt');
  const parts = freedom.endsWith('without kind')
    ? read.parts.filter(isNamePart)
    : read.parts.filter(({ text }) => !MODIFIERS.has(text));
  const names = parts.filter(isNamePart);
  // A kind alone names a landmark only where there is a town to look in.
  if (parts.length === 0 || (names.length === 0 && (scope === WORLD || freedom !== 'exact'))) return [];
  if (freedom.endsWith('without kind') && (parts.length === read.parts.length || !isDistinct(names)))
    return [];
  const expression = isFuzzy
    ? correctedStage(
        index,
        { ...read, parts },
        { destination: scope === WORLD ? undefined : scope },
        true,
      ).expression()
    : strictly(index, parts, scope);
  const areas = names.length === 1 && names[0]?.is === 'area' ? namedAreas(index, scope, names[0].text) : [];
  if (freedom === 'without kind' && areas.length > 0) return areas;
  if (expression === undefined) return [];
  const title = titleOf(index, read, names);
  const asked = read.parts
    .filter((part) => !parts.includes(part))
    .flatMap(({ text }) => knownPhrase(index, text).kinds.flat());
  const isBareKind = names.length === 0 && title === undefined;
  const kinds = isBareKind ? parts.flatMap(({ text }) => knownPhrase(index, text).kinds.flat()) : [];
  const match = (place: Described, doc: number) => {
    if (freedom.endsWith('without kind') && isOtherKind(index, place, asked)) return 0;
    const share = matchName(place, parts, isFuzzy, ({ terms }) =>
      terms.some((one) => docsIn(index, scope, one).seek(doc) === doc),
    );
    return share > 0 && title !== undefined && hasTitle(place, title) ? share + TITLED : share;
  };
  // "The castle" is the most prominent one, whatever its name is, and no chapel that is named after a castle.
  const weigh = (share: number, { categories }: Described) =>
    categories.some((one) => kinds.includes(one)) ? WHOLE : Math.min(share, OF_OTHER_KIND);
  const places = placesOf(index, scope, expression, match, kinds.length > 0 ? weigh : undefined);
  if (title !== undefined) {
    const titled = places.filter(({ match }) => match >= TITLED);
    return titled.length > 0 || names.length > 0 || places.length > SAME_KIND_MAX ? titled : places;
  }
  return freedom.endsWith('without kind') ? places.filter(({ isLandmark }) => isLandmark) : places;
}

/** Weight of a place that has the word for a kind in its name, but is of another kind. */
const OF_OTHER_KIND = 1;
/** Added to the match of a place with the whole title, which is more than any other match. */
const TITLED = 4;
/** Of so few places of a kind, the most prominent is the one of the town: "Bali airport". */
const SAME_KIND_MAX = 8;

/**
 * Returns the name of a town in front of words for a kind, as in "Tokyo Station", which is a name: not any station of the
 * town is meant.
 */
function titleOf(
  index: OpenIndex,
  { text, rest, destination }: TextReading,
  names: readonly Part[],
): string | undefined {
  if (destination === undefined || !text.endsWith(rest)) return undefined;
  const title = text.slice(0, -rest.length).trim();
  const isGeneric = (word: string) => {
    const known = knownPhrase(index, word);
    return hasMeaning(known) || known.weak.length > 0;
  };
  return title !== '' && names.every(({ words }) => words.every(isGeneric)) ? title : undefined;
}

function hasTitle(place: Described, title: string): boolean {
  const isInside = (name: string) =>
    isUnspaced(title) ? name.includes(title) : ` ${name} `.includes(` ${title} `);
  return comparableNames(place).some(isInside);
}

/** True when the name of a place says that it is of another kind: a theatre, when a museum was asked for. */
function isOtherKind(index: OpenIndex, place: Described, asked: readonly string[]): boolean {
  // A place that is named after a station lies beside it.
  if (asked.length === 0 || asked.some((kind) => /station|stop|halt/.test(kind))) return false;
  return [place.name, place.names?.['en'] ?? ''].some((name) => {
    const kinds = wordsIn(fold(name)).flatMap((word) => knownPhrase(index, word).kinds.flat());
    return kinds.length > 0 && !kinds.some((one) => asked.includes(one));
  });
}

/** False for names such as "old", which say nothing without their kind. */
function isDistinct(names: readonly Part[]): boolean {
  const text = names.map(({ text }) => text).join('');
  return text.length > SHORT_NAME || !/^[a-z]*$/.test(text);
}

const SHORT_NAME = 4;

/** Words that single out the main one of its kind, which prominence does as well. */
const MODIFIERS = new Set('central centrale centraal main principal principale haupt'.split(' '));

/** Requires each part in the name, as a kind, or as the area. */
function strictly(index: OpenIndex, parts: readonly Part[], scope: number): Expression | undefined {
  const conditions = parts.map((part) => {
    const named = all(part.words.map((word) => nameWordExpression(index, word, scope)));
    const lies = all(part.words.map((word) => term('p', word)));
    const isKnown = part.words.every((word) => isIn(index, scope, term('p', word)));
    return any([
      ...part.terms.filter((one) => isIn(index, scope, one)),
      ...(named === undefined ? [] : [named]),
      ...(isKnown && lies !== undefined ? [lies] : []),
    ]);
  });
  return conditions.includes(undefined) ? undefined : all(conditions as Expression[]);
}

function withoutAreas({ rest, parts }: TextReading): string {
  const areas = parts.filter(({ is }) => is === 'area');
  return areas
    .reduce((text, { text: area }) => text.replace(area, ' '), rest)
    .replace(/\s+/g, ' ')
    .trim();
}
