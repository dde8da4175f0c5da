import { areaKeyOf } from './area-key.ts';
import { destinationKey, term } from '../store/keys.ts';
import { END, listDocs, withLists } from '../store/list.ts';
import { lengthIn } from '../store/list-parts.ts';
import { keep, type OpenIndex } from '../store/open-index.ts';
import type { Languages } from '../../core/text/languages.ts';
import { chooseDisplayName, type NamesByLanguage } from '../../directory/place/place-names.ts';
import { areaKey, areasNamed, areaTerm, namesOfArea } from './area-names.ts';

export interface CountedArea {
  name: string;
  places: number;
}

const FIRST_AREA = term('a', '');
const BEHIND_AREAS = 'b';

/** Returns the areas of a destination with the most places, except those that contain all of its places. */
export function areasIn(index: OpenIndex, destination: number, max: number): CountedArea[] {
  const { store } = index;
  const prefix = destinationKey(destination);
  const lengthOf = (key: string) => lengthIn(store.lists.getBinaryFast(key));
  const all = lengthOf(prefix + term('d', ''));
  const counted: { key: string; places: number }[] = [];
  for (const key of store.lists.getKeys({ start: prefix + FIRST_AREA, end: prefix + BEHIND_AREAS })) {
    const places = lengthOf(key);
    if (places < all) counted.push({ key, places });
  }
  counted.sort((a, b) => b.places - a.places || (a.key < b.key ? -1 : 1));
  return withLists(() =>
    counted.slice(0, max).map(({ key, places }) => {
      const area = areaKey(key.slice(prefix.length));
      return { name: nameOf(index, destination, key, area), places };
    }),
  );
}

/** Finds the area of a destination that a text names in any language, and returns its name as used by its places. */
export function areaNamed(index: OpenIndex, destination: number, text: string): string | undefined {
  const [area] = areasNamed(index, text, destination);
  if (area === undefined) return undefined;
  return withLists(() => nameOf(index, destination, destinationKey(destination) + areaTerm(area), area));
}

/** Returns the name as one of the area's places has it. */
function nameOf(index: OpenIndex, destination: number, list: string, area: string): string {
  const doc = listDocs(index.store, list).seek(0);
  const place = doc === END ? undefined : index.place({ destination, doc })?.described;
  return place?.areas.find((name) => areaKeyOf(name) === area) ?? place?.area ?? area;
}

/** Returns an area in each destination that has places in it, except where all places of the destination are. */
export function areasOfKey(index: OpenIndex, area: string): (CountedArea & { destination: string })[] {
  const lengthOf = (key: string) => lengthIn(index.store.lists.getBinaryFast(key));
  return withLists(() =>
    [...index.destinations].flatMap(([destination, { number }]) => {
      const list = destinationKey(number) + areaTerm(area);
      const places = lengthOf(list);
      if (places === 0 || places >= lengthOf(destinationKey(number) + term('d', ''))) return [];
      return [{ destination, name: nameOf(index, number, list, area), places }];
    }),
  );
}

const NO_NAMES: NamesByLanguage = {};

/** Returns the name of an area in the reader's language, or as it is if it has none there. */
export function localizedArea(
  index: OpenIndex,
  { area, country }: { area: string; country: string },
  languages: Languages,
): string {
  const names =
    index.areaNames.get(area) ??
    keep(index.areaNames, area, namesOfArea(index.store, areaKeyOf(area))?.names ?? NO_NAMES);
  return names === NO_NAMES ? area : chooseDisplayName({ name: area, names, country }, languages).name;
}
