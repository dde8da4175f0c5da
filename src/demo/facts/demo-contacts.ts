import phones from './phones.json' with { type: 'json' };
import type { SeededRandom } from '../demo-random.ts';

/** Prefix and number of digits after it. All numbers of this form are in the range. */
type PhoneRange = readonly [prefix: string, digits: number];

/** Phone numbers that regulators reserve for fiction: they are never assigned, so the demo never calls a real person. */
export const FICTION_PHONES = Object.fromEntries(
  Object.entries(phones).map(([country, { ranges }]) => [country, ranges]),
) as unknown as Readonly<Record<string, readonly PhoneRange[]>>;

/** Range for all other countries: ITU-T E.164 reserves country code 999, so no network routes these numbers. */
export const UNROUTABLE_PHONE: PhoneRange = ['+99901', 7];

export function demoPhone(random: SeededRandom, country: string): string {
  const [prefix, digits] = random.pick(FICTION_PHONES[country] ?? [UNROUTABLE_PHONE]);
  return prefix + String(random.below(10 ** digits)).padStart(digits, '0');
}

const MAILBOXES = ['hello', 'info', 'contact', 'bookings', 'reservations', 'post'];

const LABEL_CHARACTERS_MAX = 63;

/** Returns the host of a venue's site, under a top-level domain that RFC 2606 reserves. */
export function demoHost(random: SeededRandom, slug: string, citySlug: string): string {
  // Short domains are mostly taken already, so most venues append their city.
  const label = (random.chance(0.2) ? slug : `${slug}-${citySlug}`).slice(0, LABEL_CHARACTERS_MAX);
  return `${label.endsWith('-') ? label.slice(0, -1) : label}.${random.chance(0.97) ? 'example' : 'test'}`;
}

export const demoWebsite = (random: SeededRandom, host: string): string =>
  `https://${random.chance(0.3) ? 'www.' : ''}${host}`;

export const demoEmail = (random: SeededRandom, host: string): string => `${random.pick(MAILBOXES)}@${host}`;
