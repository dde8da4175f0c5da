import { byWeight, type SeededRandom } from '../demo-random.ts';

export type DemoBookingMethod = 'request' | 'venue_system' | 'phone' | 'not_through';

export interface DemoBooking {
  booking_method: DemoBookingMethod;
  booking_url: string | null;
  booking_platform: string | null;
}

/**
 * Weighted booking methods of venues, by what they take bookings for: tables, rooms, visits by appointment, or nothing.
 */
const METHODS: Readonly<Record<string, readonly DemoBookingMethod[]>> = {
  table: byWeight<DemoBookingMethod>([
    ['request', 30],
    ['venue_system', 24],
    ['phone', 42],
    ['not_through', 4],
  ]),
  walk_in: byWeight<DemoBookingMethod>([
    ['request', 8],
    ['venue_system', 4],
    ['phone', 85],
    ['not_through', 3],
  ]),
  room: byWeight<DemoBookingMethod>([
    ['venue_system', 36],
    ['phone', 60],
    ['not_through', 4],
  ]),
  visit: byWeight<DemoBookingMethod>([
    ['venue_system', 18],
    ['phone', 79],
    ['not_through', 3],
  ]),
  none: byWeight<DemoBookingMethod>([
    ['phone', 97],
    ['not_through', 3],
  ]),
};

/**
 * Parts of a venue's page URL on a platform. None of the pages exist: slugs contain `demo`, and ids are far above real
 * ones.
 */
interface PageParts {
  slug: string;
  city: string;
  /** Nine-digit number. */
  id: number;
  hex: string;
  country: string;
  random: SeededRandom;
}

type Page = (parts: PageParts) => string;

const uuid = (hex: string): string => `00000000-0000-4000-8000-${hex.slice(0, 12)}`;

const OPENTABLE_HOSTS: Readonly<Record<string, string>> = {
  GB: 'www.opentable.co.uk',
  AU: 'www.opentable.com.au',
  ES: 'www.opentable.es',
  AE: 'www.opentable.ae',
};
const THEFORK_HOSTS: Readonly<Record<string, string>> = {
  FR: 'www.thefork.fr',
  IT: 'www.thefork.it',
  ES: 'www.thefork.es',
};

const openTable: Page = ({ slug, id, country, random }) => {
  const host = OPENTABLE_HOSTS[country] ?? 'www.opentable.com';
  const form = random.below(3);
  if (form === 0) return `https://${host}/restref/client/?rid=${id}&restref=${id}`;
  return form === 1 ? `https://${host}/restaurant/profile/${id}` : `https://${host}/r/${slug}`;
};

const PAGES: Readonly<Record<string, Page>> = {
  opentable: openTable,
  resy: ({ slug, city }) => `https://resy.com/cities/${city}/venues/${slug}`,
  tock: ({ slug }) => `https://www.exploretock.com/${slug}`,
  sevenrooms: ({ slug, random }) =>
    `https://www.sevenrooms.com/${random.chance(0.8) ? 'reservations' : 'explore'}/${slug.replaceAll('-', '')}`,
  tablecheck: ({ slug, country }) =>
    `https://www.tablecheck.com/${country === 'JP' ? 'ja' : 'en'}/shops/${slug}/reserve`,
  chope: ({ slug, random }) =>
    random.chance(0.5)
      ? `https://book.chope.co/booking?rid=${slug.replaceAll('-', '')}`
      : `https://booking.chope.co/booking_index?rid=${slug.replaceAll('-', '')}`,
  resdiary: ({ slug, id }) =>
    `https://booking.resdiary.com/widget/Standard/${slug.replaceAll('-', '')}/${id}`,
  designmynight: ({ hex }) =>
    `https://bookings.designmynight.com/book?venue_id=00000000${hex}&source=partner`,
  yelp: ({ slug }) => `https://www.yelp.com/reservations/${slug}`,
  zenchef: ({ id }) => `https://bookings.zenchef.com/results?rid=${id}&pid=1001`,
  ikyu: ({ id }) => `https://restaurant.ikyu.com/${id}`,
  pocket_concierge: ({ id }) => `https://pocket-concierge.jp/en/restaurants/${id}`,
  synxis: ({ id }) => `https://be.synxis.com/?hotel=${id}&chain=${id % 1000}99999`,
  thefork: ({ slug, id, hex, country, random }) =>
    random.chance(0.7)
      ? `https://${THEFORK_HOSTS[country] ?? 'www.thefork.com'}/restaurant/${slug}-r${id}`
      : `https://widget.thefork.com/en/${uuid(hex)}`,
  quandoo: ({ slug, id, random }) =>
    random.chance(0.6)
      ? `https://www.quandoo.com/place/${slug}-${id}`
      : `https://booking-widget.quandoo.com/iframe.html?agentId=2&merchantId=${id}`,
  eatapp: ({ slug }) => `https://eatapp.co/reserve/${slug}`,
  covermanager: ({ slug, random }) =>
    `https://www.covermanager.com/${random.pick(['reserve', 'reservation'])}/module_restaurant/${slug}/english`,
  nowbookit: ({ id, hex }) =>
    `https://booking.nowbookit.com/steps/sitting-details?accountid=${uuid(hex)}&venueid=${id}`,
};

