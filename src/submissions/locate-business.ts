import zoneAt from '@photostructure/tz-lookup';
import type { OperationDeps } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import { countryName } from '../directory/country/country.ts';
import type { Destination } from '../directory/destinations.ts';
import { fold } from '../core/text/fold.ts';
import { CoveringDestination } from '../import/load/covering-destination.ts';
import type { BusinessContent } from './submission.ts';

/** The destination of a new place, and the position used to compute its hours. */
export interface Location {
  destinationId: string;
  /** The place's position, else the centre of the destination, which is never shown as the place's. */
  lat: number;
  lng: number;
  timezone: string;
  /** False: only the country is known, and it may have several time zones. */
  zoneKnown: boolean;
}

type Where = Pick<BusinessContent, 'country' | 'city' | 'lat' | 'lng'>;

const SAME_CITY_PLACES = 50;

/** Returns the destination of a business; undefined where the directory covers neither its position nor its town. */
export async function destinationFor(
  deps: OperationDeps,
  db: Db,
  where: Where,
): Promise<Destination | undefined> {
  const inCountry = deps.destinations.current.destinations.filter(({ country }) => country === where.country);
  if (where.lat !== null && where.lng !== null) {
    const covering = new CoveringDestination(inCountry).at({ lat: where.lat, lng: where.lng });
    return inCountry.find(({ id }) => id === covering?.id);
  }
  const town = fold(where.city);
  const named =
    inCountry.find(({ name, slug }) => fold(name) === town || slug === town) ??
    inCountry.find(({ other_names }) => other_names.some((name) => fold(name) === town)) ??
    inCountry.find(({ areas }) => areas.some((name) => fold(name) === town));
  if (named !== undefined) return named;
  const [neighbour] = await neighbours(deps, db, where);
  return inCountry.find(({ slug }) => slug === neighbour?.destination);
}

export async function locateBusiness(deps: OperationDeps, db: Db, where: Where): Promise<Location> {
  const destination = await destinationFor(deps, db, where);
  if (where.lat !== null && where.lng !== null) {
    const { lat, lng } = where;
    const destinationId = destination?.id ?? (await elsewhere(deps, db, where.country)).id;
    return { destinationId, lat, lng, timezone: destination?.timezone ?? zoneAt(lat, lng), zoneKnown: true };
  }
  if (destination === undefined) {
    const { id, lat, lng, timezone } = await elsewhere(deps, db, where.country);
    return { destinationId: id, lat, lng, timezone, zoneKnown: false };
  }
  const { id, lat, lng, timezone } = destination;
  return { destinationId: id, lat, lng, timezone, zoneKnown: true };
}

interface Neighbour {
  destination: string;
}

/** Places in the same town or area. Reads the database while the search index is not ready. */
async function neighbours(deps: OperationDeps, db: Db, { country, city }: Where): Promise<Neighbour[]> {
  const limit = SAME_CITY_PLACES;
  if (!deps.places.isReady)
    return db<Neighbour[]>`
      select d.slug as destination from place p join destination d on d.id = p.destination_id
      where d.country = ${country} and p.closed_at is null
        and lower(${city}) in (lower(p.city), lower(p.area)) limit ${limit}`;
  const results = [
    deps.places.search({ country, city, limit }),
    deps.places.search({ country, area: city, limit }),
  ];
  return results.flatMap(({ hits }) => hits).map(({ place }) => place.readCard());
}

interface CountryDestination {
  id: string;
  lat: number;
  lng: number;
  timezone: string;
}

/** Returns the destination for places outside all others of a country. Creates it on first use. */
async function elsewhere(deps: OperationDeps, db: Db, country: string): Promise<CountryDestination> {
  const slug = `elsewhere-${country.toLowerCase()}`;
  const { west, south, east, north } = await countryExtent(country);
  const lat = (south + north) / 2;
  const lng = (west + east) / 2;
  await db`
    insert into destination (id, slug, name, country, timezone, lat, lng, west, south, east, north, created_at)
    values (${deps.newId('dst')}, ${slug}, ${`Elsewhere in ${countryName(country)}`}, ${country}, ${zoneAt(lat, lng)},
            ${lat}, ${lng}, ${west}, ${south}, ${east}, ${north}, ${deps.clock.now()})
    on conflict on constraint destination_slug_unique do nothing`;
  const [row] = await db<
    CountryDestination[]
  >`select id, lat, lng, timezone from destination where slug = ${slug}`;
  if (row === undefined) throw new Error('A destination was deleted while it was being read.');
  return row;
}

/** Extent of a country's largest part: with overseas parts its centre would lie in the sea. */
async function countryExtent(
  country: string,
): Promise<{ west: number; south: number; east: number; north: number }> {
  const { feature } = await import('@rapideditor/country-coder');
  const geometry = feature(country)?.geometry;
  const polygons = geometry?.type === 'MultiPolygon' ? geometry.coordinates : [];
  const extents = polygons.map(([ring = []]) => {
    const lngs = ring.map(([lng = 0]) => lng);
    const lats = ring.map(([, lat = 0]) => lat);
    return {
      west: Math.min(...lngs),
      south: Math.min(...lats),
      east: Math.max(...lngs),
      north: Math.max(...lats),
    };
  });
  const size = ({ west, south, east, north }: (typeof extents)[number]) => (east - west) * (north - south);
  const [largest] = extents.toSorted((a, b) => size(b) - size(a));
  return largest ?? { west: -1, south: -1, east: 1, north: 1 };
}
