import data from './platforms.json' with { type: 'json' };
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
  /** high: tested or widely used. medium: in the code of a real site. low: seen once. none: no way is known. */
  readonly confidence: 'high' | 'medium' | 'low' | 'none';
  readonly template?: PrefillTemplate;
}

const LANGUAGE = '(?:/[a-z]{2}(?:-[A-Za-z]{2,4})?)?';
/** Country endings of platforms with one domain per country; any other ending may belong to somebody else. */
const REGIONAL_HOSTS: Readonly<Record<string, string>> = data.regionalHosts;

interface PlatformRow extends Omit<Platform, 'path' | 'fills'> {
  /** Source of the regular expression, with {language} for an optional language at the beginning. */
  readonly path: string;
  readonly flags?: string;
  readonly fills?: readonly Fact[];
}

/** Every known platform, with its pages. Only rows of high and medium confidence are prefilled. */
export const PLATFORMS = (data.pages as unknown as readonly PlatformRow[]).map(
  ({ hosts, path, flags, fills = [], ...row }): Platform => ({
    ...row,
    fills,
    hosts: hosts.flatMap(
      (host) => REGIONAL_HOSTS[host]?.split(' ').map((ending) => `${host}.${ending}`) ?? host,
    ),
    path: new RegExp(path.replaceAll('{language}', LANGUAGE), flags),
  }),
);

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
