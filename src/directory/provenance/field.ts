import type { BookingMethod } from '../booking-route/booking-method.ts';
import type { StoredHours } from '../hours/stored-hours.ts';

/** Sources of claims about a place. */
export const ORIGINS = ['map', 'provider', 'agent', 'reviewer', 'owner'] as const;
export type Origin = (typeof ORIGINS)[number];

export interface BookingValue {
  booking_method: BookingMethod;
  booking_url: string | null;
  booking_platform: string | null;
}

/** Value types of the fields. A kind is the vertical that travellers search for, with the map's finer category. */
export interface FieldValues {
  name: string;
  kind: { vertical: string; category: string };
  city: string;
  address: string;
  lat: number;
  lng: number;
  phone: string;
  email: string;
  website: string;
  about: string;
  languages: string[];
  price_range: string;
  hours: StoredHours;
  booking: BookingValue;
}
export type ClaimField = keyof FieldValues;

interface FieldRule<Value> {
  /** True when two values are the same, however they are written. */
  same: (one: Value, other: Value) => boolean;
  /** The later of two equal claims counts, because it was checked again. */
  renewed?: true;
  /** On a claimed place maps and providers fill it only while it is empty: a map edit must not rename a venue. */
  settledByClaim?: true;
}

/** Precedence of origins. Published data comes before agents' submissions, which nobody can verify. */
export const ORDER: readonly Origin[] = ['owner', 'reviewer', 'map', 'provider', 'agent'];

const asText = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
const plain = (form: (value: string) => string) => (one: string, other: string) => form(one) === form(other);
const ruleOf = <Value>(same: FieldRule<Value>['same']): FieldRule<Value> => ({ same });

const settled = <Value>(rule: FieldRule<Value>): FieldRule<Value> => ({ ...rule, settledByClaim: true });

export const FIELDS: { readonly [F in ClaimField]: FieldRule<FieldValues[F]> } = {
  name: settled(ruleOf(asText)),
  kind: ruleOf((one, other) => one.vertical === other.vertical),
  city: ruleOf(asText),
  address: settled(ruleOf(asText)),
  lat: ruleOf(asText),
  lng: ruleOf(asText),
  phone: settled(ruleOf(plain((number) => number.replaceAll(/[^+\d]/g, '')))),
  email: settled(ruleOf(plain((address) => address.trim().toLowerCase()))),
  website: settled(ruleOf(plain((address) => URL.parse(address)?.href ?? address))),
  about: ruleOf(asText),
  languages: settled(ruleOf(asText)),
  price_range: ruleOf(asText),
  hours: { ...ruleOf((one, other) => one.text === other.text), renewed: true },
  booking: ruleOf(asText),
};

export const FIELD_NAMES = Object.keys(FIELDS) as ClaimField[];

/** Claimed only by the venue and by staff, beside the source of the record: always both together. */
export const POSITION_FIELDS = ['lat', 'lng'] as const satisfies ClaimField[];

/** Fields that all sources may claim. */
export const SHARED_FIELDS = FIELD_NAMES.filter((field) => !POSITION_FIELDS.some((own) => own === field));

export const CONTACT_FIELDS = ['phone', 'email', 'website'] as const satisfies ClaimField[];
export type ContactField = (typeof CONTACT_FIELDS)[number];
