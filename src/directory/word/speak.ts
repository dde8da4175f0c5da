import { latinForm } from '../../core/text/fold.ts';
import type { BookingMethod } from '../booking-route/booking-method.ts';
import type { StoredHours } from '../hours/stored-hours.ts';
import { FIELD_NAMES, FIELDS, type Field, type FieldValues, type Origin } from './field.ts';
import { inOrder, type Word, type Words } from './word.ts';

/** The columns of a place that words decide about. */
export interface SpokenColumns {
  name: string;
  latin_name: string | null;
  vertical: string;
  category: string;
  city: string | null;
  address: string | null;
  phone: string | null;
  email: string | null;
  website: string | null;
  about: string | null;
  languages: string[];
  price_range: string | null;
  hours: StoredHours | null;
  booking_method: BookingMethod;
  booking_url: string | null;
  booking_platform: string | null;
  chosen_by_venue: boolean;
}

/** A place as far as words go. */
export interface SpokenPlace extends SpokenColumns {
  id: string;
  badge: 'mapped' | 'claimed';
  /** Where the record comes from: a map by its name, or `submission`. */
  source: string;
  source_ref: string;
  verified_at: Date | null;
  updated_at: Date;
  words: Words;
}

/** The name of the venue itself among those who speak of it. */
export const VENUE = 'venue';

/** What somebody says of a place: a value, or null for nothing; the venue itself says by it that there is none. */
export interface Speech extends Omit<Word, 'value'> {
  says: { [F in Field]?: FieldValues[F] | null };
}

/**
 * What becomes of a place when somebody speaks: the one way in which a value gets into the directory. Nobody's word takes
 * the place of another's; each speaker replaces only its own, and what is shown is the first in the order of the field.
 */
export function speak<Place extends SpokenPlace>(place: Place, { says, ...speaker }: Speech): Place {
  let spoken = place;
  for (const field of FIELD_NAMES) {
    const value = says[field];
    if (value !== undefined) spoken = speakOf(spoken, field, speaker, value);
  }
  return spoken;
}

function speakOf<F extends Field, Place extends SpokenPlace>(
  place: Place,
  field: F,
  speaker: Omit<Word<F>, 'value'>,
  value: FieldValues[F] | null,
): Place {
  const held = wordsAbout(place, field);
  const given = isSaid(value) || speaker.ref === VENUE ? [{ ...speaker, value }] : [];
  const before = held.find(({ ref }) => ref === speaker.ref);
  // On a claimed place the venue's word stands: what others say fills only what is empty.
  if (place.badge === 'claimed' && held.length > 0 && !mayReplace(field, speaker.by, given.length > 0))
    return before?.by === 'owner' ? show(place, field, demoted(held, before, speaker)) : place;
  // What a map or a provider says again it has said already: a place of which nothing changed is left as it is.
  const again = (speaker.by === 'map' || speaker.by === 'provider') && isRepeated(before, given[0]);
  if (again) return place;
  return show(
    place,
    field,
    before === undefined ? [...held, ...given] : held.flatMap((word) => (word === before ? given : [word])),
  );
}

/** An agent takes back what it said. A map goes on with what only maps know, and leaves the venue its name and contacts. */
function mayReplace(field: Field, by: Origin, says: boolean): boolean {
  if (by === 'agent') return !says;
  return (by !== 'map' && by !== 'provider') || FIELDS[field].settledByClaim !== true;
}

/** What an operator said in the name of the venue is its own again once it no longer speaks in that name. */
function demoted<F extends Field>(
  held: readonly Word<F>[],
  before: Word<F>,
  { by, proof }: Omit<Word<F>, 'value'>,
): Word<F>[] {
  return held.map((word) => (word === before ? { ...before, by, proof } : word));
}

function isRepeated(before: Word | undefined, given: Word | undefined): boolean {
  return JSON.stringify(before?.value) === JSON.stringify(given?.value);
}

/** The same place without what somebody said of these fields. */
export function takeBack(place: SpokenPlace, ref: string, fields: readonly Field[]): SpokenPlace {
  return fields.reduce((rest, field) => takeBackOne(rest, ref, field), place);
}

function takeBackOne(place: SpokenPlace, ref: string, field: Field): SpokenPlace {
  return show(
    place,
    field,
    wordsAbout(place, field).filter((word) => word.ref !== ref),
  );
}

