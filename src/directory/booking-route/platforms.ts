import type { PlatformName } from './platform-names.ts';
import { memoizeText } from '../../core/memory/memoize-text.ts';

/** Details of a booking that a page can be prefilled with. */
export type Fact = 'party_size' | 'date' | 'time';

/**
 * Template for prefilling a page. Placeholders are {party_size}, {date}, {time} and their other formats, the named
 * groups of the path, and {link.rid} for a parameter that the link already has. A parameter is set when all of its
 * parts are known; none is set when a part of the path is unknown.
 */
export interface PrefillTemplate {
  /** Path of the form when it is not the page itself. */
  readonly path?: string;
  readonly set: Readonly<Record<string, string>>;
  /** Duplicate parameters of some links, which would contradict the others if left stale. */
  readonly refresh?: Readonly<Record<string, string>>;
  /** Further parameters that the form needs, unless the link has them. */
  readonly otherwise?: Readonly<Record<string, string>>;
}

/** One kind of booking page. A platform with several kinds has several rows under one name. */
export interface Platform {
  readonly name: PlatformName;
  /** Hosts, including their subdomains. */
  readonly hosts: readonly string[];
  readonly path: RegExp;
  /** Required parameters: without them it is not a venue's page. */
  readonly needs?: readonly string[];
  readonly fills: readonly Fact[];
  /**
   * high: tested, or widely used. medium: seen in the code of a real site. low: seen once. none: no way to prefill is
   * known.
   */
  readonly confidence: 'high' | 'medium' | 'low' | 'none';
  readonly template?: PrefillTemplate;
}

const OPENTABLE = regional(
  'opentable',
  'com ca de ie nl es it fr jp ae hk sg co.uk com.au com.mx co.th com.tw',
);
const THEFORK = regional('thefork', 'com fr it es pt be ch nl se at de dk ie pl co.uk com.au');
const QUANDOO = regional('quandoo', 'com de at ch it nl fi sg hk co.uk com.au com.hk com.tr');
const LANGUAGE = '(?:/[a-z]{2}(?:-[A-Za-z]{2,4})?)?';

