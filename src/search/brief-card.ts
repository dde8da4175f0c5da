import { z } from 'zod';
import { closedSet } from '../core/input/closed-set.ts';
import { bookingMethodSet } from '../directory/booking-route/booking-method.ts';
import { labelled, quoteUntrusted, joinFacts, joinLines } from '../core/text/tool-text.ts';
import { DAY_MS } from '../core/time.ts';
import { positionWords } from '../directory/tool-text/place-text.ts';
import { nameInWords } from '../directory/place/place-names.ts';
import { localMinuteOf } from '../directory/hours/zone-clock.ts';
import { DAY_MINUTES } from '../directory/hours/compile/compiled-hours.ts';
import { weekInWords } from '../directory/hours/weekly-hours.ts';
import { cardSchema } from './card.ts';
import type { Hit } from './query/hit.ts';

type Card = z.output<typeof cardSchema>;

/** Default place fields in tool results: enough to choose a place and to take the next step. */
export const briefCardSchema = cardSchema
  .partial()
  .required({ place_id: true, name: true, category: true })
  .extend({
    open_now: z.boolean().nullable().optional().describe('Absent or null: the hours are not verified.'),
    booking: z
      .object({ method: bookingMethodSet.word })
      .optional()
      .describe('Absent: by phone, like most places.'),
  });

/** Card fields that are returned on request. */
const MORE = {
  rating: 'Its rating.',
  review_count: 'How many people rated it.',
  price_range: 'Its price range.',
  cuisine: 'Its cuisines.',
  address: 'Its street address.',
  lat: 'Its latitude.',
  lng: 'Its longitude.',
  guidance: 'How to book it, to follow as written.',
  url: 'Its page.',
  phone: 'Its phone number.',
  hours: 'Its week of opening hours.',
} as const satisfies Partial<Record<keyof Card, string>>;

const cardFieldSet = closedSet('CardField', { ...MORE, all: 'All of these.' }, { explainedInTools: false });

/** Fields returned when a search has a single result, because the caller would request them next. */
export const ALL_CARD_FIELDS: readonly CardField[] = Object.keys(MORE) as (keyof typeof MORE)[];

export const fieldsArgument = z
  .array(cardFieldSet.schema)
  .min(1)
  .max(cardFieldSet.values.length)
  .optional()
  .describe('More fields for each place.');

export type CardField = (typeof cardFieldSet.values)[number];

/** Reduces a card to the default and requested fields. Missing values are omitted. */
export function briefCard(card: Card, fields: readonly CardField[], inOneDestination: boolean): object {
  const { place_id, name, local_name, category, destination, area, open_now, open_until } = card;
  const { booking, distance_m, position_known } = card;
  const brief: Record<string, unknown> = { place_id, name };
  if (local_name !== undefined) brief['local_name'] = local_name;
  brief['category'] = category;
  if (!inOneDestination) brief['destination'] = destination;
  if (area !== null) brief['area'] = area;
  if (open_now !== null) brief['open_now'] = open_now;
  if (typeof open_until === 'string') brief['open_until'] = open_until;
  if (booking.method !== 'phone') brief['booking'] = booking;
  if (distance_m !== undefined) brief['distance_m'] = distance_m;
  for (const field of fields) if (field !== 'all') brief[field] = card[field];
  if (!position_known || 'lat' in brief || 'lng' in brief) brief['position_known'] = position_known;
  return brief;
}

/** Renders a place as one line with what a model needs to choose it and to request more. */
export function cardLine(card: Card, opening = openWord(card.open_now)): string {
  const {
    name,
    local_name: local,
    place_id,
    category,
    area,
    rating,
    price_range,
    booking,
    distance_m,
  } = card;
  return joinFacts(
    `${quoteUntrusted(nameInWords({ name, local }))} (${place_id}) ${quoteUntrusted(category)}${area === null ? '' : `, ${quoteUntrusted(area)}`}`,
    opening,
    rating === null
      ? quoteUntrusted(price_range)
      : `${rating}★${price_range === null ? '' : ` ${quoteUntrusted(price_range)}`}`,
    booking.method === 'venue_system' ? 'own page' : booking.method,
    distance_m !== undefined && `${distance_m} m`,
  );
}

/** Renders the requested additional fields below the line of the place. */
export function moreLines(card: Card, fields: readonly CardField[], { week }: Hit): string {
  const includes = (field: CardField) => fields.includes('all') || fields.includes(field);
  const { rating, review_count, cuisine, phone, address, lat, lng } = card;
  const hours = week && `${weekInWords(week.structured)}${week.verified ? '' : ', not verified'}`;
  return joinLines(
    joinFacts(
      includes('phone') && `Phone: ${phone ?? 'not known'}`,
      includes('address') && `Address: ${quoteUntrusted(address) ?? 'not known'}`,
      includes('lat') && includes('lng') && positionWords({ lat, lng }),
    ),
    joinFacts(
      includes('hours') && `Hours: ${hours ?? 'not known'}`,
      includes('review_count') && (rating === null ? 'Not rated' : `${rating}★ from ${review_count}`),
      includes('cuisine') && labelled('Cuisine', quoteUntrusted(cuisine.join(', '))),
      includes('url') && labelled('Page', card.url),
    ),
    includes('guidance') && card.guidance,
  );
}

/** Returns null for unverified hours, which are not mentioned. */
function openWord(open: boolean | null): string | null {
  return open === null ? null : open ? 'open' : 'closed now';
}

/** Returns the open state and, if it changes within a day, the local time of the change. */
export function openingOf({ open: { open, until }, timezone }: Hit, now: Date): string | null {
  if (open === null || until === null || until.getTime() - now.getTime() > DAY_MS) return openWord(open);
  const minute = localMinuteOf(timezone, until) % DAY_MINUTES;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${open ? 'open until' : 'opens'} ${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}
