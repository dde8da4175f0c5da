import type { Tags } from '../categories.ts';
import type { Point } from '../centre.ts';
import { readNames } from '../tags/names.ts';
import type { Shape } from './shape.ts';

/** What a source says about one area: a boundary, or a settlement or island that has a name. */
export interface AreaDraft extends Point {
  source_ref: string;
  /** `boundary`, the value of the tag `place`, or `region` where it is too large to say where somebody is. */
  kind: string;
  /** The administrative level of a boundary. */
  level: number | null;
  /** Its code in ISO 3166-2, where it is a part of a country that may have holidays of its own. */
  region: string | null;
  name: string;
  /** All other names, by language tag; those without a language under private tags. */
  names: Record<string, string>;
  population: number | null;
  wikidata: string | null;
  /** Whether it is mapped as a point. */
  point: boolean;
  /** Null for a point, and where the file holds only a part of the outline. */
  shape: Shape | null;
  /** The points that the boundary itself names as its own. */
  centres: string[];
}

const LEVEL_MIN = 6;
const LEVEL_MAX = 11;
/** From here on a boundary is that of a part of a town, and its centre is that part. */
const PART_LEVEL_MIN = 9;

const KINDS = new Set(
  'city municipality town village hamlet borough district suburb quarter neighbourhood island islet archipelago'.split(
    ' ',
  ),
);

/** Parts of a town: where one of these contains a place, no point beside it says more. */
const PART_KINDS = new Set('borough district suburb quarter neighbourhood village hamlet islet'.split(' '));
const MUNICIPAL_KINDS = new Set('city municipality town'.split(' '));

export function levelOf(tags: Tags): number | null {
  if (tags.get('boundary') !== 'administrative') return null;
  const level = Number(tags.get('admin_level'));
  return Number.isInteger(level) && level > 0 ? level : null;
}

/** Whether the tags are those of an area, if the object has an outline or is a point that stands for one. */
export function isArea(tags: Tags): boolean {
  const level = levelOf(tags);
  const wanted =
    KINDS.has(tags.get('place') ?? '') || (level !== null && level >= LEVEL_MIN && level <= LEVEL_MAX);
  return wanted && readNames(tags) !== null;
}

/** What is a part of a country and nothing else. */
export const REGION_KIND = 'region';
/** States and provinces, which stand above what is an area. */
const REGION_LEVEL_MIN = 3;
const REGION_CODE = /^[A-Z]{2}-[A-Z0-9]{1,3}$/;

/** The code of a state or province that has a boundary. */
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

/** Whether the area is small enough to say where somebody is: a province does not. */
export function isLocal({ level }: Pick<AreaDraft, 'level'>): boolean {
  return level === null || level > LEVEL_MIN;
}

/** How many people live there, where the tag is a plain number. */
export function populationOf(tags: Tags): number | null {
  const text = (tags.get('population') ?? '').replace(/(?<=\d)[ ,.'](?=\d{3}(?!\d))/g, '');
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

export function allNames(tags: Tags): Pick<AreaDraft, 'name' | 'names'> {
  const read = readNames(tags);
  const others = [...(read?.other_names ?? []), ...(read?.latin_name == null ? [] : [read.latin_name])];
  const untold = others.map((name, at) => [`x-other${at + 1}`, name] as const);
  return { name: read?.name ?? '', names: { ...read?.names, ...Object.fromEntries(untold) } };
}
