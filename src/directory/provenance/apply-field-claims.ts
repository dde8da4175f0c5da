import { latinForm } from '../../core/text/fold.ts';
import type { BookingMethod } from '../booking-route/booking-method.ts';
import type { StoredHours } from '../hours/stored-hours.ts';
import { FIELD_NAMES, FIELDS, type ClaimField, type FieldValues, type Origin } from './field.ts';
import { orderClaims, type FieldClaim, type FieldClaims } from './field-claim.ts';

export interface ClaimedColumns {
  name: string;
  /** True while no source states a name. */
  name_generated: boolean;
  /** The name in Latin letters, if it is written in another script. */
  latin_name: string | null;
  vertical: string;
  category: string;
  city: string | null;
  address: string | null;
  /** Null, like lng, if the position is unknown. */
  lat: number | null;
  lng: number | null;
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

export interface PlaceWithClaims extends ClaimedColumns {
  id: string;
  badge: 'mapped' | 'claimed';
  /** Source of the record: the name of a map, or `submission`. */
  source: string;
  source_ref: string;
  verified_at: Date | null;
  updated_at: Date;
  /** Claims of all sources, by field. */
  field_claims: FieldClaims;
}

/** The `ref` of claims by the venue itself. */
export const VENUE = 'venue';

/** Claims of one source. Null withdraws a value; from the venue, it means that there is none. */
export interface ClaimSet extends Omit<FieldClaim, 'value'> {
  values: { [F in ClaimField]?: FieldValues[F] | null };
}

/** Applies the claims of one source, the only way in which a value enters. It replaces only its own claims. */
export function applyFieldClaims<Place extends PlaceWithClaims>(
  place: Place,
  { values, ...claimant }: ClaimSet,
): Place {
  let updated = place;
  for (const field of FIELD_NAMES) {
    const value = values[field];
    if (value !== undefined) updated = applyFieldClaim(updated, field, claimant, value);
  }
  return updated;
}

function applyFieldClaim<F extends ClaimField, Place extends PlaceWithClaims>(
  place: Place,
  field: F,
  claimant: Omit<FieldClaim<F>, 'value'>,
  value: FieldValues[F] | null,
): Place {
  const claims = claimsFor(place, field);
  const added = hasValue(value) || claimant.ref === VENUE ? [{ ...claimant, value }] : [];
  const before = claims.find(({ ref }) => ref === claimant.ref);
  // Turns the venue's claim back into the operator's own, once the operator no longer acts for the venue.
  const demoted = (claim: FieldClaim<F>): FieldClaim<F> =>
    claim === before ? { ...claim, by: claimant.by, proof: claimant.proof } : claim;
  // On a claimed place the venue's claims take precedence: others only fill empty fields.
  if (place.badge === 'claimed' && claims.length > 0 && !mayReplace(field, claimant.by, added.length > 0))
    return before?.by === 'owner' ? withClaims(place, field, claims.map(demoted)) : place;
  // A repeated claim of a map or provider changes nothing, so that the place is left untouched.
  const isRepeated = JSON.stringify(before?.value) === JSON.stringify(added[0]?.value);
  if ((claimant.by === 'map' || claimant.by === 'provider') && isRepeated) return place;
  return withClaims(
    place,
    field,
    before === undefined
      ? [...claims, ...added]
      : claims.flatMap((claim) => (claim === before ? added : [claim])),
  );
}

/** True when a source may change a field of a claimed place. Agents may only withdraw their own claims. */
function mayReplace(field: ClaimField, by: Origin, hasClaim: boolean): boolean {
  if (by === 'agent') return !hasClaim;
  return (by !== 'map' && by !== 'provider') || FIELDS[field].settledByClaim !== true;
}

export function withdrawClaims(
  place: PlaceWithClaims,
  ref: string,
  fields: readonly ClaimField[],
): PlaceWithClaims {
  return fields.reduce((rest, field) => {
    const others = claimsFor(rest, field).filter((claim) => claim.ref !== ref);
    return withClaims(rest, field, others);
  }, place);
}

/** Returns the place with other claims for a field; the first of them is displayed. */
export function withClaims<F extends ClaimField, Place extends PlaceWithClaims>(
  place: Place,
  field: F,
  claims: readonly FieldClaim<F>[],
): Place {
  // Puts the map that the record came from before other maps.
  const ordered = orderClaims(
    field,
    claims.toSorted((a, b) => Number(isOwn(place, b)) - Number(isOwn(place, a))),
  );
  const alone = ordered.length === 0 || (ordered.length === 1 && isOwn(place, ordered[0]));
  const { [field]: _, ...others } = place.field_claims;
  return {
    ...place,
    ...columnsOf(place, field, ordered[0]),
    field_claims: alone ? others : { ...others, [field]: ordered },
  };
}

/** Returns all claims for a field, also where only the source of the record fills it. */
export function claimsFor<F extends ClaimField>(place: PlaceWithClaims, field: F): readonly FieldClaim<F>[] {
  const stored = place.field_claims[field];
  if (stored !== undefined) return stored;
  const value = valueOf(place, field);
  return hasValue(value) ? [{ ...recordSource(place), value }] : [];
}

export function shownClaim<F extends ClaimField>(
  place: PlaceWithClaims,
  field: F,
): FieldClaim<F> | undefined {
  return claimsFor(place, field)[0];
}

/** Provenance of fields without stored claims. */
export function recordSource({
  source,
  source_ref,
  verified_at,
  updated_at,
}: PlaceWithClaims): Omit<FieldClaim, 'value'> {
  const at = (verified_at ?? updated_at).toISOString();
  return source === 'submission'
    ? { by: 'agent', ref: source_ref, at, proof: 'reviewed:' }
    : { by: 'map', ref: source, at, proof: 'published' };
}

function isOwn(place: PlaceWithClaims, claim: FieldClaim | undefined): boolean {
  return claim?.by === 'map' && claim.ref === place.source;
}

function hasValue<Value>(value: Value | null): value is Value {
  if (typeof value !== 'object' || value === null) return value !== null;
  if (Array.isArray(value)) return value.length > 0;
  // "Other" means that the kind is unknown, and booking by phone is possible anywhere: neither counts as a value.
  if ('category' in value) return value.category !== 'other';
  return (
    !('booking_url' in value) ||
    value.booking_url !== null ||
    !('booking_method' in value && value.booking_method === 'phone')
  );
}

function valueOf<F extends ClaimField>(place: ClaimedColumns, field: F): FieldValues[F] | null {
  const { vertical, category, booking_method, booking_url, booking_platform } = place;
  if (field === 'name' && place.name_generated) return null;
  const joined: { [G in ClaimField]?: FieldValues[G] } = {
    kind: { vertical, category },
    booking: { booking_method, booking_url, booking_platform },
  };
  return joined[field] ?? (place[field as keyof ClaimedColumns] as FieldValues[F] | null);
}

const HOURS_SOURCES = { owner: 'owner', agent: 'reviewer', reviewer: 'reviewer' } as const;

function columnsOf<F extends ClaimField>(
  place: PlaceWithClaims,
  field: F,
  claim: FieldClaim<F> | undefined,
): Partial<ClaimedColumns> {
  const value = claim?.value ?? undefined;
  switch (field) {
    case 'name':
      if (value === undefined) return {};
      return value === place.name
        ? { name_generated: false }
        : { name: value as string, name_generated: false, latin_name: latinForm(value as string) ?? null };
    case 'kind':
      return (value as FieldValues['kind'] | undefined) ?? { vertical: 'other', category: 'other' };
    case 'languages':
      return { languages: (value as string[] | undefined) ?? [] };
    case 'booking':
      return {
        ...((value as FieldValues['booking'] | undefined) ?? NO_BOOKING),
        chosen_by_venue: claim?.by === 'owner',
      };
    case 'hours':
      return {
        hours:
          value === undefined || claim === undefined ? null : hoursOf(place, claim.by, value as StoredHours),
      };
    default:
      return { [field]: value ?? null };
  }
}

const NO_BOOKING = { booking_method: 'phone', booking_url: null, booking_platform: null } as const;

/** Builds the displayed hours. Hours that are displayed already are kept as compiled. */
function hoursOf({ hours }: ClaimedColumns, by: Origin, value: StoredHours): StoredHours {
  const source = by === 'map' || by === 'provider' ? value.source : HOURS_SOURCES[by];
  const { text, observed_at } = value;
  const isDisplayed = hours?.text === text && hours.source === source && hours.observed_at === observed_at;
  return isDisplayed ? hours : { ...value, source };
}
