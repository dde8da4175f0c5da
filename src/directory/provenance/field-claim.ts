import { FIELDS, ORDER, type ClaimField, type FieldValues, type Origin } from './field.ts';

export interface FieldClaim<F extends ClaimField = ClaimField> {
  by: Origin;
  /** Identifies the source: a map by its name, a submission by its id, `venue`, `staff`, `provider`. */
  ref: string;
  /** Time of the claim; for a map, when the object was last checked. RFC 3339. */
  at: string;
  proof: Proof;
  /** Null: the venue states that it has none. */
  value: FieldValues[F] | null;
}

/**
 * Published: anybody can look it up. Reviewed: that person approved it. Claim: the venue entered the code that was sent
 * to its contact. Acts: the venue confirmed that this agent acts for it. Confirmed: the business confirmed it when
 * asked. Tap, call: the venue's answer to a question. Seen: a member of staff recorded what they saw.
 */
type Proof =
  'published' | 'claim' | 'tap' | `${'reviewed' | 'confirmed' | 'acts' | 'call' | 'seen'}:${string}`;

/** Claims by field, the displayed one first. A field that only the record's own source fills is absent. */
export type FieldClaims = { [F in ClaimField]?: FieldClaim<F>[] };

/** Attribution of equal values: sources that know the venue independently of agents come first. */
const TRUST: Readonly<Record<Origin, number>> = { owner: 0, map: 1, provider: 2, reviewer: 3, agent: 4 };

export function orderClaims<F extends ClaimField>(
  field: F,
  claims: readonly FieldClaim<F>[],
): FieldClaim<F>[] {
  const { same, renewed } = FIELDS[field];
  const ranked = claims.toSorted((a, b) => rank(a) - rank(b) || newestFirst(a, b));
  const [first] = ranked;
  if (first === undefined || renewed === true) return ranked;
  const isSame = (value: FieldValues[F] | null) =>
    value === null || first.value === null ? value === first.value : same(value, first.value);
  const [displayed = first] = ranked
    .filter(({ value }) => isSame(value))
    .sort((a, b) => TRUST[a.by] - TRUST[b.by]);
  return [displayed, ...ranked.filter((claim) => claim !== displayed)];
}

/** Rank of a claim. A booking page of an unknown platform ranks last, unless the venue set it. */
function rank(claim: FieldClaim): number {
  const { by, value } = claim;
  const isBooking = typeof value === 'object' && value !== null && 'booking_platform' in value;
  const isUnknownPage = by !== 'owner' && isBooking && value.booking_platform === null;
  // A confirmed agent ranks right after staff; its contacts are still not used to reach the venue.
  const isConfirmed = by === 'agent' && claim.proof.startsWith('confirmed:');
  const position = isConfirmed ? ORDER.indexOf('reviewer') + 0.5 : ORDER.indexOf(by);
  return position + (isUnknownPage ? ORDER.length : 0);
}

/** Orders claims of one origin: those of people by date, newest first; those of maps and providers keep their order. */
function newestFirst(a: FieldClaim, b: FieldClaim): number {
  if (a.by === 'map' || a.by === 'provider') return 0;
  return Date.parse(b.at) - Date.parse(a.at) || (a.ref < b.ref ? -1 : 1);
}

/** Returns the claim by which a venue is reached and proves its identity: published, or set by the venue itself. */
export function trustedClaim<F extends ClaimField>(
  claims: readonly FieldClaim<F>[],
): FieldClaim<F> | undefined {
  return claims.find(({ by }) => by === 'owner' || by === 'map' || by === 'provider');
}

export function displayedOrigin(
  { field_claims, source }: { field_claims: FieldClaims; source: string },
  field: ClaimField,
): Origin {
  return field_claims[field]?.[0]?.by ?? (source === 'submission' ? 'agent' : 'map');
}

/** Fields that an answer marks when only an agent provides them. */
export const MARKED_FIELDS = [
  'name',
  'address',
  'phone',
  'email',
  'website',
  'about',
  'hours',
] as const satisfies ClaimField[];

/** Fields that only an agent's submission provides: they are not published, and the venue has not confirmed them. */
export function fieldsFromAgents(
  place: { field_claims: FieldClaims; source: string } & {
    [F in (typeof MARKED_FIELDS)[number]]: FieldValues[F] | null;
  },
): string[] {
  return MARKED_FIELDS.filter((field) => place[field] !== null && displayedOrigin(place, field) === 'agent');
}

/** Human-readable value of a claim; empty where the venue states that there is none. */
export function claimText({ value }: FieldClaim): string {
  if (value === null) return '';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.join(', ');
  if ('text' in value) return value.text ?? '';
  if ('vertical' in value) return value.category;
  return [value.booking_method, value.booking_url].filter((part) => part !== null).join(', ');
}
