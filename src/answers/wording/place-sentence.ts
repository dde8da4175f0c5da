import { DAY_MINUTES } from '../../directory/hours/compile/compiled-hours.ts';
import type { OpenAt } from '../../directory/hours/open-at.ts';
import { localMinuteOf } from '../../directory/hours/zone-clock.ts';
import { clockText, localTimeText } from '../../search/understand/question/time/read-time.ts';
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
  /** Distance from the landmark. */
  metres: number | undefined;
  /** Facts that answer the question. */
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

function headOf(card: PlaceCard, { observed_at, filled_at }: AnswerFacts): Part {
  const { text, cuisine, field } = labelOf(card);
  const where = card.area === null ? '' : ` in ${card.area}`;
  const claims: Part['claims'] = [
    { field: 'name', value: card.name, text: card.name, observed_at },
    { field, value: card[field], text, observed_at },
  ];
  const cuisineObservedAt = filled_at['cuisine'] ?? observed_at;
  if (cuisine !== undefined)
    claims.push({ field: 'cuisine', value: cuisine, text, observed_at: cuisineObservedAt });
  if (card.area !== null) claims.push({ field: 'area', value: card.area, text: card.area, observed_at });
  const { name, local_name: local } = card;
  if (local !== undefined) claims.push({ field: 'local_name', value: local, text: local, observed_at });
  return { text: `${nameInWords({ name, local })} is ${withArticle(text)}${where}`, claims };
}

function ratingOf(card: PlaceCard, { observed_at }: AnswerFacts, detail: Detail): Part | undefined {
  if (card.rating === null) return undefined;
  const rating = card.rating.toFixed(1);
  const claim = { field: 'rating', value: card.rating, text: `rated ${rating}`, observed_at };
  if (detail > 0 || card.review_count === 0) return { text: claim.text, claims: [claim] };
  const reviews = `${card.review_count} ${card.review_count === 1 ? 'review' : 'reviews'}`;
  return {
    text: `rated ${rating} from ${reviews}`,
    claims: [claim, { field: 'review_count', value: card.review_count, text: reviews, observed_at }],
  };
}

const PRICE = /^\${1,4}$/;

function priceOf({ price_range }: PlaceCard, { observed_at }: AnswerFacts): Part | undefined {
  if (price_range === null || !PRICE.test(price_range)) return undefined;
  const claim = { field: 'price_range', value: price_range, text: price_range, observed_at };
  return { text: `price range ${price_range}`, claims: [claim] };
}

function openOf(facts: AnswerFacts, { timezone, at, open, always }: SentenceOptions): Part | undefined {
  const observed_at = facts.hours_observed_at ?? facts.observed_at;
  if (open.open !== true) return always ? notOpen(open, at, observed_at) : undefined;
  const field = at === undefined || at.now ? 'open_now' : 'open_at';
  const value = field === 'open_now' ? true : localTimeText(at?.minute ?? 0);
  const until = untilText(open, timezone, at?.minute);
  const words = field === 'open_at' ? 'open then' : 'open now';
  const claim = { field, value, text: words, observed_at };
  if (until === undefined) return { text: words, claims: [claim] };
  const ends = { field: 'open_until', value: open.until?.toISOString() ?? null, text: until, observed_at };
  return { text: `${words} until ${until}`, claims: [claim, ends] };
}

/** Returns the closing time, or undefined when it is more than a day away and would need its date. */
function untilText(open: OpenAt, timezone: string, minute: number | undefined): string | undefined {
  if (open.until === null) return undefined;
  const until = localMinuteOf(timezone, open.until);
  return minute !== undefined && until - minute > DAY_MINUTES ? undefined : clockText(until);
}

function notOpen(open: OpenAt, at: SentenceOptions['at'], observed_at: string | null): Part {
  const later = at !== undefined && !at.now;
  const field = later ? 'open_at' : 'open_now';
  if (open.open === null)
    return {
      text: 'hours not verified',
      claims: [{ field, value: null, text: 'hours not verified', observed_at }],
    };
  const text = later ? 'closed then' : 'closed now';
  return { text, claims: [{ field, value: false, text, observed_at }] };
}

function distanceOf({ observed_at }: AnswerFacts, { metres }: SentenceOptions): Part | undefined {
  if (metres === undefined) return undefined;
  const text = distanceText(metres);
  const claim = { field: 'distance_m', value: Math.round(metres), text, observed_at };
  return { text: `${text} from the place you named`, claims: [claim] };
}

function factPart({ field, value, text }: FactWords, { observed_at, filled_at }: AnswerFacts): Part {
  const at = filled_at[field.replace(/^facts\./, '')] ?? observed_at;
  return { text, claims: [{ field, value, text, observed_at: at }] };
}

export function distanceText(metres: number): string {
  return metres < 995 ? `${Math.round(metres / 10) * 10} m` : `${(metres / 1000).toFixed(1)} km`;
}
