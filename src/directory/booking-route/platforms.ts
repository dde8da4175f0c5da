import type { PlatformName } from './platform-names.ts';
import { remember } from '../../core/memory/remember.ts';

/** What a traveller asks a table for, as far as a booking page can be told. */
export type Fact = 'party_size' | 'date' | 'time';

/**
 * How a page is told: {party_size}, {date}, {time} and their other spellings, the named groups of the path, and {link.rid}
 * for what the link says already. A parameter is set when all of its parts are known; nothing is, when the path's are not.
 */
export interface PrefillTemplate {
  /** Where the form lies when it is not the page itself. */
  readonly path?: string;
  readonly set: Readonly<Record<string, string>>;
  /** Second spellings that some links carry; left stale they would contradict the first. */
  readonly refresh?: Readonly<Record<string, string>>;
  /** What the form needs beside, unless the link says otherwise. */
  readonly otherwise?: Readonly<Record<string, string>>;
}

/** One kind of booking page. A platform with several kinds has several rows under one name. */
export interface Platform {
  readonly name: PlatformName;
  /** The host itself, or any host below it. */
  readonly hosts: readonly string[];
  readonly path: RegExp;
  /** Parameters without which the page is not a venue's. */
  readonly needs?: readonly string[];
  readonly fills: readonly Fact[];
  /** high: tested, or many use it. medium: seen in a real site's code. low: seen once. none: no way to prefill is known. */
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

/** Every platform that is known, with its pages. Only rows of high and medium confidence are prefilled. */
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
    // Mind the spelling: dateTime with seconds here, datetime without in the two rows above.
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
    // The form lies under lunch or dinner: the time picks the page and is not filled in.
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
    // Rooms, not tables: the asked date is the arrival, and the stay is one night for the traveller to change.
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
    // Once seen with date and partySize; one sighting is not enough to promise it.
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

/** The platform whose page this is, or null: for any other page, and for any address that hides where it leads. */
export function recognizePlatform(address: string): Platform | null {
  const url = webUrl(address);
  return url === null ? null : platformOf(url);
}

export function platformOf(url: URL): Platform | null {
  if (url.username !== '' || url.password !== '' || url.port !== '') return null;
  return platformsAt(url.hostname).find((platform) => isPageOf(url, platform)) ?? null;
}

const HOSTS_REMEMBERED = 1_000;

/** The platforms that have pages under a host, in the order of the list. */
const platformsAt = remember(
  (hostname) =>
    PLATFORMS.filter(({ hosts }) => hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))),
  HOSTS_REMEMBERED,
);

/** The parsed address if a browser may be sent there, which leaves out every scheme but http and https. */
export function webUrl(address: string): URL | null {
  const url = URL.parse(address);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null;
}

function isPageOf(url: URL, platform: Platform): boolean {
  return (
    platform.path.test(url.pathname) && (platform.needs ?? []).every((name) => url.searchParams.has(name))
  );
}

/** A row for a page that takes nothing. */
function without(
  name: PlatformName,
  hosts: readonly string[],
  path: RegExp,
  needs: readonly string[] = [],
): Platform {
  return { name, hosts, path, needs, fills: [], confidence: 'none' };
}

/** The hosts of a platform with one domain a country. They are listed: any other ending may be anybody's. */
function regional(name: string, endings: string): string[] {
  return endings.split(' ').map((ending) => `${name}.${ending}`);
}
