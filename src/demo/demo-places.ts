import { kindPoints } from '../import/tags/prominence.ts';
import type { Vertical } from '../import/verticals.ts';
import { WEBSITE_MAX_AGE_DAYS, MAP_MAX_AGE_DAYS } from '../directory/hours/verified-hours.ts';
import { demoAbout, demoLabel } from './wording/demo-about.ts';
import { demoBooking, type DemoBooking } from './facts/demo-booking.ts';
import { demoEmail, demoHost, demoPhone, demoWebsite } from './facts/demo-contacts.ts';
import { DemoDestinations, type DemoDestination, type DemoDestinationRow } from './demo-destinations.ts';
import { DemoTimestamps, demoAccolades, demoClosures, demoDates } from './demo-history.ts';
import { demoWeek, type DemoWeekHours } from './facts/demo-hours.ts';
import { demoKind, type DemoKind } from './wording/demo-kinds.ts';
import { demoMenu } from './wording/demo-menus.ts';
import { demoAddress, demoName, slugOf } from './wording/demo-names.ts';
import { byWeight, demoPlaceId, readWeights, SeededRandom } from './demo-random.ts';

export interface DemoPlaceHours {
  week: DemoWeekHours;
  verified: boolean;
  source: 'owner' | 'venue_website' | 'map';
  observed_at: string;
}

/** Row of table place, with its dependent rows. */
export type DemoPlace = ReturnType<PlaceMaker['make']>;

/** Probability that each contact detail is known, by how the venue takes bookings. */
const CONTACT_SHARES: Readonly<Record<string, { phone: number; email: number; website: number }>> = {
  table: { phone: 0.8, email: 0.35, website: 0.55 },
  walk_in: { phone: 0.6, email: 0.2, website: 0.45 },
  room: { phone: 0.95, email: 0.6, website: 0.85 },
  visit: { phone: 0.9, email: 0.4, website: 0.65 },
  none: { phone: 0.35, email: 0.1, website: 0.25 },
};

const PRICES = byWeight(readWeights('$ 35|$$ 42|$$$ 17|$$$$ 6'));
const UNPRICED = new Set(['beach', 'attraction', 'market', 'taxi', 'clinic', 'transport', 'other', 'event']);

const NO_NAMES: Readonly<Record<string, string>> = {};

const CLAIMED_SHARE = 0.12;
const CLOSED_SHARE = 0.02;
const MENU_SHARE = 0.12;
const ACCOLADE_SHARE = 0.01;

export interface DemoPlacesOptions {
  destinations: readonly DemoDestinationRow[];
  places: number;
  seed: number;
  now: Date;
}

const SIGHTS = new Set(['beach', 'attraction', 'market']);
/** Reviews from which a sight is known at all, points for each doubling, and the most points. */
const FAME = { reviews: 50, each: 10, most: 45 };
/** Points by which each further sight of a kind in a destination stands lower, so that no list begins with all beaches. */
const VARIETY = { each: 12, most: 48 };

/** Sights rank by their kind and by how many people wrote about them, as on a map. Other places rank by rating alone. */
function prominenceOf({ vertical, category, review_count }: Sight, before: number): number {
  const fame = Math.min(FAME.most, FAME.each * Math.log2(1 + review_count / FAME.reviews));
  const repeated = Math.min(VARIETY.most, VARIETY.each * before);
  return Math.max(0, Math.round(kindPoints(vertical as Vertical, category) + fame - repeated));
}

interface Sight {
  vertical: string;
  category: string;
  review_count: number;
}

class PlaceMaker {
  readonly #seed: number;
  readonly #random = new SeededRandom();
  readonly #destinations: DemoDestinations;
  readonly #past: DemoTimestamps;
  /** Sights so far, by destination and kind. */
  readonly #sights = new Map<string, number>();

  constructor({ destinations, seed, now }: DemoPlacesOptions) {
    this.#seed = seed;
    this.#destinations = new DemoDestinations(destinations);
    this.#past = new DemoTimestamps(now);
  }

