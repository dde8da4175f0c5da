import { clockText, DAY_MINUTES, formatLocalMinute } from '../../directory/hours/compile/compiled-hours.ts';
import type { OpenAt } from '../../directory/hours/open-at.ts';
import { localMinuteOf } from '../../directory/hours/zone-clock.ts';
import type { PlaceCard } from '../../directory/place/place-fields.ts';
import type { AnswerFacts } from '../search/place-facts.ts';
import type { FactWords } from '../search/wishes.ts';
import { nameInWords } from '../../directory/place/place-names.ts';
import { labelOf, withArticle } from './place-label.ts';

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

export interface SentenceOptions {
  timezone: string;
  /** The requested time, and whether the place is open then. */
  at: { minute: number; now: boolean } | undefined;
  open: OpenAt;
  /** True when "closed" and "not verified" are stated too, as for a place requested by name. */
  always: boolean;
  metres: number | undefined;
  facts: readonly FactWords[];
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
  const head = headOf(card, facts);
  const parts = [
    detail < 2 ? ratingOf(card, facts, detail) : undefined,
    detail < 1 ? priceOf(card, facts) : undefined,
    openOf(facts, telling),
    ...telling.facts.map((fact) => factPart(fact, facts)),
    distanceOf(facts, telling),
  ].filter((part) => part !== undefined);
  const claims = [head, ...parts].flatMap((part) => part.claims);
  return {
    card,
    sentence: `${[head, ...parts].map(({ text }) => text).join(', ')}.`,
    claims: claims.map((claim) => ({ place_id: card.place_id, ...claim })),
  };
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

function headOf(card: PlaceCard, { observed_at, filled_at }: AnswerFacts): Part {
  const { name, local_name: local, area } = card;
  const { text, cuisine, field } = labelOf(card);
  const { claims } = partOf('', observed_at, ['name', name, name], [field, card[field], text]);
  const cuisineObservedAt = filled_at['cuisine'] ?? observed_at;
  if (cuisine !== undefined)
    claims.push({ field: 'cuisine', value: cuisine, text, observed_at: cuisineObservedAt });
  if (area !== null) claims.push({ field: 'area', value: area, text: area, observed_at });
  if (local !== undefined) claims.push({ field: 'local_name', value: local, text: local, observed_at });
  const where = area === null ? '' : ` in ${area}`;
  return { text: `${nameInWords({ name, local })} is ${withArticle(text)}${where}`, claims };
}

function ratingOf(card: PlaceCard, { observed_at }: AnswerFacts, detail: Detail): Part | undefined {
  const { rating, review_count } = card;
  if (rating === null) return undefined;
  const rated = `rated ${rating.toFixed(1)}`;
  if (detail > 0 || review_count === 0) return partOf(rated, observed_at, ['rating', rating]);
  const reviews = `${review_count} ${review_count === 1 ? 'review' : 'reviews'}`;
  return partOf(
    `${rated} from ${reviews}`,
    observed_at,
    ['rating', rating, rated],
    ['review_count', review_count, reviews],
  );
}

const PRICE = /^\${1,4}$/;

function priceOf({ price_range }: PlaceCard, { observed_at }: AnswerFacts): Part | undefined {
  if (price_range === null || !PRICE.test(price_range)) return undefined;
  return partOf(`price range ${price_range}`, observed_at, ['price_range', price_range, price_range]);
}

function openOf(facts: AnswerFacts, { timezone, at, open, always }: SentenceOptions): Part | undefined {
  const observed_at = facts.hours_observed_at ?? facts.observed_at;
  const later = at !== undefined && !at.now ? at : undefined;
  const field = later === undefined ? 'open_now' : 'open_at';
  const when = later === undefined ? 'now' : 'then';
  if (open.open !== true) {
    const words = open.open === null ? 'hours not verified' : `closed ${when}`;
    return always ? partOf(words, observed_at, [field, open.open]) : undefined;
  }
  const words = `open ${when}`;
  const value = later === undefined || formatLocalMinute(later.minute);
  const until = untilText(open, timezone, at?.minute);
  if (until === undefined) return partOf(words, observed_at, [field, value]);
  const ends = open.until?.toISOString() ?? null;
  return partOf(`${words} until ${until}`, observed_at, [field, value, words], ['open_until', ends, until]);
}

/** Returns the closing time, or undefined when it is more than a day away and would need its date. */
function untilText(open: OpenAt, timezone: string, minute: number | undefined): string | undefined {
  if (open.until === null) return undefined;
  const until = localMinuteOf(timezone, open.until);
  return minute !== undefined && until - minute > DAY_MINUTES ? undefined : clockText(until);
}

function distanceOf({ observed_at }: AnswerFacts, { metres }: SentenceOptions): Part | undefined {
  if (metres === undefined) return undefined;
  const text = distanceText(metres);
  return partOf(`${text} from the place you named`, observed_at, ['distance_m', Math.round(metres), text]);
}

function factPart({ field, value, text }: FactWords, { observed_at, filled_at }: AnswerFacts): Part {
  return partOf(text, filled_at[field.replace(/^facts\./, '')] ?? observed_at, [field, value]);
}

export function distanceText(metres: number): string {
  return metres < 995 ? `${Math.round(metres / 10) * 10} m` : `${(metres / 1000).toFixed(1)} km`;
}
