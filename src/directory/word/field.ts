import type { BookingMethod } from '../booking-route/booking-method.ts';
import type { StoredHours } from '../hours/stored-hours.ts';

/** Who can say something about a place. */
export const ORIGINS = ['map', 'provider', 'agent', 'reviewer', 'owner'] as const;
export type Origin = (typeof ORIGINS)[number];

/** How tables are asked for. */
export interface BookingWay {
  booking_method: BookingMethod;
  booking_url: string | null;
  booking_platform: string | null;
}

/** What can be said of each field. A kind is what a traveller looks for, with the map's finer word for it. */
export interface FieldValues {
  name: string;
  kind: { vertical: string; category: string };
  city: string;
  address: string;
  phone: string;
  email: string;
  website: string;
  about: string;
  languages: string[];
  price_range: string;
  hours: StoredHours;
  booking: BookingWay;
}
export type Field = keyof FieldValues;

interface FieldRule<Value> {
  /** Whether two values are one, however they are written. */
  same: (one: Value, other: Value) => boolean;
  /** The later word of two that say the same counts, because it was looked at again. */
  renewed?: true;
  /** On a claimed place maps and providers fill it only while it is empty: whoever edits a map does not rename a venue. */
  settledByClaim?: true;
}

/**
 * Published data comes before what an agent submits: a reviewer cannot know whether a number is the venue's own, and an
 * operator that calls itself the owner is a third party until the venue has answered.
 */
export const ORDER: readonly Origin[] = ['owner', 'reviewer', 'map', 'provider', 'agent'];

const asText = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
const plain = (form: (value: string) => string) => (one: string, other: string) => form(one) === form(other);
const ruleOf = <Value>(same: FieldRule<Value>['same']): FieldRule<Value> => ({ same });

const settled = <Value>(rule: FieldRule<Value>): FieldRule<Value> => ({ ...rule, settledByClaim: true });

export const FIELDS: { readonly [F in Field]: FieldRule<FieldValues[F]> } = {
  name: settled(ruleOf(asText)),
  kind: ruleOf((one, other) => one.vertical === other.vertical),
  city: ruleOf(asText),
  address: settled(ruleOf(asText)),
  phone: settled(ruleOf(plain((number) => number.replaceAll(/[^+\d]/g, '')))),
  email: settled(ruleOf(plain((address) => address.trim().toLowerCase()))),
  website: settled(ruleOf(plain((address) => URL.parse(address)?.href ?? address))),
  about: ruleOf(asText),
  languages: settled(ruleOf(asText)),
  price_range: ruleOf(asText),
  hours: { ...ruleOf((one, other) => one.text === other.text), renewed: true },
  booking: ruleOf(asText),
};

export const FIELD_NAMES = Object.keys(FIELDS) as Field[];

/** The fields by which a place is reached. */
export const CONTACT_FIELDS = ['phone', 'email', 'website'] as const satisfies Field[];
export type ContactField = (typeof CONTACT_FIELDS)[number];
