import { CATEGORY_KEYS, type CategoryMatch, type Tags, classify, isVacant } from '../categories.ts';
import { cutAtWord, NAME_MAX } from '../../core/text/limits.ts';
import type { PlaceDraft, ReadCounts } from '../place-draft.ts';
import { readAccolades } from './accolades.ts';
import { readAddress } from './address.ts';
import { closedByName, MARKED_DISUSED } from './closed-by-name.ts';
import { factsFromTags } from './facts.ts';
import { isBuildingPart } from './building-part.ts';
import { readProminence } from './prominence.ts';
import { isNamed, readNames } from './names.ts';
import { PHONE_KEYS, readPhones } from './phone.ts';
import { limitTags } from './tag-limits.ts';
import { isPrivateParking, matchWithoutName, namesWithoutName } from './unnamed.ts';
import { readLastEdited } from './last-edited.ts';
import { readBookingUrl, readEmail, readWebsite } from './web-links.ts';

// Prefixes under which mappers keep the tags of an object from before it closed.
const LIFECYCLE_PREFIXES = ['disused:', 'was:', 'abandoned:', 'closed:', 'demolished:', 'removed:'];
const prefixOfKey = new Map(
  LIFECYCLE_PREFIXES.flatMap((prefix) => CATEGORY_KEYS.map((key) => [prefix + key, prefix] as const)),
);
/** Keys of which a place or former place has at least one. */
export const PLACE_KEYS: readonly string[] = [...CATEGORY_KEYS, ...prefixOfKey.keys()];
const VALUES_MAX = 20;
const VALUE_LENGTH_MAX = 60;
// Relation types of routes, which have no single position: a tram line may be tagged as a pub, for example.
const ROUTES = new Set(['route', 'route_master', 'superroute']);

/** Result of judging the tags of an object: a place, or the reason why it is none. */
export type Judgement =
  | { kind: 'place'; match: CategoryMatch; disused: string | null; tags: Tags; cut: readonly string[] }
  | { kind: 'unnamed' | 'vacant' | 'parts' | 'routes' | 'nothing' };

/** Returns the tags from when the object was in use, so that a closed place keeps its name. */
function withoutPrefix(tags: Tags, prefix: string): Tags {
  const former = new Map(tags);
  for (const [key, value] of tags) {
    if (key.startsWith(prefix)) former.set(key.slice(prefix.length), value);
  }
  return former;
}

export function judgeTags(rawTags: Tags): Judgement {
  const { tags, cut } = limitTags(rawTags);
  const found = classify(tags);
  if (found !== null) {
    if (isPrivateParking(tags, found)) return { kind: 'nothing' };
    const match = isNamed(tags) ? found : matchWithoutName(tags, found);
    if (match === null) return { kind: 'unnamed' };
    if (ROUTES.has(tags.get('type') ?? '')) return { kind: 'routes' };
    if (isBuildingPart(tags, match)) return { kind: 'parts' };
    const state = ['disused', 'abandoned'].find((key) => tags.get(key) === 'yes');
    // A ruin is abandoned by nature and still worth visiting.
    const disused = state === undefined || match.vertical === 'attraction' ? null : `${state}=yes`;
    return { kind: 'place', match, disused, tags, cut };
  }
  return judgeFormer(tags, cut);
}

function judgeFormer(tags: Tags, cut: readonly string[]): Judgement {
  for (const [key, value] of tags) {
    const prefix = prefixOfKey.get(key);
    if (prefix === undefined) continue;
    const before = withoutPrefix(tags, prefix);
    const match = classify(before);
    if (match !== null && isNamed(before))
      return { kind: 'place', match, disused: `${key}=${cutAtWord(value, NAME_MAX)}`, tags: before, cut };
  }
  return isVacant(tags) ? { kind: 'vacant' } : { kind: 'nothing' };
}

/** Returns the state of an object that was a place: closed by its tags, even without a name now, or still there. */
export function stateOf(tags: Tags): 'there' | 'closed' {
  if (classify(tags) !== null) return 'there';
  return isVacant(tags) || tags.keys().some((key) => prefixOfKey.has(key)) ? 'closed' : 'there';
}

export function countJudgement({ kind }: Judgement, counts: ReadCounts): void {
  if (kind !== 'nothing') counts.of_interest++;
  if (kind === 'unnamed' || kind === 'vacant' || kind === 'parts' || kind === 'routes') counts[kind]++;
}

function listOf(text: string | undefined): string[] {
  if (text === undefined) return [];
  const values = text.split(/[;,]/).map((value) => value.trim().toLowerCase().replace(/\s+/g, '_'));
  return [...new Set(values.filter((value) => value !== '' && value.length <= VALUE_LENGTH_MAX))].slice(
    0,
    VALUES_MAX,
  );
}

function languagesIn(tags: Tags): string[] {
  const languages = new Set<string>();
  for (const [key, value] of tags) {
    if (!key.includes('language:')) continue;
    const language = /^(?:service:)?language:([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)$/.exec(key)?.[1];
    if (language !== undefined && value !== 'no') languages.add(language);
  }
  return [...languages].slice(0, VALUES_MAX);
}

export interface SourceObject {
  source: PlaceDraft['source'];
  source_ref: string;
  lat: number;
  lng: number;
  changedAt: Date | null;
  /** Date of the file, when it is known. */
  asOf: Date | null;
  /** Area of its outline; null when there is only a point. */
  squareMetres: number | null;
}

export function draftFromTags(
  { match, disused, tags, cut }: Extract<Judgement, { kind: 'place' }>,
  { changedAt, asOf, squareMetres, ...object }: SourceObject,
  counts: ReadCounts,
): PlaceDraft | null {
  const signed = readNames(tags);
  const names = signed ?? namesWithoutName(tags);
  const [category] = match.categories;
  if (category === undefined) return null;
  counts.places++;
  const closed =
    disused === null ? closedByName(tags, match, asOf ?? changedAt) : `${MARKED_DISUSED}: ${disused}.`;
  if (closed !== null) counts.closed++;
  const hours = tags.get('opening_hours')?.trim() ?? '';
  const { phone, ...published } = readPhones(
    PHONE_KEYS.flatMap((key) => tags.get(key) ?? []),
    counts,
  );
  const facts = { ...factsFromTags(tags, match.vertical), ...published };
  const accolades = readAccolades(tags);
  const website = readWebsite(tags, counts);
  const prominence = readProminence({
    ...{ match, tags, facts, squareMetres },
    languages: Object.keys(names.names).length,
    awards: accolades.length,
    contacts: [website, phone, hours || null].filter((contact) => contact !== null).length,
  });
  return {
    ...object,
    ...names,
    name_generated: signed === null,
    ...match,
    category,
    cuisine: listOf(tags.get('cuisine')),
    ...readAddress(tags, object.lat, object.lng),
    phone,
    email: readEmail(tags),
    website,
    languages: languagesIn(tags),
    hours_text: hours === '' ? null : hours,
    touched_at: readLastEdited(tags, changedAt),
    observed_at: changedAt,
    facts,
    prominence,
    accolades,
    booking_url: readBookingUrl(tags),
    closed: closed === null ? null : { note: closed, observed_at: changedAt },
    ...(cut.length > 0 && { cut }),
  };
}