/** Every known platform, with its pages. Only rows of high and medium confidence are prefilled. */
export const PLATFORMS: readonly Platform[] = [
  {
    name: 'opentable',
    hosts: OPENTABLE,
    path: /^\/restref\/client\/?$/,
    fills: ['party_size', 'date', 'time'],
    confidence: 'high',
    template: {
      set: { datetime: '{date}T{time}', covers: '{party_size}' },
      refresh: { searchdatetime: '{date}T{time}', partysize: '{party_size}' },
      otherwise: { rid: '{link.restref}', restref: '{link.rid}' },
    },
  },
  {
    name: 'opentable',
    hosts: OPENTABLE,
    path: new RegExp(`^(?<before>${LANGUAGE})/restaurant/profile/(?<rid>\\d+)(?:/reserve)?/?$`),
    fills: ['party_size', 'date', 'time'],
    confidence: 'high',
    template: {
      path: '{before}/restaurant/profile/{rid}/reserve',
      set: { datetime: '{date}T{time}', covers: '{party_size}' },
      otherwise: { rid: '{rid}', restref: '{rid}' },
    },
  },
  {
    // The parameter is dateTime with seconds here, but datetime without seconds in the two rows above.
    name: 'opentable',
    hosts: OPENTABLE,
    path: new RegExp(`^${LANGUAGE}/r/[^/]+/?$`),
    fills: ['party_size', 'date', 'time'],
    confidence: 'high',
    template: { set: { dateTime: '{date}T{time}:00', covers: '{party_size}' } },
  },
  {
    name: 'resy',
    hosts: ['resy.com'],
    path: /^\/cities\/[^/]+\/(?:venues\/)?[^/]+\/?$/,
    fills: ['party_size', 'date'],
    confidence: 'high',
    template: { set: { date: '{date}', seats: '{party_size}' } },
  },
  {
    name: 'tock',
    hosts: ['exploretock.com'],
    path: /^\/(?!(?:about|blog|careers|city|join|login|search|signup)(?:\/|$))(?<slug>[^/]+)(?:\/search)?\/?$/,
    fills: ['party_size', 'date', 'time'],
    confidence: 'high',
    template: { path: '/{slug}/search', set: { date: '{date}', size: '{party_size}', time: '{time}' } },
  },
  {
    name: 'sevenrooms',
    hosts: ['sevenrooms.com'],
    path: /^\/(?:reservations\/(?<venue>[^/]+)|explore\/(?<listed>[^/]+)(?:\/reservations\/create\/search)?)\/?$/,
    fills: ['party_size', 'date', 'time'],
    confidence: 'high',
    template: {
      path: '/reservations/{venue|listed}',
      set: { default_date: '{date}', default_party_size: '{party_size}', default_time: '{time}' },
    },
  },
  {
    name: 'tablecheck',
    hosts: ['tablecheck.com'],
    path: new RegExp(`^${LANGUAGE}/shops/[^/]+/reserve/?$`),
    fills: ['party_size', 'date', 'time'],
    confidence: 'medium',
    template: { set: { start_date: '{date}', start_time: '{time}', num_people: '{party_size}' } },
  },
  {
    name: 'chope',
    hosts: ['book.chope.co', 'booking.chope.co'],
    path: /^\/booking(?:_index)?\/?$/,
    fills: ['party_size', 'date', 'time'],
    confidence: 'medium',
    template: {
      set: { date: '{day2}/{month2}/{year}', time: '{hour}{minute}', adults: '{party_size}' },
      otherwise: { children: '0' },
    },
  },
  {
    name: 'resdiary',
    hosts: ['booking.resdiary.com'],
    path: /^\/widget\/Standard\/[^/]+\/[^/]+\/?$/i,
    fills: ['party_size', 'date'],
    confidence: 'high',
    template: { set: { date: '{date}', partySize: '{party_size}' } },
  },
  {
    name: 'designmynight',
    hosts: ['bookings.designmynight.com'],
    path: /^\/book\/?$/,
    fills: ['party_size', 'date', 'time'],
    confidence: 'high',
    template: {
      set: { num_people: '{party_size}', date: '{date}', time: '{time}' },
      otherwise: { source: 'partner' },
    },
  },
  {
    name: 'yelp',
    hosts: ['yelp.com'],
    path: /^\/reservations\/[^/]+\/?$/,
    fills: ['party_size', 'date', 'time'],
    confidence: 'medium',
    template: { set: { date: '{date}', covers: '{party_size}', time: '{hour}{minute}' } },
  },
  {
    name: 'zenchef',
    hosts: ['bookings.zenchef.com'],
    path: /^\/results\/?$/,
    fills: ['date'],
    confidence: 'medium',
    template: { set: { day: '{date}' }, otherwise: { pid: '1001' } },
  },
  {
    // The form is under lunch or dinner: the time selects the page and is not filled in.
    name: 'ikyu',
    hosts: ['restaurant.ikyu.com'],
    path: /^\/(?<id>\d+)(?:\/(?<meal>lunch|dinner))?\/?$/,
    fills: ['party_size', 'date'],
    confidence: 'medium',
    template: {
      path: '/{id}/{meal_of_time|meal}/',
      set: { pusy: '{year}', pusm: '{month}', pusd: '{day}', pups: '{party_size}' },
    },
  },
  {
    name: 'pocket_concierge',
    hosts: ['pocket-concierge.jp'],
    path: new RegExp(`^${LANGUAGE}/restaurants/\\d+/?$`),
    fills: ['date'],
    confidence: 'medium',
    template: { set: { seat_date_eq: '{date}' } },
  },
  {
    // Rooms, not tables: the requested date is the arrival, and the stay is one night, which the traveller can change.
    name: 'synxis',
    hosts: ['be.synxis.com'],
    path: /^\/$/,
    fills: ['party_size', 'date'],
    confidence: 'medium',
    template: {
      set: { arrive: '{date}', depart: '{next_date}', adult: '{party_size}' },
      otherwise: { child: '0' },
    },
  },
  {
    // Seen once with date and partySize; one sighting is not enough to rely on.
    name: 'thefork',
    hosts: THEFORK,
    path: new RegExp(`^${LANGUAGE}/restaurant/[^/]+-r\\d+/?$`),
    fills: [],
    confidence: 'low',
  },
  without('thefork', ['widget.thefork.com'], new RegExp(`^${LANGUAGE}/[0-9a-f-]{36}/?$`)),
  without('quandoo', QUANDOO, new RegExp(`^${LANGUAGE}/place/[^/]+`)),
  without('quandoo', ['booking-widget.quandoo.com'], /^\/iframe\.html$/, ['agentId', 'merchantId']),
  without('eatapp', ['eatapp.co'], /^\/reserve\/[^/]+\/?$/),
  without('covermanager', ['covermanager.com'], /^\/(?:reserve|reservation)\/module_restaurant\/[^/]+/),
  without('nowbookit', ['booking.nowbookit.com'], /^\/steps\/sitting-details\/?$/, ['accountid', 'venueid']),
  without('inline', ['inline.app'], /^\/booking\/./),
  without('hungryhub', ['hungryhub.com'], new RegExp(`^${LANGUAGE}/restaurants/[^/]+`)),
  without('superb', ['superbexperience.com'], /^\//),
  without('bookarestaurant', ['bookarestaurant.com'], /^\/./),
];

/** Returns the platform of a page; null for any other page, and for an address that hides its target. */
export function recognizePlatform(address: string): Platform | null {
  const url = webUrl(address);
  return url === null ? null : platformOf(url);
}

export function platformOf(url: URL): Platform | null {
  if (url.username !== '' || url.password !== '' || url.port !== '') return null;
  return platformsAt(url.hostname).find((platform) => isPageOf(url, platform)) ?? null;
}

const HOSTS_REMEMBERED = 1_000;

/** Platforms with pages under a host, in list order. */
const platformsAt = memoizeText(
  (hostname) =>
    PLATFORMS.filter(({ hosts }) => hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))),
  HOSTS_REMEMBERED,
);

/** Parses an address that a browser may open; null for any scheme but http and https. */
export function webUrl(address: string): URL | null {
  const url = URL.parse(address);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null;
}

function isPageOf(url: URL, platform: Platform): boolean {
  return (
    platform.path.test(url.pathname) && (platform.needs ?? []).every((name) => url.searchParams.has(name))
  );
}

/** Row for a page that cannot be prefilled. */
function without(
  name: PlatformName,
  hosts: readonly string[],
  path: RegExp,
  needs: readonly string[] = [],
): Platform {
  return { name, hosts, path, needs, fills: [], confidence: 'none' };
}

/**
 * Hosts of a platform with one domain per country. They are listed, because any other ending may belong to somebody
 * else.
 */
function regional(name: string, endings: string): string[] {
  return endings.split(' ').map((ending) => `${name}.${ending}`);
}