  make(index: number) {
    const random = this.#random;
    random.restart(this.#seed, index);
    const id = demoPlaceId(index, random);
    const destination = this.#destinations.pick(random);
    const { row, words } = destination;
    const { area, lat, lng } = destination.positions.place(random);
    const kind = demoKind(random, destination.coastal, words.cuisine);
    const languageName = random.pick(words.languageFiles);
    const title = demoName(random, kind.speech ?? languageName, kind, area ?? row.name);
    const slug = slugOf(title.latin) || 'place';
    const badge: 'claimed' | 'mapped' = random.chance(CLAIMED_SHARE) ? 'claimed' : 'mapped';
    const contact = this.#contact(kind, slug, destination);
    const price_range = this.#priceRange(kind);
    const hours = this.#placeHours(kind, badge, contact.website !== null);
    const rated = random.chance(0.84);
    const label = demoLabel(kind.category, kind.cuisine[0]);
    const dates = demoDates(random, this.#past);
    const closures = random.chance(CLOSED_SHARE)
      ? demoClosures(random, this.#past, { website: contact.website, slug, citySlug: row.slug }, dates)
      : [];
    // A venue with a name from a foreign language spells it in Latin letters, so that passers-by can read it.
    const name =
      title.local !== undefined && kind.speech === undefined && random.chance(0.5)
        ? title.local.text
        : title.latin;
    // Fields are listed one by one: spreading objects costs more than computing all the values.
    const place = {
      id,
      destination_id: row.id,
      name,
      names:
        title.local === undefined ? NO_NAMES : { en: title.latin, [title.local.language]: title.local.text },
      vertical: kind.vertical,
      category: kind.category,
      cuisine: kind.cuisine,
      country: row.country,
      city: row.name,
      area,
      address: random.chance(0.82) ? demoAddress(random, languageName, area ?? row.name) : null,
      lat,
      lng,
      phone: contact.phone,
      email: contact.email,
      website: contact.website,
      languages: random.chance(0.1) ? [] : random.pick(destination.languages),
      price_range,
      about: random.chance(0.7)
        ? demoAbout(random, { label, area, city: row.name, price_range, hoursText: hours?.week.text ?? null })
        : null,
      badge,
      rating: rated ? Math.min(50, Math.round(42.5 + random.bell() * 11)) / 10 : null,
      review_count: rated ? 1 + Math.floor(3000 * random.unit() * random.unit() * random.unit()) : 0,
      prominence: 0,
      hours,
      booking_method: contact.booking.booking_method,
      booking_url: contact.booking.booking_url,
      booking_platform: contact.booking.booking_platform,
      chosen_by_venue:
        contact.booking.booking_method === 'not_through' || random.chance(badge === 'claimed' ? 0.85 : 0.03),
      closed_at: closures[0]?.observed_at ?? null,
      verified_at: dates.verified_at,
      source_ref: `demo/${this.#seed}/${index}`,
      created_at: dates.created_at,
      updated_at: dates.updated_at,
      closures,
      menu:
        kind.kitchen !== undefined && random.chance(MENU_SHARE)
          ? demoMenu(random, kind.kitchen, words, price_range)
          : null,
      accolades: random.chance(ACCOLADE_SHARE)
        ? demoAccolades(random, this.#past, { label, city: row.name, slug })
        : [],
    };
    if (SIGHTS.has(kind.vertical)) place.prominence = prominenceOf(place, this.#countSight(place));
    return place;
  }

  /** Counts a sight and returns how many of its kind its destination already has. */
  #countSight({ destination_id, category }: { destination_id: string; category: string }): number {
    const key = `${destination_id} ${category}`;
    const before = this.#sights.get(key) ?? 0;
    this.#sights.set(key, before + 1);
    return before;
  }

  #contact(
    kind: DemoKind,
    slug: string,
    { row }: DemoDestination,
  ): { phone: string | null; email: string | null; website: string | null; booking: DemoBooking } {
    const random = this.#random;
    const shares = CONTACT_SHARES[kind.booking] ?? { phone: 0, email: 0, website: 0 };
    const host = demoHost(random, slug, row.slug);
    const website = random.chance(shares.website) ? demoWebsite(random, host) : null;
    const email = random.chance(shares.email) ? demoEmail(random, host) : null;
    const venue = { booking: kind.booking, slug, country: row.country, citySlug: row.slug, host };
    const booking = demoBooking(random, venue);
    // A venue that takes bookings by request or phone has a phone number.
    const reachable =
      booking.booking_method === 'request' || (booking.booking_method === 'phone' && kind.booking !== 'none');
    const phone = reachable || random.chance(shares.phone) ? demoPhone(random, row.country) : null;
    return { phone, email, website, booking };
  }

  #priceRange({ vertical, category }: DemoKind): string | null {
    const random = this.#random;
    if (UNPRICED.has(vertical) || random.chance(0.12)) return null;
    if (category === 'fine_dining') return random.chance(0.5) ? '$$$' : '$$$$';
    if (category === 'street_food' || category === 'fast_food') return random.chance(0.85) ? '$' : '$$';
    return random.pick(PRICES);
  }

  #placeHours(kind: DemoKind, badge: 'claimed' | 'mapped', hasWebsite: boolean): DemoPlaceHours | null {
    const random = this.#random;
    const week = demoWeek(random, kind.hours);
    if (week === null) return null;
    if (badge === 'claimed' && random.chance(0.75)) {
      const observed_at = this.#past.moment(random, random.between(1, 400));
      return { week, verified: true, source: 'owner', observed_at };
    }
    const fromWebsite = hasWebsite && random.chance(0.5);
    const days = random.between(1, fromWebsite ? 300 : 1000);
    return {
      week,
      verified: days <= (fromWebsite ? WEBSITE_MAX_AGE_DAYS : MAP_MAX_AGE_DAYS),
      source: fromWebsite ? 'venue_website' : 'map',
      observed_at: this.#past.moment(random, days),
    };
  }
}

/** Generates fictional venues in the destinations. The same seed, destinations and time give byte-identical places. */
export function demoPlaces(options: DemoPlacesOptions): Iterable<DemoPlace> {
  if (options.destinations.length === 0) return [];
  return makePlaces(new PlaceMaker(options), options.places);
}

function* makePlaces(maker: PlaceMaker, count: number): Generator<DemoPlace> {
  for (let index = 0; index < count; index++) yield maker.make(index);
}
