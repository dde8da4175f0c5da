import type { z } from 'zod';
import { labelled, quoteUntrusted, joinFacts, joinLines } from '../../core/text/tool-text.ts';
import type { placeAnswerSchema, placeRecordSchema } from '../place/place-fields.ts';
import { hoursFromWords } from '../hours/open-status.ts';
import { nameInWords } from '../place/place-names.ts';
import { phoneTexts } from '../place/shown-phones.ts';
import { bookingLines } from './booking-text.ts';
import { menuLines } from './menu-text.ts';

type PlaceAnswer = z.output<typeof placeAnswerSchema>;
type PlaceRecord = z.output<typeof placeRecordSchema>;

/** Text about one place for agents, with everything that they act on; complete without the structured content. */
export function placeText(place: PlaceAnswer): string {
  const { destination, hours, rating, menu, accolades, promotions, photos, open_status } = place;
  return joinLines(
    headLine(place, `${destination.name}, ${destination.country}`),
    `${open_status.text}${hoursWords(hours, destination.timezone)}`,
    bookingLines(place.booking),
    joinFacts(
      ...phoneTexts(place),
      labelled('Website', place.website),
      labelled('Address', quoteUntrusted(place.address)),
      positionWords(place),
    ),
    joinFacts(ratingWords(rating.value, rating.count), quoteUntrusted(place.price_range), place.badge),
    labelled('About', quoteUntrusted(place.about)),
    factsLine(place.facts),
    ...accolades.map(
      ({ title, year, source_url }) => `Award: ${joinFacts(quoteUntrusted(title), year, source_url)}`,
    ),
    ...promotions.map(
      ({ promo_id, title, ends_at }) =>
        `Promotion: ${joinFacts(quoteUntrusted(title), promo_id, ends_at !== null && `until ${ends_at}`)}`,
    ),
    ...(menu.available ? menuLines(menu) : []),
    ...photos.map(({ url, attribution }) => `Photo: ${url} (${quoteUntrusted(attribution)})`),
  );
}

export function recordText(record: PlaceRecord): string {
  const { contact, closed, price_line, coordinates, photos } = record;
  return joinLines(
    headLine(record, null),
    closed === null
      ? `${openWords(record)}${hoursWords(record.hours, record.timezone)}`
      : `${closed.text} Do not send anyone.`,
    joinFacts(
      `Booking: ${record.booking.method}`,
      labelled('page that the venue chose', record.booking_page),
      labelled('platform', record.booking_platform),
    ),
    joinFacts(
      ...phoneTexts(contact),
      labelled('Email', contact.email),
      labelled('Website', contact.website),
      labelled('Address', quoteUntrusted(contact.address)),
      positionWords(coordinates),
    ),
    joinFacts(ratingWords(record.rating, record.review_count), record.badge),
    price_line !== null &&
      `Prices: ${quoteUntrusted(price_line.text)} (${price_line.source_url}, ${price_line.read_at})`,
    labelled('About', quoteUntrusted(record.about)),
    factsLine(record.facts),
    ...photos.map(({ url, attribution }) => `Photo: ${url} (${quoteUntrusted(attribution)})`),
  );
}

function openWords({ open_now, open_by_hours, hours_from }: PlaceRecord): string {
  if (open_by_hours !== undefined && hours_from !== undefined)
    return `Usually ${open_by_hours ? 'open' : 'closed'} now (${hoursFromWords(hours_from)}; call to check).`;
  return open_now === null ? 'Hours are not verified.' : open_now ? 'Open now.' : 'Closed now.';
}

interface Headed {
  place_id: string;
  name: string;
  local_name?: string | undefined;
  category: string;
  cuisine: readonly string[];
  area: string | null;
}

function headLine(place: Headed, destination: string | null): string {
  const { place_id, name, local_name: local, category, cuisine, area } = place;
  return joinFacts(
    `${quoteUntrusted(nameInWords({ name, local }))} (${place_id})`,
    quoteUntrusted(category),
    quoteUntrusted(cuisine.join(', ')),
    quoteUntrusted(area),
    destination,
  );
}

function hoursWords(hours: PlaceAnswer['hours'], timezone: string): string {
  if (hours?.text == null) return '';
  return ` Hours${hours.verified ? '' : ', not verified'}: ${quoteUntrusted(hours.text)} (${timezone}).`;
}

/** States an unknown position explicitly, so that the centre of the town is not taken for it. */
export function positionWords({ lat, lng }: { lat: number | null; lng: number | null }): string {
  return lat === null || lng === null ? 'Position not known' : `At ${lat},${lng}`;
}

function ratingWords(rating: number | null, count: number): string | null {
  return rating === null ? null : `${rating}★ from ${count}`;
}

function factsLine(facts: PlaceAnswer['facts']): string | null {
  const lines = Object.entries(facts).map(([name, value]) => {
    const words = Array.isArray(value) ? value.join(', ') : String(value);
    return `${name.replaceAll('_', ' ')} ${quoteUntrusted(words)}`;
  });
  return lines.length === 0 ? null : `Facts: ${lines.join('; ')}`;
}
