import type { Deps } from '../../../../core/context.ts';
import { AppError } from '../../../../core/errors.ts';
import type { Db } from '../../../../core/postgres/db.ts';
import { formatCount } from '../../../../core/text/format-count.ts';
import type { Destination } from '../../../../directory/destinations.ts';
import { destinationOf } from '../../../../directory/find-destination.ts';
import { findPlace, type Place } from '../../../../directory/place/place.ts';
import { displayedOrigin } from '../../../../directory/provenance/field-claim.ts';
import type { ContactField } from '../../../../directory/provenance/field.ts';
import { sentenceCase } from '../../frame/wording.ts';
import type { PageRequest } from '../../person/page-request.ts';
import { HOURS_SOURCES } from '../../traveller/place/hours-section.ts';

/** Returns the place named by the URL. */
export async function placeFromUrl(
  db: Db,
  { params: { id = '' } }: Pick<PageRequest, 'params'>,
): Promise<Place> {
  const place = /^plc_[0-9a-z]{26}$/.test(id) ? await findPlace(db, id) : undefined;
  if (place === undefined) throw new AppError('place_not_found', 'There is no place with this id.');
  return place;
}

/** Returns the destination of a place, with its extent and time zone. */
export function destinationOfPlace({ destinations }: Pick<Deps, 'destinations'>, place: Place): Destination {
  const destination = destinationOf(destinations.current, place.destination_id);
  if (destination === undefined) throw new Error(`The destination of ${place.id} is not known.`);
  return destination;
}

/** Lists all fields of a place as text, for display and for comparison. */
export function placeFactRows(place: Place): [label: string, value: string | null][] {
  return [
    ['Name', place.name],
    ['Kind', [...new Set([place.vertical, place.category].map(sentenceCase))].join(', ')],
    [
      'Address',
      [place.address, place.area, place.city, place.country].filter((part) => part !== null).join(', '),
    ],
    ['Position', place.position_known ? `${place.lat}, ${place.lng}` : null],
    ['Phone', contactOf(place, 'phone')],
    ['Phone as published', place.facts.phone_as_published ?? null],
    ['Email', contactOf(place, 'email')],
    ['Website', contactOf(place, 'website')],
    ['Hours', place.hours === null ? null : `${place.hours.text} (${HOURS_SOURCES[place.hours.source]})`],
    ['Price', place.price_range],
    ['About', place.about],
    [
      'Booking',
      `${sentenceCase(place.booking_method)}${place.chosen_by_venue ? ', chosen by the venue' : ''}`,
    ],
    [
      'Rating',
      place.rating === null ? null : `${place.rating}, from ${formatCount(place.review_count, 'review')}`,
    ],
    ['Badge', sentenceCase(place.badge)],
    ['Source', `${place.source}, ${place.source_ref}`],
  ];
}

function contactOf(place: Place, field: ContactField): string | null {
  const value = place[field];
  return value !== null && displayedOrigin(place, field) === 'agent'
    ? `${value} (submitted by an agent: not used to contact the venue)`
    : value;
}
