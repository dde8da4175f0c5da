import data from './bookings.json' with { type: 'json' };
import { byWeight, type SeededRandom } from '../demo-random.ts';
import type { BookingMethod } from '../../directory/booking-route/booking-method.ts';

export interface DemoBooking {
  booking_method: BookingMethod;
  booking_url: string | null;
  booking_platform: string | null;
}

type Weights = Readonly<Record<string, number>>;
const byKey = (lists: Readonly<Record<string, Weights>>) =>
  new Map(Object.entries(lists).map(([key, weights]) => [key, byWeight(Object.entries(weights))]));

/** Booking methods of venues, by what they take bookings for: tables, rooms, visits by appointment, or nothing. */
const METHODS = byKey(data.methods) as ReadonlyMap<string, readonly BookingMethod[]>;
/** Page URLs of each platform. None of the pages exist: slugs contain `demo`, and ids are far above real ones. */
const PAGES = byKey(data.pages);
const HOSTS: Readonly<Record<string, Readonly<Record<string, string>>>> = data.hosts;
/** Table booking platforms by country. Countries under `*` use the two that work everywhere. */
const PLATFORMS = new Map(
  Object.entries(data.platforms).map(([country, names]) => [country, names.split(' ')]),
);

export const BOOKING_PLATFORMS: readonly string[] = [...PAGES.keys()];

interface BookedVenue {
  /** Key of METHODS. */
  booking: string;
  slug: string;
  country: string;
  citySlug: string;
  host: string;
}

export function demoBooking(random: SeededRandom, venue: BookedVenue): DemoBooking {
  const booking_method = random.pick(METHODS.get(venue.booking) ?? []);
  if (booking_method !== 'venue_system') return { booking_method, booking_url: null, booking_platform: null };
  const booking_platform = pickPlatform(random, venue);
  const booking_url =
    booking_platform === null ? `https://${venue.host}/book` : pageUrl(random, booking_platform, venue);
  return { booking_method, booking_url, booking_platform };
}

function pickPlatform(random: SeededRandom, { booking, country }: BookedVenue): string | null {
  if (booking === 'room') return random.chance(0.7) ? 'synxis' : null;
  if (booking === 'visit' || random.chance(0.06)) return null;
  return random.pick(PLATFORMS.get(country) ?? PLATFORMS.get('*') ?? []);
}

function pageUrl(random: SeededRandom, platform: string, { slug, citySlug, country }: BookedVenue): string {
  const hex = random.bits().toString(16).padStart(8, '0') + random.bits().toString(16).padStart(8, '0');
  const id = 990_000_000 + random.below(9_999_999);
  const pages = PAGES.get(platform) ?? [];
  const page = pages.length === 1 ? (pages[0] ?? '') : random.pick(pages);
  const hosts = HOSTS[platform];
  const parts: Readonly<Record<string, string>> = {
    slug: `demo-${slug}-${citySlug}`,
    word: `demo-${slug}-${citySlug}`.replaceAll('-', ''),
    city: citySlug,
    host: hosts?.[country] ?? hosts?.['*'] ?? '',
    id: String(id),
    chain: `${id % 1000}99999`,
    hex,
    uuid: `00000000-0000-4000-8000-${hex.slice(0, 12)}`,
  };
  return `https://${page.replaceAll(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? '')}`;
}
