import { ownValue } from '../../core/input/own-value.ts';
import { visibleText } from '../../core/text/visible-text.ts';
import type { CategoryMatch, Tags } from '../categories.ts';
import { centreOf, squareMetresOf } from '../centre.ts';
import type { PlaceDraft, ReadCounts } from '../place-draft.ts';
import { readSourceDate } from '../source-date.ts';
import { classifyText } from '../table/classify-text.ts';
import { fieldOf, type TableField } from '../table/fields.ts';
import { closedInFields, tagsOfFields } from '../table/tags-of-fields.ts';
import {
  type Judgement,
  countJudgement,
  draftFromTags,
  judgeTags,
  stateOf,
} from '../tags/draft-from-tags.ts';
import { isNamed } from '../tags/names.ts';
import { limitReference, limitTags } from '../tags/tag-limits.ts';
import { cuisineIn } from '../overture/overture-draft.ts';
import { linesOf } from './geometry-lines.ts';

interface Feature {
  type?: unknown;
  id?: unknown;
  geometry?: unknown;
  properties?: unknown;
}

// Properties that may state the kind of a place in files without map tags. The first one understood decides.
const KIND_KEYS = ['category', 'type', 'kind', 'class', 'subclass', 'fclass', 'icon'];
const JOINED_KEY = /^(addr|contact|diet|payment|brand)_/;
/** Category values of vegetarian directories. */
const DIET_KIND = /^(vegan|vegetarian)_(only|friendly)$/;
const OSM_TYPES: Readonly<Record<string, string>> = { n: 'node', w: 'way', r: 'relation' };

/** Converts properties to map tags. Some tools write `addr_street` for `addr:street`. */
function tagsOf(properties: unknown): Tags {
  const tags = new Map<string, string>();
  const values = (properties ?? {}) as Record<string, unknown>;
  for (const key in values) {
    const value = values[key];
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    tags.set(JOINED_KEY.test(key) ? key.replace('_', ':') : key, visibleText(String(value)));
  }
  const [, diet, how] = DIET_KIND.exec(tags.get('category') ?? '') ?? [];
  if (diet !== undefined) tags.set(`diet:${diet}`, how === 'only' ? 'only' : 'yes');
  return tags;
}

/** Returns the reference as written by osmium, Overpass and others, or else one made of position and name. */
function referenceOf(feature: Feature, tags: Tags, at: { lat: number; lng: number }): string {
  const type = tags.get('@type') ?? tags.get('_type');
  const id = tags.get('@id') ?? tags.get('_id') ?? tags.get('osm_id');
  if (type !== undefined && id !== undefined) return `${type}/${id}`;
  const featureId =
    typeof feature.id === 'string' || typeof feature.id === 'number' ? String(feature.id) : undefined;
  const rawRef = id ?? featureId ?? tags.get('id');
  if (rawRef === undefined) return `at/${at.lat.toFixed(5)},${at.lng.toFixed(5)}/${tags.get('name') ?? ''}`;
  const [, kind, number] = /^([nwra])(\d+)$/.exec(rawRef) ?? [];
  if (kind === undefined || number === undefined) return rawRef;
  // osmium numbers areas as twice the way's number, or twice the relation's plus one.
  if (kind === 'a')
    return `${Number(number) % 2 === 0 ? 'way' : 'relation'}/${Math.floor(Number(number) / 2)}`;
  return `${ownValue(OSM_TYPES, kind) ?? kind}/${number}`;
}

function matchByWords(tags: Tags): CategoryMatch {
  for (const key of KIND_KEYS) {
    const word = tags.get(key);
    if (word === undefined) continue;
    // Icon sets write `maki_restaurant-pizza` for a kind of restaurant.
    const match = classifyText(word) ?? classifyText(word.replace(/^maki[_-]/, '').split('-')[0] ?? '');
    if (match !== null) return match;
  }
  if (tags.has('cuisine')) return { vertical: 'restaurant', categories: ['restaurant'] };
  return { vertical: 'other', categories: ['other'] };
}

