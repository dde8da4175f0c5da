import { visibleText } from '../../core/text/visible-text.ts';
import { type CategoryMatch, type Tags, classifyWord } from '../categories.ts';
import { centreOf } from '../centre.ts';
import type { PlaceDraft, ReadCounts } from '../place-draft.ts';
import {
  type Judgement,
  countJudgement,
  draftFromTags,
  judgeTags,
  stateOf,
} from '../tags/draft-from-tags.ts';
import { isNamed } from '../tags/names.ts';
import { linesOf } from './geometry-lines.ts';

interface Feature {
  type?: unknown;
  id?: unknown;
  geometry?: unknown;
  properties?: unknown;
}

// Where a file without map tags may say of what kind a place is. The first that is understood decides.
const KIND_KEYS = ['category', 'type', 'kind', 'class', 'subclass', 'fclass', 'icon'];
const JOINED_KEY = /^(addr|contact)_/;
const OSM_TYPES: Readonly<Record<string, string>> = { n: 'node', w: 'way', r: 'relation' };

/** Properties as map tags. Some tools write `addr_street` and `contact_phone` for `addr:street` and `contact:phone`. */
function tagsOf(properties: unknown): Tags {
  const tags = new Map<string, string>();
  const written = (properties ?? {}) as Record<string, unknown>;
  for (const key in written) {
    const value = written[key];
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    tags.set(JOINED_KEY.test(key) ? key.replace('_', ':') : key, visibleText(String(value)));
  }
  return tags;
}

function isFromOsm(tags: Tags): boolean {
  return tags.has('@id') || tags.has('@type');
}

/** The object's own reference: as osmium, Overpass and other tools write it, or else where and how it is called. */
function referenceOf(feature: Feature, tags: Tags, at: { lat: number; lng: number }): string {
  const type = tags.get('@type') ?? tags.get('_type');
  const id = tags.get('@id') ?? tags.get('_id') ?? tags.get('osm_id');
  if (type !== undefined && id !== undefined) return `${type}/${id}`;
  const own =
    typeof feature.id === 'string' || typeof feature.id === 'number' ? String(feature.id) : undefined;
  const written = id ?? own ?? tags.get('id');
  if (written === undefined) return `at/${at.lat.toFixed(5)},${at.lng.toFixed(5)}/${tags.get('name') ?? ''}`;
  const [, kind, number] = /^([nwra])(\d+)$/.exec(written) ?? [];
  if (kind === undefined || number === undefined) return written;
  // osmium numbers areas as twice the way's number, or twice the relation's plus one.
  if (kind === 'a')
    return `${Number(number) % 2 === 0 ? 'way' : 'relation'}/${Math.floor(Number(number) / 2)}`;
  return `${OSM_TYPES[kind] ?? kind}/${number}`;
}

function changedAtOf(tags: Tags): Date | null {
  const written = tags.get('@timestamp') ?? tags.get('_timestamp');
  if (written === undefined) return null;
  const date = /^\d+$/.test(written) ? new Date(Number(written) * 1000) : new Date(written);
  return Number.isNaN(date.getTime()) ? null : date;
}

function matchByWords(tags: Tags): CategoryMatch {
  for (const key of KIND_KEYS) {
    const written = tags.get(key);
    if (written === undefined) continue;
    // Icon sets write maki_restaurant-pizza for a kind of restaurant.
    const match = classifyWord(written) ?? classifyWord(written.replace(/^maki[_-]/, '').split('-')[0] ?? '');
    if (match !== null) return match;
  }
  if (tags.has('cuisine')) return { vertical: 'restaurant', categories: ['restaurant'] };
  return { vertical: 'other', categories: ['other'] };
}

/** A whole map has much that is no place; a list of places made for the purpose has nothing else. */
function judge(tags: Tags): Judgement {
  const judgement = judgeTags(tags);
  if (judgement.kind !== 'nothing' || isFromOsm(tags)) return judgement;
  if (!isNamed(tags)) return { kind: 'unnamed' };
  return { kind: 'place', match: matchByWords(tags), disused: false, tags };
}

/** Which object a feature is, and what became of it, whether or not it is a place. */
export function identifyFeature(feature: Feature): [ref: string, state: 'there' | 'closed'] {
  const tags = tagsOf(feature.properties);
  const at = centreOf(linesOf(feature.geometry)) ?? { lat: 0, lng: 0 };
  return [referenceOf(feature, tags, at), stateOf(tags)];
}

/** The draft of one feature, or null when it is no place; the reason is counted. */
export function draftFromFeature(feature: Feature, counts: ReadCounts): PlaceDraft | null {
  const tags = tagsOf(feature.properties);
  const judgement = judge(tags);
  countJudgement(judgement, counts);
  if (judgement.kind !== 'place') return null;
  const centre = centreOf(linesOf(feature.geometry));
  if (centre === null) {
    counts.without_position++;
    return null;
  }
  const source_ref = referenceOf(feature, tags, centre);
  const object = { source: 'geojson' as const, source_ref, ...centre, changedAt: changedAtOf(tags) };
  return draftFromTags(judgement, object, counts);
}
