import type { Tags } from '../categories.ts';
import type { AccoladeDraft } from '../place-draft.ts';
import { readWebAddress } from './web-links.ts';

const SOURCE_SUFFIXES = ['source', 'url', 'website'];
const TITLE_LENGTH_MAX = 160;

function yearIn(text: string | undefined): number | null {
  const year = /\b(1[0-9]{3}|20[0-9]{2})\b/.exec(text ?? '')?.[0];
  return year === undefined ? null : Number(year);
}

function sourceOf(tags: Tags, key: string): string | null {
  const keys = [...SOURCE_SUFFIXES.map((suffix) => `${key}:${suffix}`), `source:${key}`];
  for (const candidate of keys) {
    const address = readWebAddress(tags.get(candidate) ?? '');
    if (address !== null) return address;
  }
  return null;
}

function isAward(key: string): boolean {
  if (!/^(award|awards|stars:michelin|michelin)(:|$)/.test(key)) return false;
  return !/:(source|url|website|date|year)$/.test(key);
}

/** Returns the title: key and value of `award:michelin=1 star`, the value of `award=Best Bakery 2023`. */
function titleOf(key: string, value: string): string {
  const body = key
    .replace(/^awards?:?/, '')
    .replace(/[:_]/g, ' ')
    .trim();
  const title =
    body === '' ? value.trim() : `${body.charAt(0).toUpperCase()}${body.slice(1)}: ${value.trim()}`;
  return title.slice(0, TITLE_LENGTH_MAX);
}

function worldHeritage(tags: Tags): AccoladeDraft | null {
  const number = /^\d{1,4}/.exec((tags.get('ref:whc') ?? '').trim())?.[0];
  if (number === undefined) return null;
  const since = tags.get('whc:inscription_date') ?? tags.get('heritage:since');
  return {
    title: 'World Heritage Site',
    year: yearIn(since),
    source_name: 'UNESCO World Heritage List',
    source_url: `https://whc.unesco.org/en/list/${number}`,
  };
}

/** Returns awards and titles whose tags name a page as their source; an award without a source is left out. */
export function readAccolades(tags: Tags): AccoladeDraft[] {
  const accolades: AccoladeDraft[] = [];
  for (const [key, value] of tags) {
    if (!isAward(key) || value.trim() === '' || value === 'no') continue;
    const source_url = sourceOf(tags, key);
    if (source_url === null) continue;
    const year = yearIn(tags.get(`${key}:year`) ?? tags.get(`${key}:date`) ?? value);
    const source_name = new URL(source_url).hostname.replace(/^www\./, '');
    accolades.push({ title: titleOf(key, value), year, source_name, source_url });
  }
  const heritage = worldHeritage(tags);
  if (heritage !== null) accolades.push(heritage);
  // Several keys may name the same award.
  return [...new Map(accolades.map((accolade) => [accolade.title, accolade])).values()];
}
