import {
  clockText,
  dateOfDay,
  DAY_MINUTES,
  formatLocalMinute,
} from '../../directory/hours/compile/compiled-hours.ts';
import type { OpenAt } from '../../directory/hours/open-at.ts';
import type { OpenByHours } from '../../directory/hours/open-status.ts';
import { localMinuteOf } from '../../directory/hours/zone-clock.ts';
import type { PlaceCard } from '../../directory/place/place-fields.ts';
import { quoteUntrusted } from '../../core/text/tool-text.ts';
import type { AnswerFacts } from '../search/place-facts.ts';
import type { StatedFact } from '../search/wishes.ts';
import { nameInWords } from '../../directory/place/place-names.ts';
import type { AnswerLanguage } from '../language/answer-language.ts';
import { withArticle } from '../language/english-names.ts';
import { labelOf } from './place-label.ts';

/** One stated fact: its field, its value, its wording and when it was observed. */
export interface Claim {
  place_id: string;
  field: string;
  value: string | number | boolean | null;
  text: string;
  /** Null when the source gives no date. */
  observed_at: string | null;
}

export interface PlaceSentence {
  card: PlaceCard;
  sentence: string;
  claims: Claim[];
}

/** 0: everything; 1: without price and number of reviews; 2: only kind and location. */
export type Detail = 0 | 1 | 2;

interface SentenceOptions {
  language: AnswerLanguage;
  timezone: string;
  /** The requested time, and whether the place is open then. */
  at: { minute: number; now: boolean } | undefined;
  /** The requested time, or else now. */
  instant: Date;
  open: OpenAt;
  /** The same by hours that are too old to be verified; null for all other hours. */
  openByHours: OpenByHours | null;
  /** True when "closed" and "not verified" are stated too, as for a place requested by name. */
  always: boolean;
  metres: number | undefined;
  /** True when the question asks how to reach the place. */
  contact: boolean;
  facts: readonly StatedFact[];
}

interface Part {
  text: string;
  claims: Omit<Claim, 'place_id'>[];
}

/** Composes one sentence about a place from stored fields only. */
export function placeSentence(
  card: PlaceCard,
  facts: AnswerFacts,
  telling: SentenceOptions,
  detail: Detail,
): PlaceSentence {
  const { language } = telling;
  const head = headOf(card, facts, language);
  const parts = [
    detail < 2 ? ratingOf(card, facts, detail, language) : undefined,
    detail < 1 ? priceOf(card, facts, language) : undefined,
    openOf(facts, telling),
    ...(telling.contact && detail < 2 ? phonesOf(facts, language) : []),
    ...telling.facts.map((fact) => factPart(fact, facts, language)),
    distanceOf(facts, telling),
  ].filter((part) => part !== undefined);
  const claims = [head, ...parts].flatMap((part) => part.claims);
  return {
    card,
    sentence: sentenceOf(language, [head, ...parts]),
    claims: claims.map((claim) => ({ place_id: card.place_id, ...claim })),
  };
}

function sentenceOf({ text }: AnswerLanguage, all: readonly Part[]): string {
  const parts = all.map((part) => part.text).reduce((parts, part) => text('place.add', { parts, part }));
  return text('place.sentence', { parts });
}

/** A part of a sentence and the facts that it states, each in words of its own or in those of the part. */
function partOf(
  text: string,
  observed_at: string | null,
  ...facts: [field: string, value: Claim['value'], words?: string][]
): Part {
  const claims = facts.map(([field, value, words = text]) => ({ field, value, text: words, observed_at }));
  return { text, claims };
}

function headOf(card: PlaceCard, { observed_at, filled_at }: AnswerFacts, language: AnswerLanguage): Part {
  const { name, local_name: local, area } = card;
  const { text, cuisine, cuisineText, field } = labelOf(card, language);
  const { claims } = partOf('', observed_at, ['name', name, name], [field, card[field], text]);
  const cuisineObservedAt = filled_at['cuisine'] ?? observed_at;
  if (cuisine !== undefined)
    claims.push({ field: 'cuisine', value: cuisine, text: cuisineText, observed_at: cuisineObservedAt });
  if (area !== null) claims.push({ field: 'area', value: area, text: area, observed_at });
  if (local !== undefined) claims.push({ field: 'local_name', value: local, text: local, observed_at });
  const kind = language.code === 'en' ? withArticle(text) : text;
  const values = { name: nameInWords({ name, local }), kind };
  return {
    text:
      area === null
        ? language.text('place.head', values)
        : language.text('place.headIn', { ...values, area }),
    claims,
  };
}

