import lists from './match-words.json' with { type: 'json' };
import type { NameForm } from './names/name-forms.ts';
import { letterPairOverlap } from './names/text-similarity.ts';

/** `same_site` is a home page and a page below it, `other_page` two pages of one site; `null` is unknown. */
type WebsiteAgreement = 'same' | 'same_site' | 'other_page' | 'different' | null;

export interface WebAddress {
  /** Registrable domain, such as `example.co.uk`. */
  readonly domain: string;
  /** First label of the domain, without punctuation. */
  readonly owner: string;
  /** Host and path without trailing slash, query and fragment. */
  readonly page: string;
}

interface NamedSites {
  readonly websites: readonly WebAddress[];
  readonly names: readonly NameForm[];
}

/** Sites where many venues have a page or a short link; they do not identify a venue. */
const sharedSites = new Set(lists.sharedSites.flatMap((line) => line.split(' ')));

export function webAddresses(websites: readonly string[]): WebAddress[] {
  return websites.flatMap((website) => webAddress(website) ?? []);
}

function webAddress(website: string): WebAddress | null {
  const url = URL.parse(website) ?? URL.parse(`https://${website}`);
  if (url === null || !url.hostname.includes('.')) return null;
  const host = url.hostname.replace(/^www\d?\./, '');
  const domain = registrableDomain(host);
  if (sharedSites.has(domain)) return null;
  const path = url.pathname
    .toLowerCase()
    .replace(/\/index\.\w+$/, '')
    .replace(/\/+$/, '');
  return { domain, owner: (domain.split('.')[0] ?? '').replace(/[^a-z0-9]/g, ''), page: host + path };
}

/** Returns the domain. Below a country code, a label of up to three letters belongs to it: `co.uk`. */
function registrableDomain(host: string): string {
  const labels = host.split('.');
  const underCountry = (labels.at(-1) ?? '').length === 2 && (labels.at(-2) ?? '').length <= 3;
  return labels.slice(underCountry ? -3 : -2).join('.');
}

export function compareWebsites(a: readonly WebAddress[], b: readonly WebAddress[]): WebsiteAgreement {
  if (a.length === 0 || b.length === 0) return null;
  const pairs = a.flatMap((x) => b.filter((y) => x.owner === y.owner).map((y) => ({ x, y })));
  if (pairs.length === 0) return 'different';
  if (pairs.some(({ x, y }) => x.page === y.page || x.domain !== y.domain)) return 'same';
  return pairs.some(({ x, y }) => isHome(x) || isHome(y)) ? 'same_site' : 'other_page';
}

function isHome(site: WebAddress): boolean {
  return !site.page.includes('/');
}

/**
 * Takes the websites whose domain resembles the name of their own place, and returns whether these domains
 * resemble the name of the other place too. Null when there is no such website.
 */
export function websiteNaming(a: NamedSites, b: NamedSites): 'both' | 'one' | null {
  const otherToo = [...namedByOther(a, b), ...namedByOther(b, a)];
  if (otherToo.length === 0) return null;
  return otherToo.every((too) => too) ? 'both' : 'one';
}

function namedByOther(own: NamedSites, other: NamedSites): boolean[] {
  return own.websites
    .filter((site) => isNamedAfter(site, own.names))
    .map((site) => isNamedAfter(site, other.names));
}

function isNamedAfter(site: WebAddress, names: readonly NameForm[]): boolean {
  if (site.owner.length < 4) return false;
  return names.some((name) => letterPairOverlap(site.owner, name.words.join('')) > 0.8);
}
