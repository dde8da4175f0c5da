import type { Config } from '../../config.ts';
import type { Surface } from '../../core/context.ts';
import { endpointName, type SurfaceDescription } from '../surface-list.ts';

/** Texts about an endpoint for directories. They describe what it does, and make no claims about quality. */
interface ListingTexts {
  /** At most 30 characters. */
  subtitle: string;
  /** At most 100 characters, for registries. */
  short: string;
  long: string;
  categories: readonly string[];
}

const LISTING_TEXTS: Record<Surface, ListingTexts> = {
  agent: {
    subtitle: 'Places: find, list, license',
    short: 'Find real places, submit businesses and promotions for review, license travellers’ photos.',
    long: 'Searches a directory of real places by name, kind, area and wish, and returns the record of each: hours, contacts, menu, how to book it, and where each fact comes from. Businesses and promotions are submitted for review by a person. Photos of places are quoted and licensed one use at a time, from a wallet that a person fills.',
    categories: ['Travel', 'Local business'],
  },
  partner: {
    subtitle: 'Places, hours and menus',
    short: 'Read-only answers about real places: search, opening hours, menus, ratings, booking pages.',
    long: 'Answers questions about places in one destination: what is there, what is open now or at a given time, what is on the menu, how guests rate it, and which booking page the venue chose, filled in for a party, a date and a time. It only reads: nothing is booked, nothing is charged, and no personal data is taken.',
    categories: ['Travel', 'Food and drink'],
  },
  concierge: {
    subtitle: 'Ask venues for a table',
    short: 'Ask venues for a table, follow their answer, change or cancel. The venue decides.',
    long: 'Asks a venue to hold a table for a guest, by name only, and reports the status of the request: asked, offered, confirmed or declined. Offers are accepted, tables changed and cancelled. The service asks and the venue decides: a request is not a booking until the venue has confirmed it. No contact data, card or fee is taken from a guest.',
    categories: ['Travel', 'Food and drink'],
  },
  reserve: {
    subtitle: 'Reserve by asking the venue',
    short: 'A form behind a Reserve button that asks the restaurant for a table. The restaurant decides.',
    long: 'Opens a form for one restaurant behind the Reserve button of an assistant, asks the restaurant for a table for a guest, by name only, and shows the status of the request. A request is not a booking until the restaurant has confirmed it.',
    categories: ['Travel', 'Food and drink'],
  },
};

/** One endpoint as directories list it. */
export interface Listing extends ListingTexts {
  surface: Surface;
  name: string;
  title: string;
  url: string;
  auth: string;
  website: string;
  privacy: string;
  terms: string;
  support: string;
}

export function listingOf(config: Config, { surface, title, url, auth }: SurfaceDescription): Listing {
  const { baseUrl, serviceName } = config;
  return {
    ...LISTING_TEXTS[surface],
    surface,
    name: endpointName(serviceName, surface),
    title: surface === 'agent' ? serviceName : `${serviceName} ${title}`,
    url,
    auth,
    website: `${baseUrl}/docs`,
    privacy: `${baseUrl}/privacy`,
    terms: `${baseUrl}/terms`,
    support: `${baseUrl}/support`,
  };
}