export const BOOKING_PLATFORMS: readonly string[] = Object.keys(PAGES);

/** Table booking platforms by country. Other countries use the two that work everywhere. */
const PLATFORMS_BY_COUNTRY: Readonly<Record<string, string>> = {
  US: 'opentable opentable resy resy tock sevenrooms yelp yelp',
  CA: 'opentable opentable resy tock yelp sevenrooms',
  MX: 'opentable opentable covermanager tock',
  GB: 'opentable sevenrooms resdiary designmynight designmynight resy quandoo',
  IE: 'opentable resdiary sevenrooms',
  AU: 'nowbookit nowbookit sevenrooms opentable resdiary quandoo',
  NZ: 'nowbookit resdiary sevenrooms',
  ZA: 'resdiary sevenrooms opentable',
  FR: 'thefork thefork zenchef zenchef sevenrooms',
  BE: 'zenchef thefork sevenrooms',
  CH: 'zenchef thefork opentable',
  NL: 'zenchef opentable sevenrooms',
  IT: 'thefork thefork quandoo sevenrooms',
  ES: 'covermanager covermanager thefork opentable',
  PT: 'thefork covermanager',
  DE: 'opentable quandoo quandoo sevenrooms',
  AT: 'quandoo opentable',
  TR: 'quandoo sevenrooms',
  JP: 'tablecheck tablecheck ikyu pocket_concierge opentable',
  KR: 'tablecheck sevenrooms',
  SG: 'chope chope tablecheck sevenrooms quandoo',
  HK: 'chope opentable quandoo sevenrooms',
  ID: 'chope tablecheck sevenrooms',
  TH: 'chope tablecheck sevenrooms',
  AE: 'eatapp eatapp sevenrooms opentable',
  QA: 'eatapp sevenrooms',
  BH: 'eatapp sevenrooms',
  SA: 'eatapp sevenrooms',
  EG: 'eatapp sevenrooms',
  CO: 'covermanager opentable',
  AR: 'covermanager opentable',
  PE: 'covermanager opentable',
};
const GLOBAL_PLATFORMS = 'sevenrooms tablecheck';

const platformsOf = (country: string): readonly string[] =>
  (PLATFORMS_BY_COUNTRY[country] ?? GLOBAL_PLATFORMS).split(' ');

export interface BookedVenue {
  /** Key of METHODS. */
  booking: string;
  slug: string;
  country: string;
  citySlug: string;
  host: string;
}

export class DemoBookings {
  readonly #random: SeededRandom;
  readonly #platforms = new Map<string, readonly string[]>();

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  booking(venue: BookedVenue): DemoBooking {
    const method = this.#random.pick(METHODS[venue.booking] ?? []);
    if (method !== 'venue_system') {
      return { booking_method: method, booking_url: null, booking_platform: null };
    }
    const platform = this.#platform(venue);
    const page = platform === null ? undefined : PAGES[platform];
    if (page === undefined) {
      return { booking_method: method, booking_url: `https://${venue.host}/book`, booking_platform: null };
    }
    const random = this.#random;
    const hex = random.bits().toString(16).padStart(8, '0') + random.bits().toString(16).padStart(8, '0');
    const url = page({
      slug: `demo-${venue.slug}-${venue.citySlug}`,
      city: venue.citySlug,
      id: 990_000_000 + random.below(9_999_999),
      hex,
      country: venue.country,
      random,
    });
    return { booking_method: method, booking_url: url, booking_platform: platform };
  }

  #platform({ booking, country }: BookedVenue): string | null {
    if (booking === 'room') return this.#random.chance(0.7) ? 'synxis' : null;
    if (booking === 'visit' || this.#random.chance(0.06)) return null;
    let platforms = this.#platforms.get(country);
    if (platforms === undefined) {
      platforms = platformsOf(country);
      this.#platforms.set(country, platforms);
    }
    return this.#random.pick(platforms);
  }
}
