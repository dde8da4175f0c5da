import OpeningHours from 'opening_hours';
import {
  type Extract,
  isInside,
  type MapObject,
  metresBetween,
  namesOf,
  type ObjectMap,
  ZONES,
} from './map-objects.ts';
import type { JudgedSearch, Rule } from './set/judged-search.ts';

/** The objects of the extract that answer the search. */
export function rightObjects(
  extract: Extract,
  objects: ObjectMap,
  right: JudgedSearch[2],
  now: Date,
): MapObject[] {
  if (typeof right !== 'string')
    return [...objects.values()].filter((object) => fitsRule(extract, objects, object, right, now));
  return right.split(' ').map((ref) => {
    const object = objects.get(ref);
    if (object === undefined) throw new Error(`${extract} has no ${ref}`);
    return object;
  });
}

function fitsRule(extract: Extract, objects: ObjectMap, object: MapObject, rule: Rule, now: Date): boolean {
  // Boards, vehicles for hire and car parks carry the names of what they stand at, and are not it.
  if (/^(closed|off)$/.test(object.tags['opening_hours'] ?? '') || !isPlace(object)) return false;
  if (
    !rule.tags.some((conditions) => conditions.split(' & ').every((one) => fits(extract, object, one, now)))
  )
    return false;
  if (rule.or !== undefined && says(object, rule.or)) return true;
  if (rule.inside === undefined) return rule.near === undefined || isNear(object, rule.near);
  const area = objects.get(rule.inside);
  if (area === undefined) throw new Error(`${extract} has no ${rule.inside}`);
  return isInside(area.rings, object.lat, object.lng);
}

function isPlace({ tags }: MapObject): boolean {
  if (
    tags['tourism'] === 'information' ||
    /^(parking|parking_entrance|bicycle_rental)$/.test(tags['amenity'] ?? '')
  )
    return false;
  return ['amenity', 'tourism', 'shop', 'leisure', 'historic', 'natural', 'healthcare', 'aeroway'].some(
    (key) => key in tags,
  );
}

function fits(extract: Extract, object: MapObject, condition: string, now: Date): boolean {
  if (condition.startsWith('name~'))
    return namesOf(object).some((name) => new RegExp(condition.slice('name~'.length), 'i').test(name));
  const at = condition.indexOf('=');
  const [key, allowed] = [condition.slice(0, at), condition.slice(at + 1).split(',')];
  if (key === 'open') return isOpenNow(extract, object, now);
  return (object.tags[key] ?? '').split(';').some((value) => allowed.includes(value.trim()));
}

function isNear(object: MapObject, [lat, lng, metres]: readonly [number, number, number]): boolean {
  return metresBetween(object, { lat, lng }) <= metres;
}

function says(object: MapObject, words: RegExp): boolean {
  return Object.entries(object.tags).some(
    ([key, value]) => /^((alt_|short_|old_)?name|branch|addr)(:|$)/.test(key) && words.test(value),
  );
}

/** The hours of the object at the clock of its own zone; hours that nobody can read are no promise. */
export function isOpenNow(extract: Extract, { tags, lat, lng }: MapObject, now: Date): boolean {
  const value = tags['opening_hours'];
  if (value === undefined) return false;
  const { zone, country } = ZONES[extract];
  const local = new Date(now.toLocaleString('en-US', { timeZone: zone }));
  try {
    const place = { lat, lon: lng, address: { country_code: country, state: '' } };
    return new OpeningHours(value, place).getState(local);
  } catch {
    return false;
  }
}
