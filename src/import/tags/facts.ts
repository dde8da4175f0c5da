import { type Facts, factsSchema } from '../../directory/place/facts.ts';
import type { Tags } from '../categories.ts';
import type { Vertical } from '../verticals.ts';
import { tidySpaces } from './names.ts';

const LODGING = new Set<Vertical>(['hotel', 'hostel', 'guesthouse', 'other']);
const LIST_MAX = 20;
const TEXT_MAX = 120;
const DESCRIPTION_MAX = 500;
const URL_MAX = 1000;
const NAME_UNDER = /^[a-z][a-z0-9_]{1,29}$/;
const WORD = /^[a-z][a-z_]{2,39}$/;
const LEVEL = /^-?\d{1,3}(\.\d)?([;,-]-?\d{1,3}(\.\d)?)*$/;
const POSTCODE = /^(?=.*\d)[\p{L}\p{N}][\p{L}\p{N} -]{1,10}$/u;
const WIKIDATA = /^Q[1-9]\d{0,11}(?=$|;)/;
const WIKIPEDIA = /^([a-z]{2,3}(?:-[a-z]{2,10})*):([^:].{0,150})$/;
const WIKIPEDIA_PAGE = /^https?:\/\/([a-z]{2,3}(?:-[a-z]{2,10})*)\.(?:m\.)?wikipedia\.org\/wiki\/([^?#]+)$/;
/** Kinds of outdoor seating that some mappers use instead of `yes`. */
const OUTSIDE = new Set(
  'terrace pedestrian_zone sidewalk street garden patio balcony roof veranda'.split(' '),
);

const { shape } = factsSchema;
const CHOICES = {
  wheelchair: choicesOf(shape.wheelchair),
  outdoor_seating: choicesOf(shape.outdoor_seating),
  smoking: choicesOf(shape.smoking),
  takeaway: choicesOf(shape.takeaway),
  delivery: choicesOf(shape.delivery),
  reservation: choicesOf(shape.reservation),
  dogs: choicesOf(shape.dogs),
  fee: choicesOf(shape.fee),
};

function choicesOf(fact: { unwrap(): { options: readonly string[] } }): ReadonlySet<string> {
  return new Set(fact.unwrap().options);
}

/** Returns the facts that travellers request from the tags. A value of an unknown form is left out, never guessed. */
export function factsFromTags(tags: Tags, vertical: Vertical): Facts {
  const diets = namesUnder(tags, 'diet:');
  const candidates: Record<Exclude<keyof Facts, 'phone_as_published'>, unknown> = {
    wheelchair: oneOf(tags, 'wheelchair', 'wheelchair'),
    internet_access: internetIn(tags),
    outdoor_seating: OUTSIDE.has(tags.get('outdoor_seating') ?? '')
      ? 'yes'
      : oneOf(tags, 'outdoor_seating', 'outdoor_seating'),
    diets: orNothing(diets),
    only_diets: orNothing(diets.filter((diet) => tags.get(`diet:${diet}`) === 'only')),
    smoking: oneOf(tags, 'smoking', 'smoking'),
    payment: orNothing(namesUnder(tags, 'payment:')),
    takeaway: oneOf(tags, 'takeaway', 'takeaway'),
    delivery: oneOf(tags, 'delivery', 'delivery'),
    reservation: oneOf(tags, 'reservation', 'reservation'),
    dogs: oneOf(tags, 'dogs', 'dog') ?? oneOf(tags, 'dogs', 'dogs'),
    // Stars of a restaurant come from a guide that the tag does not name.
    stars: LODGING.has(vertical) ? starsIn(tags.get('stars')) : undefined,
    rooms: LODGING.has(vertical) ? numberIn(tags.get('rooms')) : undefined,
    capacity: numberIn(tags.get('capacity') ?? tags.get('capacity:persons')),
    fee: oneOf(tags, 'fee', 'fee'),
    charge: /\d/.test(tags.get('charge') ?? '') ? textIn(tags.get('charge'), TEXT_MAX) : undefined,
    brand: textIn(tags.get('brand'), TEXT_MAX),
    brand_wikidata: WIKIDATA.exec(tags.get('brand:wikidata') ?? '')?.[0],
    operator: textIn(tags.get('operator'), TEXT_MAX),
    // A description without a language is in the local one.
    description: textIn(tags.get('description') ?? tags.get('description:en'), DESCRIPTION_MAX),
    level: matching(tags.get('level'), LEVEL),
    religion: matching(tags.get('religion'), WORD),
    denomination: matching(tags.get('denomination'), WORD),
    image: imageIn(tags.get('image')),
    postcode: matching(tags.get('addr:postcode'), POSTCODE),
    wikidata: WIKIDATA.exec(tags.get('wikidata') ?? '')?.[0],
    wikipedia: wikipediaIn(tags.get('wikipedia')),
    heritage: matching(tags.get('heritage'), /^([1-9]|1[01]|yes)$/),
  };
  const facts: Record<string, unknown> = {};
  for (const key in candidates) {
    const value = candidates[key as keyof typeof candidates];
    if (value !== undefined) facts[key] = value;
  }
  return facts;
}

/** Returns the value of a tag when it is a valid choice for the fact. */
function oneOf(tags: Tags, fact: keyof typeof CHOICES, key: string): string | undefined {
  const value = tags.get(key)?.trim().toLowerCase();
  return value !== undefined && CHOICES[fact].has(value) ? value : undefined;
}

function matching(text: string | undefined, form: RegExp): string | undefined {
  const value = text?.trim() ?? '';
  return form.test(value) ? value : undefined;
}

/** Returns internet access for the traveller's own device; a terminal or a cable socket does not count. */
function internetIn(tags: Tags): Facts['internet_access'] {
  const value = (tags.get('internet_access') ?? tags.get('wifi') ?? '').trim().toLowerCase();
  if (value === 'no' || value === 'free') return value;
  if (!['wlan', 'wifi', 'wi-fi', 'yes'].includes(value)) return undefined;
  const fee = tags.get('internet_access:fee');
  if (fee === 'no' || fee === 'customers') return 'free';
  return fee === 'yes' ? 'paid' : 'yes';
}

/** Returns the names with a positive value under a prefix, such as `diet:vegan=yes`. */
function namesUnder(tags: Tags, prefix: string): string[] {
  const names: string[] = [];
  for (const [key, value] of tags) {
    if (!key.startsWith(prefix) || (value !== 'yes' && value !== 'only')) continue;
    const name = key.slice(prefix.length).toLowerCase();
    if (NAME_UNDER.test(name)) names.push(name);
  }
  return names.length < 2 ? names : [...new Set(names)].sort().slice(0, LIST_MAX);
}

function orNothing(list: string[]): string[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** Parses hotel stars; `4S` is the superior class of four. */
function starsIn(text: string | undefined): number | undefined {
  const stars = /^([1-7](?:\.5)?)\s?S?$/i.exec(text?.trim() ?? '')?.[1];
  return stars === undefined ? undefined : Number(stars);
}

function numberIn(text: string | undefined): number | undefined {
  return /^[1-9]\d{0,5}$/.test(text ?? '') ? Number(text) : undefined;
}

function textIn(text: string | undefined, lengthMax: number): string | undefined {
  const value = tidySpaces(text ?? '');
  if (value.length <= lengthMax) return value === '' ? undefined : value;
  const cut = value.slice(0, lengthMax - 1).toWellFormed();
  return `${cut.replace(/\s+\S*$/, '')}…`;
}

function imageIn(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? '';
  const url = trimmed.length > URL_MAX ? null : URL.parse(trimmed);
  if (url === null || !/^https?:$/.test(url.protocol) || !url.hostname.includes('.')) return undefined;
  return url.username === '' && url.password === '' && !/\s/.test(trimmed) ? url.href : undefined;
}

/** Returns the article as `language:title`; some mappers write its URL. */
function wikipediaIn(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? '';
  const [, language, title] = WIKIPEDIA_PAGE.exec(trimmed) ?? WIKIPEDIA.exec(trimmed) ?? [];
  if (language === undefined || title === undefined) return undefined;
  try {
    return `${language}:${tidySpaces(decodeURIComponent(title).replaceAll('_', ' '))}`;
  } catch {
    return `${language}:${tidySpaces(title.replaceAll('_', ' '))}`;
  }
}
