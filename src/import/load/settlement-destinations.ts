import zoneAt from '@photostructure/tz-lookup';
import { iso1A2Code } from '@rapideditor/country-coder';
import type { NewId } from '../../core/ids.ts';
import { fold, latinForm } from '../../core/text/fold.ts';
import type { Extent } from '../centre.ts';
import type { Settlement } from '../place-draft.ts';
import { areaOf, contains, radiusExtent } from '../settlement-extent.ts';
import { CoveringDestination, type ImportDestination } from './covering-destination.ts';

export interface NewDestination extends ImportDestination {
  name: string;
  other_names: string[];
}

/** What says more about where a traveller goes comes first: a city is not divided into the islands that it has. */
const RANKS: Readonly<Record<Settlement['kind'], number>> = { country: 0, city: 1, town: 2, island: 3 };

const ISLAND_KM2_MIN = 5;

/** Destinations for the small countries, cities, towns and islands that no destination covers yet. */
export function destinationsFromSettlements(
  settlements: readonly Settlement[],
  existing: readonly ImportDestination[],
  newId: NewId,
): NewDestination[] {
  const covered = new CoveringDestination(existing);
  const slugs = new Set(existing.map(({ slug }) => slug));
  const made: NewDestination[] = [];
  const byName = new Map<string, NewDestination[]>();
  const ranked = Object.keys(RANKS).map(() => new CoveringDestination());
  // The larger comes first: a town on the island of its own name is that destination, and no second one.
  for (const settlement of settlements.toSorted((a, b) => areaOf(b.extent) - areaOf(a.extent))) {
    if (covered.at(settlement) !== undefined) continue;
    const namesakes = byName.get(fold(settlement.name)) ?? [];
    if (namesakes.some((namesake) => contains(namesake, settlement))) continue;
    const larger = ranked.slice(0, RANKS[settlement.kind]).map((covering) => covering.at(settlement));
    // What has an outline of its own is only a part of that in whose outline it lies.
    const isPart = (one: ImportDestination | undefined) =>
      one !== undefined && (one.outline != null || !isApart(settlement));
    if (larger.some(isPart)) continue;
    const destination = destinationFrom(settlement, slugs, newId);
    if (destination === undefined) continue;
    made.push(destination);
    ranked[RANKS[settlement.kind]]?.add(destination);
    slugs.add(destination.slug);
    byName.set(fold(settlement.name), [...namesakes, destination]);
  }
  return made;
}

/** Whether a settlement reaches as far as its outline says. An islet beside a city is a part of the city all the same. */
function isApart({ kind, outline }: Settlement): boolean {
  return outline !== null && (kind !== 'island' || outline.km2 >= ISLAND_KM2_MIN);
}

function destinationFrom(
  settlement: Settlement,
  slugs: ReadonlySet<string>,
  newId: NewId,
): NewDestination | undefined {
  const { lat, lng, names } = settlement;
  const country = settlement.country ?? iso1A2Code([lng, lat], { level: 'territory' });
  if (country === null) return undefined;
  const name = names['en'] ?? settlement.name;
  const slug = freeSlug(name, country, slugs);
  if (slug === undefined) return undefined;
  const latin = latinForm(settlement.name);
  const others = new Set([settlement.name, ...Object.values(names), ...(latin === undefined ? [] : [latin])]);
  others.delete(name);
  return {
    id: newId('dst'),
    slug,
    name,
    other_names: [...others],
    country,
    timezone: zoneAt(lat, lng),
    lat,
    lng,
    ...extentOf(settlement),
    outline: settlement.outline,
  };
}

/** An outline of a single line has no height, and would cover nothing. */
function extentOf({ kind, population, extent, lat, lng }: Settlement): Extent {
  return extent.south < extent.north ? extent : radiusExtent(kind, population, { lat, lng });
}

function freeSlug(name: string, country: string, taken: ReadonlySet<string>): string | undefined {
  const words = fold(latinForm(name) ?? name).replace(/[^a-z0-9]+/g, ' ');
  const plain = words.trim().replaceAll(' ', '-');
  if (plain === '') return undefined;
  const inCountry = `${plain}-${country.toLowerCase()}`;
  let slug = taken.has(plain) ? inCountry : plain;
  for (let number = 2; taken.has(slug); number++) slug = `${inCountry}-${number}`;
  return slug;
}
