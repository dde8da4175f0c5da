import type { CategoryMatch, Tags } from '../categories.ts';
import type { Vertical } from '../verticals.ts';

const LODGINGS = new Set<Vertical>(['hotel', 'hostel', 'guesthouse']);
/** Matches `101`, `A12`, `Room 3`, `Zimmer 7`. A hotel called 1898 is recognised by OWN_CONTACTS. */
const ROOM_NAME =
  /^(?:(?:room|rm|zimmer|chambre|habitaci[oó]n|camera|quarto|suite|apartment|apt|appartement|wohnung|unit|kamar|bungalow|villa|no|nr|n°|#)\.?\s*)?[a-z]?-?\d{1,4}\s?[a-z]?$/i;
const OWN_CONTACTS = 'website contact:website phone contact:phone url stars rooms brand'.split(' ');

/** True when an object mapped as a lodging is one of its rooms. */
export function isBuildingPart(tags: Tags, { vertical }: CategoryMatch): boolean {
  if (!LODGINGS.has(vertical)) return false;
  if (tags.get('indoor') === 'room' || tags.has('room')) return true;
  return ROOM_NAME.test((tags.get('name') ?? '').trim()) && !OWN_CONTACTS.some((key) => tags.has(key));
}
