import type { Tags } from '../categories.ts';
import type { ReadCounts } from '../place-draft.ts';
import { recognizePlatform } from '../../directory/booking-route/platforms.ts';

const WEBSITE_KEYS = ['website', 'contact:website', 'url', 'contact:url'];
const BOOKING_KEYS = (
  'website:booking booking:website website:reservation reservation:website ' +
  'reservation:url url:booking contact:booking contact:reservation booking reservation'
).split(' ');
const EMAIL = /^[^\s@;,<>"]+@[^\s@;,<>"]+\.[^\s@;,<>".]+$/;
/** Maximum length of one or several URLs; a longer text is rejected. */
const ADDRESSES_LENGTH_MAX = 2_000;
// Separators between several URLs in one value; a semicolon inside a URL is kept.
const BETWEEN_ADDRESSES = /\s*;\s*(?=https?:\/\/|www\.)|\s+(?=https?:\/\/)/i;

/** Returns an http URL, or null. One without a scheme gets http, as in browsers. */
export function readWebAddress(text: string): string | null {
  if (text.length > ADDRESSES_LENGTH_MAX) return null;
  const address = text.trim().split(BETWEEN_ADDRESSES)[0] ?? '';
  const bare = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+([/?#:]|$)/u.test(address);
  const url = URL.parse(bare ? `http://${address}` : address);
  if (url === null || !/^https?:$/.test(url.protocol) || !url.hostname.includes('.')) return null;
  if (url.username !== '' || url.password !== '') return null;
  // The original text is kept only when it is a valid URL as written: https:/example.com is repaired.
  return /^https?:\/\/\S+$/i.test(address) ? address : url.href;
}

export function readWebsite(tags: Tags, counts: Pick<ReadCounts, 'websites_dropped'>): string | null {
  for (const key of WEBSITE_KEYS) {
    const text = tags.get(key);
    if (text === undefined || text.trim() === '') continue;
    const website = readWebAddress(text);
    if (website !== null) return website;
    counts.websites_dropped++;
  }
  return null;
}

/** Returns the page where the venue takes bookings: tagged as such, or any of its URLs on a known booking platform. */
export function readBookingUrl(tags: Tags): string | null {
  for (const key of BOOKING_KEYS) {
    const text = tags.get(key);
    const address = text?.includes('.') === true ? readWebAddress(text) : null;
    if (address !== null) return address;
  }
  for (const [key, text] of tags) {
    if (!WEBSITE_KEYS.includes(key) && !/^(contact|website|url|reservation|booking):/.test(key)) continue;
    const address = text.includes('.') ? readWebAddress(text) : null;
    if (address !== null && recognizePlatform(address) !== null) return address;
  }
  return null;
}

export function readEmail(tags: Tags): string | null {
  for (const key of ['email', 'contact:email']) {
    for (const part of (tags.get(key) ?? '').split(';')) {
      const email = part.trim().toLowerCase();
      if (email.length <= 254 && EMAIL.test(email)) return email;
    }
  }
  return null;
}