function ratingOf(
  { rating, review_count: count }: PlaceCard,
  { observed_at }: AnswerFacts,
  detail: Detail,
  { text }: AnswerLanguage,
): Part | undefined {
  if (rating === null) return undefined;
  const rated = text('place.rated', { rating: rating.toFixed(1) });
  if (detail > 0 || count === 0) return partOf(rated, observed_at, ['rating', rating]);
  const reviews = text('place.reviews', { count, shown: String(count) });
  return partOf(
    text('place.ratedFrom', { rated, reviews }),
    observed_at,
    ['rating', rating, rated],
    ['review_count', count, reviews],
  );
}

const PRICE = /^\${1,4}$/;

function priceOf(
  { price_range: price }: PlaceCard,
  { observed_at }: AnswerFacts,
  { text }: AnswerLanguage,
): Part | undefined {
  if (price === null || !PRICE.test(price)) return undefined;
  return partOf(text('place.price', { price }), observed_at, ['price_range', price, price]);
}

function openOf(
  facts: AnswerFacts,
  { timezone, at, open, openByHours, always, instant, language }: SentenceOptions,
): Part | undefined {
  const observed_at = facts.hours_observed_at ?? facts.observed_at;
  if (openByHours !== null) {
    if (at === undefined && !always) return undefined;
    return usualPart(openByHours, observed_at, { timezone, instant, language });
  }
  const later = at !== undefined && !at.now ? at : undefined;
  const field = later === undefined ? 'open_now' : 'open_at';
  const when = later === undefined ? 'Now' : 'Then';
  if (open.open !== true) {
    const words = language.text(open.open === null ? 'place.hoursUnknown' : `place.closed${when}`);
    return always ? partOf(words, observed_at, [field, open.open]) : undefined;
  }
  const words = language.text(`place.open${when}`);
  const value = later === undefined || formatLocalMinute(later.minute);
  const until = untilText(open, timezone, at?.minute);
  if (until === undefined) return partOf(words, observed_at, [field, value]);
  const ends = open.until?.toISOString() ?? null;
  const both = language.text('place.openUntil', { open: words, time: until });
  return partOf(both, observed_at, [field, value, words], ['open_until', ends, until]);
}

/** States the usual state by hours that are too old to be verified, with their date. */
function usualPart(
  { open, until, from }: OpenByHours,
  observed_at: string | null,
  { timezone, instant, language }: Pick<SentenceOptions, 'timezone' | 'instant' | 'language'>,
): Part {
  const month = language.month(from);
  const minute = until === null ? undefined : localMinuteOf(timezone, until);
  const isFar = minute !== undefined && minute - localMinuteOf(timezone, instant) >= DAY_MINUTES;
  const clock = minute === undefined ? '' : clockText(minute);
  const day = isFar ? language.weekday(dateOfDay(Math.floor(minute / DAY_MINUTES))) : '';
  const values = { month, time: isFar ? `${day} ${clock}` : clock };
  const key = open ? 'place.usuallyOpen' : 'place.usuallyClosed';
  const changing = open ? 'place.usuallyOpenUntil' : 'place.usuallyOpens';
  const words = language.text(minute === undefined ? key : changing, values);
  return partOf(words, observed_at, ['open_by_hours', open], ['hours_from', from, month]);
}

/** Returns the closing time, or undefined when it is more than a day away and would need its date. */
function untilText(open: OpenAt, timezone: string, minute: number | undefined): string | undefined {
  if (open.until === null) return undefined;
  const until = localMinuteOf(timezone, open.until);
  return minute !== undefined && until - minute > DAY_MINUTES ? undefined : clockText(until);
}

function distanceOf({ observed_at }: AnswerFacts, { metres, language }: SentenceOptions): Part | undefined {
  if (metres === undefined) return undefined;
  const distance = distanceText(metres);
  const text = language.text('place.distance', { distance });
  return partOf(text, observed_at, ['distance_m', Math.round(metres), distance]);
}

function phonesOf({ phones, observed_at, filled_at }: AnswerFacts, { text }: AnswerLanguage): Part[] {
  const { phone, phone_other_country: isAbroad, phone_as_published: written } = phones;
  const parts: Part[] = [];
  if (phone !== null) {
    const words = text(isAbroad === true ? 'place.phoneAbroad' : 'place.phone', { phone });
    parts.push(partOf(words, observed_at, ['phone', phone]));
  }
  if (written !== undefined) {
    const words = text('place.phonePublished', { phone: quoteUntrusted(written) });
    const at = filled_at['phone_as_published'] ?? observed_at;
    parts.push(partOf(words, at, ['phone_as_published', written]));
  }
  return parts;
}

function factPart(
  { field, value, message, diet = '' }: StatedFact,
  { observed_at, filled_at }: AnswerFacts,
  language: AnswerLanguage,
): Part {
  const text = language.text(message, { diet: diet === '' ? '' : language.diet(diet) });
  return partOf(text, filled_at[field.replace(/^facts\./, '')] ?? observed_at, [field, value]);
}

export function distanceText(metres: number): string {
  return metres < 995 ? `${Math.round(metres / 10) * 10} m` : `${(metres / 1000).toFixed(1)} km`;
}
