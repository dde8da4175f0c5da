import { labelled, quoteUntrusted, joinFacts, joinLines } from '../core/text/tool-text.ts';
import { DAY_MS } from '../core/time.ts';
import { positionWords } from '../directory/tool-text/place-text.ts';
import { nameInWords } from '../directory/place/place-names.ts';
import { phoneTexts } from '../directory/place/shown-phones.ts';
import { localMinuteOf } from '../directory/hours/zone-clock.ts';
import { clockText } from '../directory/hours/compile/compiled-hours.ts';
import { hoursFromWords, usualWords } from '../directory/hours/open-status.ts';
import { weekInWords } from '../directory/hours/weekly-hours.ts';
import { BRIEF_FIELDS, type PlaceCard } from '../directory/place/place-fields.ts';
import { cardFieldSet } from '../directory/sets/place-sets.ts';
import type { Hit } from './query/hit.ts';

/** Fields returned when a search has a single result, because the caller would request them next. */
export const ALL_CARD_FIELDS: readonly CardField[] = cardFieldSet.values.filter((field) => field !== 'all');

export const fieldsArgument = cardFieldSet.some('More fields for each place.');

export type CardField = (typeof cardFieldSet.values)[number];

const FIELDS_HERE = BRIEF_FIELDS.filter((field) => field !== 'destination');

/** Reduces a card to the default and requested fields. Missing values are omitted. */
export function briefCard(card: PlaceCard, fields: readonly CardField[], inOneDestination: boolean): object {
  const brief: Partial<Record<keyof PlaceCard, unknown>> = {};
  for (const field of inOneDestination ? FIELDS_HERE : BRIEF_FIELDS)
    if (card[field] != null) brief[field] = card[field];
  if (card.booking.method === 'phone') brief.booking = undefined;
  for (const field of fields) if (field !== 'all') brief[field] = card[field];
  if ('phone' in brief) {
    brief.phone_other_country = card.phone_other_country;
    brief.phone_as_published = card.phone_as_published;
  }
  if (!card.position_known || 'lat' in brief || 'lng' in brief) brief.position_known = card.position_known;
  return brief;
}

/** Renders a place as one line with what a model needs to choose it and to request more. `where` is its town. */
export function cardLine(
  card: PlaceCard,
  opening = openingOnCard(card),
  where: string | null = null,
): string {
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
    `${quoteUntrusted(nameInWords({ name, local }))} (${place_id}) ${quoteUntrusted(category)}${area === null ? '' : `, ${quoteUntrusted(area)}`}${where === null || where === '' ? '' : `, ${quoteUntrusted(where)}`}`,
    opening,
    rating === null
      ? quoteUntrusted(price_range)
      : `${rating}★${price_range === null ? '' : ` ${quoteUntrusted(price_range)}`}`,
    booking.method === 'venue_system' ? 'own page' : booking.method,
    distance_m !== undefined && `${distance_m} m`,
  );
}

/** Renders the requested additional fields below the line of the place. */
export function moreLines(card: PlaceCard, fields: readonly CardField[], { week }: Hit): string {
  const includes = (field: CardField) => fields.includes('all') || fields.includes(field);
  const { rating, review_count, cuisine, phone = null, address, lat, lng } = card;
  const phones = phoneTexts({ ...card, phone }).filter((text) => text !== null);
  const hours = week && `${weekInWords(week.structured)}${week.verified ? '' : ', not verified'}`;
  return joinLines(
    joinFacts(
      ...(includes('phone') ? (phones.length === 0 ? ['Phone: not known'] : phones) : []),
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

function openingOnCard({ open_now, open_by_hours, hours_from }: PlaceCard): string | null {
  if (open_by_hours === undefined || hours_from === undefined) return openWord(open_now);
  return `usually ${open_by_hours ? 'open' : 'closed'} (${hoursFromWords(hours_from)})`;
}

/** Returns the open state and, if it changes within a day, the local time of the change. */
export function openingOf(hit: Hit, now: Date): string | null {
  const { open, until } = hit.open;
  const { openByHours, timezone } = hit;
  if (openByHours !== null) return usualWords(openByHours, timezone, now, '');
  if (open === null || until === null || until.getTime() - now.getTime() > DAY_MS) return openWord(open);
  return `${open ? 'open until' : 'opens'} ${clockText(localMinuteOf(timezone, until))}`;
}
