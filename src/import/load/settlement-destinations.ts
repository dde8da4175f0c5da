import zoneAt from '@photostructure/tz-lookup';
import { iso1A2Code } from '@rapideditor/country-coder';
import type { NewId } from '../../core/ids.ts';
import { fold, latinForm } from '../../core/text/fold.ts';
import type { AreaDraft } from '../areas/area-draft.ts';
import type { Settlement } from '../place-draft.ts';
import { areaOf, circleExtent, contains, radiusExtent } from '../settlement-extent.ts';
import { CoveringDestination, type ImportDestination } from './covering-destination.ts';

export interface NewDestination extends ImportDestination {
  name: string;
  other_names: string[];
}

/** Order of precedence: a city is not divided into its islands. */
const RANKS: Readonly<Record<Settlement['kind'], number>> = { country: 0, city: 1, town: 2, island: 3 };

const ISLAND_KM2_MIN = 5;
/** Half the side of the square around a village that is mapped as a point. */
const VILLAGE_KM = 2.5;

/** Returns destinations for small countries, cities, towns and islands that no destination covers yet. */
export function destinationsFromSettlements(
  settlements: readonly Settlement[],
  existing: readonly ImportDestination[],
  newId: NewId,
): NewDestination[] {
  const { covered, slugs, destinations } = beside(existing);
  const byName = new Map<string, NewDestination[]>();
  const ranked = Object.keys(RANKS).map(() => new CoveringDestination());
  // Larger settlements come first: a town on an island of the same name is not a second destination.
  for (const settlement of settlements.toSorted((a, b) => areaOf(b.extent) - areaOf(a.extent))) {
    if (covered.at(settlement) !== undefined) continue;
    const namesakes = byName.get(fold(settlement.name)) ?? [];
    if (namesakes.some((namesake) => contains(namesake, settlement))) continue;
    const larger = ranked.slice(0, RANKS[settlement.kind]).map((covering) => covering.at(settlement));
    // A settlement with its own outline is part of a larger one only when it lies within that one's outline.
    const isPart = (destination: ImportDestination | undefined) =>
      destination !== undefined && (destination.outline != null || !isApart(settlement));
    if (larger.some(isPart)) continue;
    const destination = destinationFrom(settlement, slugs, newId);
    if (destination === undefined) continue;
    destinations.push(destination);
    ranked[RANKS[settlement.kind]]?.add(destination);
    byName.set(fold(settlement.name), [...namesakes, destination]);
  }
  return destinations;
}

/** Villages of a map that nothing else covers, for places that would be outside every destination. */
export function destinationsFromVillages(
  areas: readonly AreaDraft[],
  others: readonly ImportDestination[],
  newId: NewId,
): NewDestination[] {
  const { covered, slugs, destinations } = beside(others);
  for (const { kind, name, names, lat, lng, shape, population, source_ref } of areas) {
    if (kind !== 'village' || covered.at({ lat, lng }) !== undefined) continue;
    const extent = shape?.extent ?? circleExtent({ lat, lng }, VILLAGE_KM);
    const settlement = { source_ref, kind: 'town' as const, name, names, lat, lng, extent, population };
    const village = { ...settlement, outlined: shape !== null, outline: shape, country: null };
    const destination = destinationFrom(village, slugs, newId);
    if (destination === undefined) continue;
    destinations.push(destination);
  }
  return destinations;
}

/** Starts a list of destinations that repeats no existing one. */
function beside(existing: readonly ImportDestination[]) {
  const destinations: NewDestination[] = [];
  const slugs = new Set(existing.map(({ slug }) => slug));
  return { covered: new CoveringDestination(existing), slugs, destinations };
}

/** True when a settlement has its own outline. A small island beside a city is part of it despite its outline. */
function isApart({ kind, outline }: Settlement): boolean {
  return outline !== null && (kind !== 'island' || outline.km2 >= ISLAND_KM2_MIN);
}

function destinationFrom(
  settlement: Settlement,
  slugs: Set<string>,
  newId: NewId,
): NewDestination | undefined {
  const { lat, lng, names, extent } = settlement;
  const country = settlement.country ?? iso1A2Code([lng, lat], { level: 'territory' });
  if (country === null) return undefined;
  const name = names['en'] ?? settlement.name;
  const slug = freeSlug(name, country, slugs);
  if (slug === undefined) return undefined;
  slugs.add(slug);
  const latin = latinForm(settlement.name);
  const otherNames = new Set([
    settlement.name,
    ...Object.values(names),
    ...(latin === undefined ? [] : [latin]),
  ]);
  otherNames.delete(name);
  return {
    id: newId('dst'),
    slug,
    name,
    other_names: [...otherNames],
    country,
    timezone: zoneAt(lat, lng),
    lat,
    lng,
    // The radius replaces an outline that is a single line, which has no height and would cover nothing.
    ...(extent.south < extent.north
      ? extent
      : radiusExtent(settlement.kind, settlement.population, { lat, lng })),
    outline: settlement.outline,
  };
}

function freeSlug(name: string, country: string, usedSlugs: ReadonlySet<string>): string | undefined {
  const words = fold(latinForm(name) ?? name).replace(/[^a-z0-9]+/g, ' ');
  const plain = words.trim().replaceAll(' ', '-');
  if (plain === '') return undefined;
  const inCountry = `${plain}-${country.toLowerCase()}`;
  let slug = usedSlugs.has(plain) ? inCountry : plain;
  for (let number = 2; usedSlugs.has(slug); number++) slug = `${inCountry}-${number}`;
  return slug;
}
