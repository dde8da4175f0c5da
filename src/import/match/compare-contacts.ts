/** What two lists of phones or websites say about each other; `null` where one list is empty. */
export type PhoneAgreement = 'same' | 'different' | null;
export type WebsiteAgreement = 'same_page' | 'same_home' | 'same_site' | 'other_page' | 'different' | null;

export interface WebAddress {
  readonly domain: string;
  readonly path: string;
}

const shortestPhone = 7;

/** Sites where many venues keep a page; the domain alone says nothing about the venue. */
const sharedSites = new Set([
  'facebook.com', 'fb.com', 'fb.me', 'instagram.com', 'twitter.com', 'x.com', 'linkedin.com', 'youtube.com', 'tiktok.com', 'pinterest.com', 'vk.com', 'line.me', 'lin.ee',
  'linktr.ee', 'linktree.com', 'bit.ly', 'wa.me', 'wa.link', 'whatsapp.com', 't.me', 'goo.gl', 'g.page', 'google.com', 'business.site', 'negocio.site', 'ueniweb.com',
  'wixsite.com', 'wordpress.com', 'blogspot.com', 'weebly.com', 'square.site', 'jimdofree.com', 'business.google.com', 'sites.google.com', 'amazon.com', 'etsy.com',
  'tripadvisor.com', 'yelp.com', 'booking.com', 'airbnb.com', 'expedia.com', 'foursquare.com', 'opentable.com', 'resy.com', 'thefork.com', 'zomato.com', 'ubereats.com',
  'doordash.com', 'grubhub.com', 'just-eat.com', 'tabelog.com', 'hotpepper.jp', 'gnavi.co.jp', 'zocdoc.com', 'webnode.com', 'eatbu.com', 'ameblo.jp',
]);

/** Digits without leading zeros; sources write the same number with and without the country's code. */
export function phoneDigits(phones: readonly string[]): string[] {
  return phones.map((phone) => phone.replace(/\D+/g, '').replace(/^0+/, '')).filter((digits) => digits.length >= shortestPhone);
}

export function comparePhones(a: readonly string[], b: readonly string[]): PhoneAgreement {
  if (a.length === 0 || b.length === 0) return null;
  return a.some((x) => b.some((y) => x.slice(-shortestPhone) === y.slice(-shortestPhone))) ? 'same' : 'different';
}

export function webAddresses(websites: readonly string[]): WebAddress[] {
  return websites.flatMap((website) => webAddress(website) ?? []);
}

function webAddress(website: string): WebAddress | null {
  const url = URL.parse(website) ?? URL.parse(`https://${website}`);
  if (url === null || !url.hostname.includes('.')) return null;
  const host = url.hostname.toLowerCase().replace(/^www\d?\./, '');
  const domain = registrableDomain(host);
  if (sharedSites.has(domain) || sharedSites.has(host)) return null;
  return { domain, path: host + url.pathname.toLowerCase().replace(/\/+$/, '').replace(/\/index\.\w+$/, '') };
}

/** The part of a host that one owner registers, such as `example.co.uk`: short second labels belong to the country. */
function registrableDomain(host: string): string {
  const labels = host.split('.');
  const second = labels.at(-2) ?? '';
  const country = (labels.at(-1) ?? '').length === 2 && (second.length <= 3 || ['gouv', 'gob'].includes(second));
  return labels.slice(country ? -3 : -2).join('.');
}

export function compareWebsites(a: readonly WebAddress[], b: readonly WebAddress[]): WebsiteAgreement {
  if (a.length === 0 || b.length === 0) return null;
  const pairs = a.flatMap((x) => b.filter((y) => x.domain === y.domain).map((y) => ({ x, y })));
  if (pairs.length === 0) return 'different';
  const equal = pairs.filter(({ x, y }) => x.path === y.path);
  if (equal.length > 0) return equal.some(({ x }) => x.path.includes('/')) ? 'same_page' : 'same_home';
  return pairs.some(({ x, y }) => !x.path.includes('/') || !y.path.includes('/')) ? 'same_site' : 'other_page';
}
