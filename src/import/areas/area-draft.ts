import { iso1A2Code } from '@rapideditor/country-coder';
import type { Tags } from '../categories.ts';
import type { Point } from '../../core/geo.ts';
import { readNames } from '../tags/names.ts';
import adminLevels from './admin-levels.json' with { type: 'json' };
import type { Shape } from './shape.ts';

/** Area from a source: a boundary, or a settlement or island that has a name. */
export interface AreaDraft extends Point {
  source_ref: string;
  /** `boundary`, the value of the tag `place`, or `region` for a subdivision whose name people do not use. */
  kind: string;
  /** Administrative level of a boundary. */
  level: number | null;
  /** ISO 3166-2 code, when it is a subdivision that may have its own holidays. */
  region: string | null;
  name: string;
  /** All other names by language tag; names without a language have private tags. */
  names: Record<string, string>;
  population: number | null;
  wikidata: string | null;
  /** True when it is mapped as a point. */
  point: boolean;
  /** Null for a point, and where the file holds only a part of the outline. */
  shape: Shape | null;
  /** References of the points that the boundary lists as its centre or label. */
  centres: string[];
}

/** Levels whose names people use, by country; `default` is for all others. Countries with statistical levels lack these. */
const LEVELS = new Map(
  Object.entries(adminLevels).map(([country, levels]) => [country, new Set(levels.split(' ').map(Number))]),
);
const ALL_LEVELS = new Set([...LEVELS.values()].flatMap((levels) => [...levels]));
/** Minimum level of areas that are smaller than a province or a state. */
const LEVEL_MIN = 6;
/** Minimum administrative level of a boundary that is part of a town. */
const PART_LEVEL_MIN = 9;

const KINDS = new Set(
  'city municipality town village hamlet borough district suburb quarter neighbourhood island islet archipelago'.split(
    ' ',
  ),
);

/** Kinds that are parts of a town. When one contains a place, a nearby point adds no information. */
const PART_KINDS = new Set('borough district suburb quarter neighbourhood village hamlet islet'.split(' '));
const MUNICIPAL_KINDS = new Set('city municipality town'.split(' '));

export function levelOf(tags: Tags): number | null {
  if (tags.get('boundary') !== 'administrative') return null;
  const level = Number(tags.get('admin_level'));
  return Number.isInteger(level) && level > 0 ? level : null;
}

/** True when the tags may describe an area, provided that the object has an outline or is a point that represents one. */
export function isArea(tags: Tags): boolean {
  const level = levelOf(tags);
  const isRelevant = KINDS.has(tags.get('place') ?? '') || (level !== null && ALL_LEVELS.has(level));
  return isRelevant && readNames(tags) !== null;
}

/** True when people use the name of the area: a settlement, or a boundary of a level that counts in its country. */
export function isNamedByPeople(tags: Tags, { lat, lng }: Point): boolean {
  if (KINDS.has(tags.get('place') ?? '')) return true;
  const country = iso1A2Code([lng, lat], { level: 'territory' }) ?? 'default';
  const levels = LEVELS.get(country) ?? LEVELS.get('default');
  return levels?.has(levelOf(tags) ?? 0) === true;
}

/** Kind of an area that is only a subdivision of a country. */
export const REGION_KIND = 'region';
/** Minimum level of states and provinces. */
const REGION_LEVEL_MIN = 3;
const REGION_CODE = /^[A-Z]{2}-[A-Z0-9]{1,3}$/;

export function regionOf(tags: Tags): string | null {
  const level = levelOf(tags);
  const code = tags.get('ISO3166-2')?.trim().toUpperCase() ?? '';
  return level !== null && level >= REGION_LEVEL_MIN && level <= LEVEL_MIN && REGION_CODE.test(code)
    ? code
    : null;
}

export function kindOf(tags: Tags): string {
  const place = tags.get('place') ?? '';
  return KINDS.has(place) ? place : 'boundary';
}

export function isPart({ kind, level }: Pick<AreaDraft, 'kind' | 'level'>): boolean {
  return PART_KINDS.has(kind) || (level !== null && level >= PART_LEVEL_MIN);
}

export function isMunicipal({ kind, level }: Pick<AreaDraft, 'kind' | 'level'>): boolean {
  return MUNICIPAL_KINDS.has(kind) || level === 7 || level === 8;
}

/** True for a state or province. A file may have its whole outline without having everything in it. */
export function isProvince({ kind, level }: Pick<AreaDraft, 'kind' | 'level'>): boolean {
  return kind === REGION_KIND || (level !== null && level < LEVEL_MIN);
}

/** True when the area is small enough to describe a place's location; a province is not. */
export function isLocal({ level }: Pick<AreaDraft, 'level'>): boolean {
  return level === null || level > LEVEL_MIN;
}

export function populationOf(tags: Tags): number | null {
  const text = (tags.get('population') ?? '').replace(/(?<=\d)[ ,.'](?=\d{3}(?!\d))/g, '');
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

export function allNames(tags: Tags): Pick<AreaDraft, 'name' | 'names'> {
  const read = readNames(tags);
  const otherNames = [...(read?.other_names ?? []), ...(read?.latin_name == null ? [] : [read.latin_name])];
  const privateTags = otherNames.map((name, at) => [`x-other${at + 1}`, name] as const);
  return { name: read?.name ?? '', names: { ...read?.names, ...Object.fromEntries(privateTags) } };
}
