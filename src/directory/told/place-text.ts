import type { z } from 'zod';
import { labelled, told, toldLine, toldLines } from '../../core/text/told-line.ts';
import type { placeAnswerSchema } from '../place/place-answer.ts';
import { nameInWords } from '../place/place-names.ts';
import type { placeRecordSchema } from '../place/place-record.ts';
import { bookingLines } from './booking-text.ts';
import { menuLines } from './menu-text.ts';

type PlaceAnswer = z.output<typeof placeAnswerSchema>;
type PlaceRecord = z.output<typeof placeRecordSchema>;

/** Everything that an agent does something with about one place, as a text that stands alone. */
export function placeText(place: PlaceAnswer): string {
  const { destination, hours, rating, menu, accolades, promotions, photos, open_status } = place;
  return toldLines(
    headLine(place, `${destination.name}, ${destination.country}`),
    `${open_status.text}${hoursWords(hours, destination.timezone)}`,
    bookingLines(place.booking),
    toldLine(
      labelled('Phone', place.phone),
      labelled('Website', place.website),
      labelled('Address', told(place.address)),
      positionWords(place),
    ),
    toldLine(ratingWords(rating.value, rating.count), told(place.price_range), place.badge),
    labelled('About', told(place.about)),
    factsLine(place.facts),
    ...accolades.map(({ title, year, source_url }) => `Award: ${toldLine(told(title), year, source_url)}`),
    ...promotions.map(
      ({ promo_id, title, ends_at }) =>
        `Promotion: ${toldLine(told(title), promo_id, ends_at !== null && `until ${ends_at}`)}`,
    ),
    ...(menu.available ? menuLines(menu) : []),
    ...photos.map(({ url, attribution }) => `Photo: ${url} (${told(attribution)})`),
  );
}

/** The same for partners. */
export function recordText(record: PlaceRecord): string {
  const { contact, closed, open_now, price_line, coordinates, photos } = record;
  const open = open_now === null ? 'Hours are not verified.' : open_now ? 'Open now.' : 'Closed now.';
  return toldLines(
    headLine(record, null),
    closed === null
      ? `${open}${hoursWords(record.hours, record.timezone)}`
      : `${closed.text} Do not send anyone.`,
    toldLine(
      `Booking: ${record.booking.method}`,
      labelled('page that the venue chose', record.booking_page),
      labelled('platform', record.booking_platform),
    ),
    toldLine(
      labelled('Phone', contact.phone),
      labelled('Email', contact.email),
      labelled('Website', contact.website),
      labelled('Address', told(contact.address)),
      positionWords(coordinates),
    ),
    toldLine(ratingWords(record.rating, record.review_count), record.badge),
    price_line !== null &&
      `Prices: ${told(price_line.text)} (${price_line.source_url}, ${price_line.read_at})`,
    labelled('About', told(record.about)),
    factsLine(record.facts),
    ...photos.map(({ url, attribution }) => `Photo: ${url} (${told(attribution)})`),
  );
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
  return toldLine(
    `${told(nameInWords({ name, local }))} (${place_id})`,
    told(category),
    told(cuisine.join(', ')),
    told(area),
    destination,
  );
}

function hoursWords(hours: PlaceAnswer['hours'], timezone: string): string {
  if (hours?.text == null) return '';
  return ` Hours${hours.verified ? '' : ', not verified'}: ${told(hours.text)} (${timezone}).`;
}

/** A position that is not known is told, so that nobody takes the middle of the town for it. */
export function positionWords({ lat, lng }: { lat: number | null; lng: number | null }): string {
  return lat === null || lng === null ? 'Position not known' : `At ${lat},${lng}`;
}

function ratingWords(rating: number | null, count: number): string | null {
  return rating === null ? null : `${rating}★ from ${count}`;
}

function factsLine(facts: PlaceAnswer['facts']): string | null {
  const said = Object.entries(facts).map(([name, value]) => {
    const words = Array.isArray(value) ? value.join(', ') : String(value);
    return `${name.replaceAll('_', ' ')} ${told(words)}`;
  });
  return said.length === 0 ? null : `Facts: ${said.join('; ')}`;
}
