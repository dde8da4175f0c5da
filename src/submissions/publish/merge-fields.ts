import {
  CONTACT_FIELDS,
  isAgents,
  ownersWord,
  sameContact,
  type ContactField,
  type ContactsOfPlace,
} from '../../directory/place/contact-origin.ts';
import type { BusinessContent } from '../submission.ts';

/** The fields that a submission may set, under the names that they have in the directory. */
export const FIELDS = [
  'name',
  'address',
  'phone',
  'email',
  'website',
  'about',
  'languages',
  'price_range',
  'hours',
] as const;
export type Field = (typeof FIELDS)[number];

type PlaceFields = ContactsOfPlace & Record<Field, unknown> & { badge: 'mapped' | 'claimed' };

/** What an approved submission says, and whether the venue lets its operator speak for it. */
export interface Word {
  submissionId: string;
  content: BusinessContent;
  byOwner: boolean;
}

export interface MergedFields {
  /** Only what changes; hours as they were submitted, or null. */
  changed: Partial<Record<Field, unknown>>;
  origins: Record<string, string>;
  published: Partial<Record<string, string>>;
}

/**
 * What becomes of the fields of a place by an approved submission. A value that is published, or the venue's own, already
 * keeps that origin, and a published contact that is no longer shown is kept: the venue is asked by it all the same.
 */
export function mergeFields(place: PlaceFields, word: Word): MergedFields {
  const { submissionId, content, byOwner } = word;
  const merged = { changed: {}, origins: { ...place.origins }, published: { ...place.published } };
  for (const field of FIELDS) {
    const given = valueOf(content, field);
    const origin = place.origins[field];
    if (!hasValue(given)) {
      if (origin === submissionId || origin === ownersWord(submissionId)) giveBack(merged, field);
    } else if (!isAgents(origin) && sameValue(field, given, place[field])) {
      continue;
    } else if (byOwner) {
      take(merged, place, field, given, ownersWord(submissionId));
    } else if (place.badge === 'claimed' && hasValue(place[field])) {
      // On a claimed place the venue's own word stands, and others fill only what it left empty.
      continue;
    } else if (isContact(field) && sameContact(field, given as string, place.published[field] ?? null)) {
      giveBack(merged, field);
    } else {
      take(merged, place, field, given, submissionId);
    }
  }
  return merged;
}

function take(merged: MergedFields, place: PlaceFields, field: Field, given: unknown, origin: string): void {
  if (isContact(field) && place.origins[field] === undefined && place[field] !== null)
    merged.published[field] = place[field];
  merged.changed[field] = given;
  merged.origins[field] = origin;
}

/** Shows what was published again, or nothing. */
function giveBack(merged: MergedFields, field: Field): void {
  merged.changed[field] = merged.published[field] ?? (field === 'languages' ? [] : null);
  Reflect.deleteProperty(merged.origins, field);
  Reflect.deleteProperty(merged.published, field);
}

function isContact(field: Field): field is ContactField {
  return (CONTACT_FIELDS as readonly string[]).includes(field);
}

/** Hours that a reviewer has looked at are newer evidence than the same hours before, so that they are never the same. */
function sameValue(field: Field, given: unknown, held: unknown): boolean {
  if (field === 'hours') return false;
  if (isContact(field)) return sameContact(field, given as string, held as string | null);
  return JSON.stringify(given) === JSON.stringify(held);
}

export function valueOf(content: BusinessContent, field: Field): unknown {
  return field === 'about' ? content.description : content[field];
}

export function hasValue(value: unknown): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0);
}
