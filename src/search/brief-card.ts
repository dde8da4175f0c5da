import { z } from 'zod';
import { closedSet } from '../core/input/closed-set.ts';
import { bookingMethodSet } from '../directory/booking-route/booking-method.ts';
import { labelled, told, toldLine, toldLines } from '../core/text/told-line.ts';
import { DAY_MS } from '../core/time.ts';
import { positionWords } from '../directory/told/place-text.ts';
import { nameInWords } from '../directory/place/place-names.ts';
import { localMinuteOf } from '../directory/hours/zone-clock.ts';
import { DAY_MINUTES } from '../directory/hours/compile/compiled-hours.ts';
import { weekInWords } from '../directory/hours/weekly-hours.ts';
import { cardSchema } from './card.ts';
import type { Hit } from './query/hit.ts';

type Card = z.output<typeof cardSchema>;

/** What a tool shows of a place unless it is asked for more: enough to choose one and to take the next step. */
export const briefCardSchema = cardSchema
  .partial()
  .required({ place_id: true, name: true, category: true })
  .extend({
    open_now: z.boolean().nullable().optional().describe('Absent or null: the hours are not verified.'),
    booking: z
      .object({ method: bookingMethodSet.word })
      .optional()
      .describe('Absent: by phone, as most places are booked.'),
  });

/** Members of a card that are told on request. */
const MORE = {
  rating: 'Its rating.',
  review_count: 'How many people rated it.',
  price_range: 'Its price range.',
  cuisine: 'Its cuisines.',
  address: 'Its street address.',
  lat: 'Its latitude.',
  lng: 'Its longitude.',
  guidance: 'A sentence on how it is booked, to follow as written.',
  url: 'Its page.',
  phone: 'Its phone number.',
  hours: 'Its week of opening hours.',
} as const satisfies Partial<Record<keyof Card, string>>;

const cardFieldSet = closedSet('CardField', { ...MORE, all: 'All of these.' }, { explainedInTools: false });

/** What is told of a place that is the only one: whoever found it would ask for all of this next. */
export const EVERYTHING: readonly CardField[] = Object.keys(MORE) as (keyof typeof MORE)[];

export const fieldsArgument = z
  .array(cardFieldSet.schema)
  .min(1)
  .max(cardFieldSet.values.length)
  .optional()
  .describe('What else to tell of each place.');

export type CardField = (typeof cardFieldSet.values)[number];

/** A card without what nobody asked for. What a place does not have is left out. */
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

/** A place in one line of a text: what a model needs to choose it and to ask for more. */
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
  return toldLine(
    `${told(nameInWords({ name, local }))} (${place_id}) ${told(category)}${area === null ? '' : `, ${told(area)}`}`,
    opening,
    rating === null ? told(price_range) : `${rating}★${price_range === null ? '' : ` ${told(price_range)}`}`,
    booking.method === 'venue_system' ? 'own page' : booking.method,
    distance_m !== undefined && `${distance_m} m`,
  );
}

/** What of the rest was asked for, beneath the line of the place. */
export function moreLines(card: Card, fields: readonly CardField[], { week }: Hit): string {
  const wants = (field: CardField) => fields.includes('all') || fields.includes(field);
  const { rating, review_count, cuisine, phone, address, lat, lng } = card;
  const hours = week && `${weekInWords(week.structured)}${week.verified ? '' : ', not verified'}`;
  return toldLines(
    toldLine(
      wants('phone') && `Phone: ${phone ?? 'not known'}`,
      wants('address') && `Address: ${told(address) ?? 'not known'}`,
      wants('lat') && wants('lng') && positionWords({ lat, lng }),
    ),
    toldLine(
      wants('hours') && `Hours: ${hours ?? 'not known'}`,
      wants('review_count') && (rating === null ? 'Not rated' : `${rating}★ from ${review_count}`),
      wants('cuisine') && labelled('Cuisine', told(cuisine.join(', '))),
      wants('url') && labelled('Page', card.url),
    ),
    wants('guidance') && card.guidance,
  );
}

/** Hours that are not verified say nothing, and neither do we. */
function openWord(open: boolean | null): string | null {
  return open === null ? null : open ? 'open' : 'closed now';
}

/** Whether a place is open, and until when where that is within a day, on the clocks of the place. */
export function openingOf({ open: { open, until }, timezone }: Hit, now: Date): string | null {
  if (open === null || until === null || until.getTime() - now.getTime() > DAY_MS) return openWord(open);
  const minute = localMinuteOf(timezone, until) % DAY_MINUTES;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${open ? 'open until' : 'opens'} ${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}
