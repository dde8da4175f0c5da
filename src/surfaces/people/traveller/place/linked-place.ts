import { structuredWeek } from '../../../../directory/hours/weekly-hours.ts';
import { hoursVerified } from '../../../../directory/hours/place-open.ts';
import { displayedOrigin } from '../../../../directory/provenance/field-claim.ts';
import { publishedNote } from '../../../../directory/place/shown-phones.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { DAY_NAMES } from '../../frame/wording.ts';
import words from '../words.json' with { type: 'json' };
import type { PlaceModel } from './place-model.ts';

const TYPES: Readonly<Record<string, string>> = words.schemaTypes;
/** schema.org types that are not businesses and therefore have no price range. */
const NO_BUSINESS = new Set(['Beach', 'TouristAttraction', 'TaxiService', 'Place']);
const FOOD = new Set(['Restaurant', 'CafeOrCoffeeShop', 'BarOrPub']);

/** Returns the place as schema.org data. It contains nothing that the page does not show. */
export function linkedPlace({ site, place, now }: PlaceModel): object {
  const type = TYPES[place.vertical] ?? (place.vertical === 'other' ? 'Place' : 'LocalBusiness');
  const closed = place.closed_at !== null;
  const data = {
    '@context': 'https://schema.org',
    '@type': type,
    '@id': `${site.baseUrl}/p/${place.id}`,
    url: `${site.baseUrl}/p/${place.id}`,
    name: place.name,
    alternateName: listOf(otherNames(place)),
    description: closed ? 'This place appears to have closed.' : unlessSubmitted(place, 'about'),
    address: {
      '@type': 'PostalAddress',
      ...(place.address === null ? {} : { streetAddress: place.address }),
      ...(place.city === null ? {} : { addressLocality: place.city }),
      addressCountry: place.country,
    },
    ...(place.position_known && {
      geo: { '@type': 'GeoCoordinates', latitude: place.lat, longitude: place.lng },
    }),
    ...(closed ? {} : openPlaceData(place, type, now)),
  };
  return Object.fromEntries(Object.entries(data).filter(([, value]) => (value as unknown) != null));
}

/** Returns the field unless only an agent submitted it: the page marks such values, structured data cannot. */
function unlessSubmitted(place: Place, field: 'about' | 'phone' | 'website'): string | null {
  return displayedOrigin(place, field) === 'agent' ? null : place[field];
}

function openPlaceData(place: Place, type: string, now: Date): Record<string, unknown> {
  const { rating, review_count } = place;
  return {
    telephone: unlessSubmitted(place, 'phone'),
    additionalProperty: publishedPhone(place),
    sameAs: unlessSubmitted(place, 'website'),
    award: listOf(place.accolades.map(({ title, year }) => (year === null ? title : `${title} ${year}`))),
    ...(NO_BUSINESS.has(type) ? {} : { priceRange: place.price_range }),
    ...(FOOD.has(type) ? { servesCuisine: listOf(place.cuisine) } : {}),
    aggregateRating:
      rating === null || review_count === 0
        ? null
        : { '@type': 'AggregateRating', ratingValue: rating, reviewCount: review_count, bestRating: 5 },
    openingHoursSpecification: hoursVerified(place, now) ? openingHours(place) : null,
  };
}

/** A number without its country code is no `telephone`, which programs dial. */
function publishedPhone({ facts: { phone_as_published: value } }: Place): object | null {
  if (value === undefined) return null;
  const propertyID = 'phone_as_published';
  return { '@type': 'PropertyValue', propertyID, name: `Telephone, ${publishedNote(value)}`, value };
}

function openingHours({ hours }: Place): object[] | null {
  const week = hours?.compiled == null ? null : structuredWeek(hours.compiled);
  if (week === null) return null;
  return DAY_NAMES.flatMap(([day, dayOfWeek]) =>
    week[day].map(([opens, closes]) => ({
      '@type': 'OpeningHoursSpecification',
      dayOfWeek,
      opens,
      closes: closes === '24:00' ? '23:59' : closes,
    })),
  );
}

function listOf(values: readonly string[]): readonly string[] | null {
  return values.length === 0 ? null : values;
}

function otherNames({ name, names }: Place): string[] {
  return [...new Set(Object.values(names))].filter((text) => text !== '' && text !== name);
}
