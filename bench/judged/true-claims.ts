import OpeningHours from 'opening_hours';
import { plain } from './directory.ts';
import {
  type Extract,
  isInside,
  type MapObject,
  metresBetween,
  namesOf,
  type ObjectMap,
  ZONES,
} from './map-objects.ts';

type Value = string | number | boolean | null;
const SETTLEMENTS = new Set(
  'city town village hamlet suburb quarter neighbourhood isolated_dwelling locality island islet municipality borough'.split(
    ' ',
  ),
);
const CITY_METRES = 15_000;
const NETWORKED = /wlan|yes|wi-?fi|terminal|wired/i;

/** Whether the place lies in an area of that name: in its shape, by its address, or nearest to its node of that sort. */
export function liesIn(objects: ObjectMap, object: MapObject, area: string): boolean {
  const wanted = plain(area);
  const address = Object.entries(object.tags).some(
    ([key, value]) => key.startsWith('addr:') && plain(value) === wanted,
  );
  if (address) return true;
  const areas = [...objects.values()].filter(
    ({ tags }) => SETTLEMENTS.has(tags['place'] ?? '') || 'boundary' in tags,
  );
  return areas
    .filter((one) => namesOf(one).some((name) => plain(name) === wanted))
    .some((one) => {
      if (one.rings.length > 0) return isInside(one.rings, object.lat, object.lng);
      const kind = one.tags['place'];
      const metres = metresBetween(one, object);
      if (kind === 'city') return metres < CITY_METRES;
      return !areas.some(
        (other) =>
          other.rings.length === 0 && other.tags['place'] === kind && metresBetween(other, object) < metres,
      );
    });
}

/** Whether the map says this fact; undefined where it says nothing that could be compared. */
export function factHolds({ tags }: MapObject, fact: string, value: unknown): boolean | undefined {
  const said = (key: string) => (tags[key] ?? '').split(';').map((one) => one.trim());
  const list = Array.isArray(value) ? value.map(String) : String(value).split(', ');
  switch (fact) {
    case 'wheelchair':
    case 'takeaway':
    case 'delivery':
    case 'fee':
    case 'smoking':
    case 'reservation':
    case 'religion':
    case 'denomination':
    case 'brand':
    case 'operator':
    case 'level':
      return tags[fact] === value || said(fact).includes(String(value));
    case 'outdoor_seating':
      return (value === 'yes') === (tags[fact] !== undefined && tags[fact] !== 'no');
    case 'internet_access':
      return (value !== 'no') === NETWORKED.test(tags[fact] ?? '') && feeFits(tags, value);
    case 'diets':
    case 'diet':
      return list.every((diet) => isCatered(tags, diet));
    case 'only_diets':
      return list.every((diet) => tags[`diet:${diet}`] === 'only' || said('cuisine').includes(diet));
    case 'payment':
      return list.every((way) => ['yes', 'only'].includes(tags[`payment:${way}`] ?? '') || way === 'cards');
    case 'stars':
      return Number.parseFloat(tags['stars'] ?? '') === Number(value);
    case 'rooms':
    case 'capacity':
      return Number.parseInt(tags[fact] ?? '', 10) === Number(value);
    case 'dogs':
      return tags['dog'] === value;
    case 'postcode':
      return tags['addr:postcode'] === value;
    default:
      return undefined;
  }
}

function feeFits(tags: MapObject['tags'], value: unknown): boolean {
  if (value === 'free')
    return tags['internet_access:fee'] === 'no' || tags['internet_access:fee'] === 'customers';
  return value !== 'paid' || tags['internet_access:fee'] === 'yes';
}

function isCatered(tags: MapObject['tags'], diet: string): boolean {
  const kept = (name: string) => ['yes', 'only', 'limited'].includes(tags[`diet:${name}`] ?? '');
  return kept(diet) || (tags['cuisine'] ?? '').includes(diet) || (diet === 'vegetarian' && kept('vegan'));
}

/** Open at an instant by the hours of the map; undefined where it gives none that can be read. */
export function openAt(extract: Extract, { tags, lat, lng }: MapObject, at: Date): boolean | undefined {
  const hours = readHours(extract, tags['opening_hours'], lat, lng);
  const local = wallClock(at, ZONES[extract].zone);
  return hours === undefined || hours.getUnknown(local) ? undefined : hours.getState(local);
}

/** Whether it closes at that instant: the next change of the hours, on the clocks of the place. */
export function closesAt(extract: Extract, { tags, lat, lng }: MapObject, from: Date, until: Date): boolean {
  const change = readHours(extract, tags['opening_hours'], lat, lng)?.getNextChange(
    wallClock(from, ZONES[extract].zone),
  );
  return change?.getTime() === wallClock(until, ZONES[extract].zone).getTime();
}

function readHours(
  extract: Extract,
  value: string | undefined,
  lat: number,
  lon: number,
): OpeningHours | undefined {
  if (value === undefined) return undefined;
  try {
    return new OpeningHours(value, {
      lat,
      lon,
      address: { country_code: ZONES[extract].country, state: '' },
    });
  } catch {
    return undefined;
  }
}

/** The library reads the clock of the process: this is a date whose clock there shows the time of the zone. */
function wallClock(at: Date, zone: string): Date {
  return new Date(at.toLocaleString('en-US', { timeZone: zone }));
}

/** The instant of a time on the clocks of the zone, such as `2026-11-17T20:00`. */
export function instantOf(local: string, zone: string): Date {
  const guess = new Date(`${local}Z`);
  const shown = new Date(`${guess.toLocaleString('sv-SE', { timeZone: zone }).replace(' ', 'T')}Z`);
  return new Date(2 * guess.getTime() - shown.getTime());
}

export function isClosedByItself({ tags }: MapObject): boolean {
  return (
    /^(closed|off)$/.test(tags['opening_hours'] ?? '') || 'end_date' in tags || tags['shop'] === 'vacant'
  );
}

export function sameValue(a: Value, b: string): boolean {
  return plain(String(a)) === plain(b);
}