/** The same place with other words about a field, showing the first of them. */
export function show<F extends Field, Place extends SpokenPlace>(
  place: Place,
  field: F,
  words: readonly Word<F>[],
): Place {
  // Of two maps that which the record came from speaks first.
  const ordered = inOrder(
    field,
    words.toSorted((a, b) => Number(isOwn(place, b)) - Number(isOwn(place, a))),
  );
  const alone = ordered.length === 0 || (ordered.length === 1 && isOwn(place, ordered[0]));
  const { [field]: _, ...others } = place.words;
  return {
    ...place,
    ...columnsOf(place, field, ordered[0]),
    words: alone ? others : { ...others, [field]: ordered },
  };
}

/** Everything that is said of a field, also where only the source of the record fills it. */
export function wordsAbout<F extends Field>(place: SpokenPlace, field: F): readonly Word<F>[] {
  const known = place.words[field];
  if (known !== undefined) return known;
  const value = valueOf(place, field);
  return isSaid(value) ? [{ ...sourceOf(place), value }] : [];
}

/** The word that is shown. */
export function shownWord<F extends Field>(place: SpokenPlace, field: F): Word<F> | undefined {
  return wordsAbout(place, field)[0];
}

/** Who filled what nobody else spoke of. */
export function sourceOf({ source, source_ref, verified_at, updated_at }: SpokenPlace): Omit<Word, 'value'> {
  const at = (verified_at ?? updated_at).toISOString();
  return source === 'submission'
    ? { by: 'agent', ref: source_ref, at, proof: 'reviewed:' }
    : { by: 'map', ref: source, at, proof: 'published' };
}

function isOwn(place: SpokenPlace, word: Word | undefined): boolean {
  return word?.by === 'map' && word.ref === place.source;
}

function isSaid<Value>(value: Value | null): value is Value {
  if (typeof value !== 'object' || value === null) return value !== null;
  if (Array.isArray(value)) return value.length > 0;
  // "Other" is the answer of whoever does not know, and to ring up is what is left to do anywhere.
  if ('category' in value) return value.category !== 'other';
  return (
    !('booking_url' in value) ||
    value.booking_url !== null ||
    !('booking_method' in value && value.booking_method === 'phone')
  );
}

/** What the columns of a place say of a field. */
function valueOf<F extends Field>(place: SpokenColumns, field: F): FieldValues[F] | null {
  const { vertical, category, booking_method, booking_url, booking_platform } = place;
  const joined: { [G in Field]?: FieldValues[G] } = {
    kind: { vertical, category },
    booking: { booking_method, booking_url, booking_platform },
  };
  return joined[field] ?? (place[field as keyof SpokenColumns] as FieldValues[F] | null);
}

const HOURS_SOURCES = { owner: 'owner', agent: 'reviewer', reviewer: 'reviewer' } as const;

/** The columns of a place as a word about a field wants them. */
function columnsOf<F extends Field>(
  place: SpokenPlace,
  field: F,
  word: Word<F> | undefined,
): Partial<SpokenColumns> {
  const value = word?.value ?? undefined;
  switch (field) {
    case 'name':
      return value === undefined || value === place.name ? {} : named(value as string);
    case 'kind':
      return (value as FieldValues['kind'] | undefined) ?? { vertical: 'other', category: 'other' };
    case 'languages':
      return { languages: (value as string[] | undefined) ?? [] };
    case 'booking':
      return {
        ...((value as FieldValues['booking'] | undefined) ?? NO_WAY),
        chosen_by_venue: word?.by === 'owner',
      };
    case 'hours':
      return {
        hours:
          value === undefined || word === undefined ? null : hoursOf(place, word.by, value as StoredHours),
      };
    default:
      return { [field]: value ?? null };
  }
}

const NO_WAY = { booking_method: 'phone', booking_url: null, booking_platform: null } as const;

function named(name: string): Partial<SpokenColumns> {
  return { name, latin_name: latinForm(name) ?? null };
}

/** Hours that are shown already stay as they were worked out. */
function hoursOf({ hours }: SpokenColumns, by: Origin, value: StoredHours): StoredHours {
  const source = by === 'map' || by === 'provider' ? value.source : HOURS_SOURCES[by];
  const { text, observed_at } = value;
  const shown = hours?.text === text && hours.source === source && hours.observed_at === observed_at;
  return shown ? hours : { ...value, source };
}