/** Judges the tags of a feature. A purpose-made list contains only places, unlike a complete map. */
function judge(rawTags: Tags, closed: string | null): Judgement {
  const judgement = judgeTags(rawTags);
  if (judgement.kind === 'place' && closed !== null) return { ...judgement, disused: closed };
  if (judgement.kind !== 'nothing' || rawTags.has('@id') || rawTags.has('@type')) return judgement;
  const { tags, cut } = limitTags(rawTags);
  if (!isNamed(tags)) return { kind: 'unnamed' };
  return { kind: 'place', match: matchByWords(tags), disused: closed, tags, cut };
}

/** True for an object of OpenStreetMap, whose tags are used as they are. */
function isMapObject(feature: Feature, tags: Tags): boolean {
  const hasOsmKey = ['@id', '@type', '_type', 'osm_id'].some((key) => tags.has(key));
  return (
    hasOsmKey || (typeof feature.id === 'string' && /^(node|way|relation|[nwra])\/?\d+$/.test(feature.id))
  );
}

/** Returns the fields that the properties of a list mean, by their common spellings. */
function fieldsOfProperties(tags: Tags): Map<TableField, string> {
  const fields = new Map<TableField, string>();
  // A property that is a field by its own name has precedence over another spelling.
  for (const [key, value] of tags) {
    const field = fieldOf(key);
    if (field !== undefined && value.trim() !== '' && (field === key || !fields.has(field)))
      fields.set(field, value);
  }
  return fields;
}

/** Returns the reference of a feature and its state, even when it is no place. */
export function identifyFeature(feature: Feature): [ref: string, state: 'there' | 'closed'] {
  const tags = tagsOf(feature.properties);
  const at = centreOf(linesOf(feature.geometry)) ?? { lat: 0, lng: 0 };
  return [limitReference(referenceOf(feature, tags, at)), stateOf(tags)];
}

/** Returns the draft of a row of a table. */
export function draftFromFields(
  fields: ReadonlyMap<TableField, string>,
  object: Pick<PlaceDraft, 'source' | 'source_ref' | 'lat' | 'lng'>,
  asOf: Date | null,
  counts: ReadCounts,
): PlaceDraft | null {
  const tags = tagsOfFields(fields);
  const judgement = judge(tags, closedInFields(fields));
  countJudgement(judgement, counts);
  if (judgement.kind !== 'place') return null;
  const changedAt = readSourceDate(tags.get('timestamp'));
  const draft = draftFromTags(judgement, { ...object, asOf, changedAt, squareMetres: null }, counts);
  return draft === null || draft.cuisine.length > 0
    ? draft
    : { ...draft, cuisine: cuisineIn(draft.categories) };
}

export function draftFromFeature(feature: Feature, asOf: Date | null, counts: ReadCounts): PlaceDraft | null {
  const properties = tagsOf(feature.properties);
  const fields = isMapObject(feature, properties) ? new Map() : fieldsOfProperties(properties);
  const tags = new Map([...tagsOfFields(fields), ...properties]);
  const judgement = judge(tags, closedInFields(fields));
  countJudgement(judgement, counts);
  if (judgement.kind !== 'place') return null;
  const lines = linesOf(feature.geometry);
  const centre = centreOf(lines);
  if (centre === null) {
    counts.without_position++;
    return null;
  }
  const source_ref = limitReference(referenceOf(feature, tags, centre));
  const changedAt = readSourceDate(tags.get('@timestamp') ?? tags.get('_timestamp') ?? tags.get('timestamp'));
  const object = {
    ...{ source: 'geojson' as const, source_ref, ...centre, asOf, changedAt },
    squareMetres: lines.some((line) => line.length > 2) ? squareMetresOf(lines) : null,
  };
  return draftFromTags(judgement, object, counts);
}
