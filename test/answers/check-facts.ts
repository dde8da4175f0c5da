import { readdirSync, readFileSync } from 'node:fs';
import { localMinuteOf } from '../../src/directory/hours/zone-clock.ts';
import { ANSWER_LANGUAGES } from '../../src/answers/language/answer-language.ts';
import { cuisineNameIn } from '../../src/directory/kind-names/kind-names.ts';
import { metresBetween } from '../../src/core/geo.ts';
import { instantOf, openIn, usuallyIn, type StoredPlace } from './directory-copy.ts';

export interface Claim {
  place_id: string;
  field: string;
  value: string | number | boolean | null;
  text: string;
  observed_at: string;
}

export interface Answer {
  answer: string;
  mode: string;
  outcome: string;
  understood: Record<string, unknown> & {
    open_at: string | null;
    near: { place_id: string } | null;
    party: number | null;
  };
  relaxed: string[];
  places: { place_id: string; name: string; area: string | null; open_now: boolean | null }[];
  claims: Claim[];
  promotions: { place_id: string; promo_id: string; title: string }[];
  no_match: boolean;
  disclosure: string;
  booked: boolean;
}

const WORDS_MAX = 120;
/** Shorter names are words that stand in any sentence. */
const NAME_MIN = 8;

/** Holds everything that an answer states against the database. Gives what is not so. */
export function checkFacts(
  answer: Answer,
  directory: ReadonlyMap<string, StoredPlace>,
  slug: string,
  now: Date,
): string[] {
  const faults: string[] = [];
  const ids = new Set(answer.places.map(({ place_id }) => place_id));
  if (answer.answer.split(/\s+/).length > WORDS_MAX) faults.push('too many words');
  if (answer.booked) faults.push('booked');
  for (const { place_id, name } of answer.places) {
    const stored = directory.get(place_id);
    if (stored?.name !== name || stored.slug !== slug) faults.push(`${name} is not in the directory`);
    if (!answer.answer.includes(name)) faults.push(`${name} is not in the answer`);
  }
  for (const { id, name, slug: its } of directory.values())
    if (its === slug && !ids.has(id) && namesIt(answer, name))
      faults.push(`${name} is named and not in places`);
  for (const claim of answer.claims) {
    const stored = directory.get(claim.place_id);
    if (stored === undefined || !ids.has(claim.place_id)) faults.push('a claim about no place of the answer');
    else if (!holds(claim, stored, answer, directory, now))
      faults.push(`${stored.name}: ${JSON.stringify(claim)}`);
    if (!answer.answer.includes(claim.text)) faults.push(`a claim that is not said: ${claim.text}`);
    if (Number.isNaN(Date.parse(claim.observed_at))) faults.push('a claim without a date');
  }
  return [...faults, ...strayFigures(answer, now, directory)];
}

/** Ignores another place of the same name, and one whose name is part of a named one: neither can be distinguished. */
function namesIt({ answer, places }: Answer, name: string): boolean {
  return (
    name.length >= NAME_MIN && answer.includes(name) && !places.some((place) => place.name.includes(name))
  );
}

function holds(
  { field, value, text }: Claim,
  stored: StoredPlace,
  answer: Answer,
  directory: ReadonlyMap<string, StoredPlace>,
  now: Date,
): boolean {
  const at = answer.understood.open_at;
  const asked = openIn(stored, at === null ? now : instantOf(stored.timezone, at));
  switch (field) {
    case 'name':
    case 'vertical':
    case 'category':
    case 'area':
    case 'price_range':
    case 'phone':
    case 'phone_as_published':
    case 'rating':
    case 'review_count':
      return stored[field] === value && saysValue(field, value, text);
    case 'cuisine':
      return stored.cuisine.includes(String(value)) && saysCuisine(String(value), text);
    case 'open_now':
      return openIn(stored, now).open === value;
    case 'open_at':
      return typeof value === 'string' ? asked.open === true && value === at : asked.open === value;
    case 'open_by_hours':
      return usuallyIn(stored, at === null ? now : instantOf(stored.timezone, at)) === value;
    case 'hours_from':
      return stored.hours?.observed_at.slice(0, 10) === value && text.includes(value.slice(0, 4));
    case 'open_until':
      return asked.until?.toISOString() === value && clockOf(stored.timezone, value) === text;
    case 'distance_m': {
      const near = directory.get(answer.understood.near?.place_id ?? '');
      return near !== undefined && Math.abs(metresBetween(near, stored) - Number(value)) <= 1;
    }
    default:
      return false;
  }
}

/** The words beside a claim must say its value; a category is said by a label of ours. */
function saysValue(field: string, value: Claim['value'], text: string): boolean {
  if (field === 'category' || field === 'vertical') return text !== '';
  return text.includes(field === 'rating' ? Number(value).toFixed(1) : String(value));
}

/** The name of a cuisine in English or in the language of the answer. */
function saysCuisine(value: string, text: string): boolean {
  const names = [...ANSWER_LANGUAGES.keys()].map((language) => cuisineNameIn(language, value));
  return text.toLowerCase() === value.replaceAll('_', ' ') || names.includes(text);
}

function clockOf(timezone: string, value: unknown): string {
  const minute = ((localMinuteOf(timezone, new Date(String(value))) % 1440) + 1440) % 1440;
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

function minuteAfter(local: string): string {
  return new Date(Date.parse(`${local}:00Z`) + 60_000).toISOString().slice(11, 16);
}

const CATALOGUES = new URL('../../src/answers/language/catalogues/', import.meta.url);
/** Sentences about how many more places match, in each language. The service checks their counts before it says them. */
const COUNTS = readdirSync(CATALOGUES).flatMap((file) => {
  const { more, moreThan } = JSON.parse(readFileSync(new URL(file, CATALOGUES), 'utf8')) as Record<
    string,
    string
  >;
  const forms = [...(more ?? '').matchAll(/\{([^{}]*\{shown\}[^{}]*)\}/g)].map(([, form = '']) => form);
  return [...forms, moreThan ?? ''].map(
    (form) => new RegExp(RegExp.escape(form).replace('\\{shown\\}', '\\d+'), 'g'),
  );
});

/** Every figure of the answer is part of a claim, counts further places, or is the time that was asked about. */
function strayFigures(
  { answer, claims, understood, places }: Answer,
  now: Date,
  directory: ReadonlyMap<string, StoredPlace>,
): string[] {
  let rest = answer;
  for (const { text } of [...claims].sort((a, b) => b.text.length - a.text.length))
    rest = rest.replaceAll(text, ' ');
  for (const { area } of places) if (area !== null) rest = rest.replaceAll(area, ' ');
  for (const count of COUNTS) rest = rest.replace(count, ' ');
  const timezone = directory.get(places[0]?.place_id ?? '')?.timezone ?? 'UTC';
  const known = new Set([
    understood.open_at?.slice(11),
    // "Before 19:00" is understood as one minute earlier.
    understood.open_at && minuteAfter(understood.open_at),
    understood.open_at?.slice(0, 10),
    clockOf(timezone, now.toISOString()),
  ]);
  return (rest.match(/\$+|\d[\d:.,-]*\d|\d/g) ?? [])
    .filter((figure) => !known.has(figure))
    .map((figure) => `the figure ${figure} is in no claim`);
}
