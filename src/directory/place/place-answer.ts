import { bookingRoute } from '../booking-route/booking-route.ts';
import type { BookingDetails } from '../booking-route/prefill.ts';
import type { Destination } from '../destinations.ts';
import type { Languages } from '../../core/text/languages.ts';
import { menuSections } from './menu-sections.ts';
import { languageNames, chooseDisplayName, alternativeNames } from './place-names.ts';
import { openByHoursFields } from '../hours/open-status.ts';
import { closureBeliefOf, hoursOf, openByHoursOf, openStatusOf } from '../hours/place-open.ts';
import type { PlaceAnswer } from './place-fields.ts';
import { runningPromotions, type Place } from './place.ts';
import { displayedOrigin, fieldsFromAgents } from '../provenance/field-claim.ts';
import { placeSources } from './place-sources.ts';
import { factsBeside, shownPhones } from './shown-phones.ts';
import { placePhotos } from './place-photos.ts';

export function destinationRef({ id, slug, name, country, timezone }: Destination) {
  return { id, slug, name, country, timezone };
}

export function placeAnswer(
  place: Place,
  destination: Destination,
  ask: BookingDetails,
  moment: { now: Date; prefix: string; baseUrl: string; serviceName: string },
  languages: Languages = [],
): PlaceAnswer {
  const { now, prefix } = moment;
  const { id, rating, review_count, evidence: _evidence, updated_at, name_generated, ...rest } = place;
  const { open_now, ...openStatus } = openStatusOf(place, destination.timezone, now);
  const belief = closureBeliefOf(place);
  const booking = routeOf(place, ask, prefix);
  return {
    ...rest,
    ...shownPhones(place),
    facts: factsBeside(place.facts),
    place_id: id,
    ...namesOf(place, languages),
    name_generated: name_generated || undefined,
    destination: destinationRef(destination),
    rating: { value: rating, count: review_count, source: 'public' },
    hours: hoursOf(place, now),
    open_now,
    ...openByHoursFields(openByHoursOf(place, destination.timezone, now)),
    open_status: { ...openStatus, checked_at: utc(openStatus.checked_at) },
    closure_belief: {
      ...belief,
      confidence: belief.confidence as PlaceAnswer['closure_belief']['confidence'],
      evidence: belief.evidence.map((item) => ({ ...item, observed_at: utc(item.observed_at) })),
      checked_at: utc(belief.checked_at),
    },
    menu: menuOf(place),
    promotions: runningPromotions(place, now).map(({ promo_id, title, kind, ends_at }) => ({
      promo_id,
      title,
      kind,
      ends_at,
    })),
    booking,
    guidance: booking.guidance,
    photos: placePhotos(place, moment),
    sources: placeSources(place),
    submitted_fields: fieldsFromAgents(place),
    submitted_by: place.submitted_by && {
      agent_name: place.submitted_by.agent_name,
      operator_name: place.submitted_by.operator_name,
    },
    updated_at: updated_at.toISOString(),
  };
}

/** Names of a place in an answer, the reader's preferred one first. */
export function namesOf(
  place: Pick<Place, 'name' | 'name_generated' | 'names' | 'country' | 'category' | 'area'>,
  languages: Languages,
): { name: string; local_name?: string | undefined; names?: Record<string, string> | undefined } {
  const names = languageNames(place.names);
  const { name, local: local_name } = chooseDisplayName({ ...place, names }, languages);
  return { name, local_name, names: alternativeNames(place.name, place.names) };
}

/** Booking route of a place that may have closed. */
export function routeOf(
  place: Pick<
    Place,
    'booking_method' | 'booking_url' | 'chosen_by_venue' | 'phone' | 'country' | 'facts' | 'closed_at'
  > &
    Partial<Pick<Place, 'field_claims' | 'source'>>,
  ask: BookingDetails,
  prefix: string,
) {
  const { field_claims, source, closed_at } = place;
  const phone_submitted =
    field_claims !== undefined &&
    source !== undefined &&
    displayedOrigin({ field_claims, source }, 'phone') === 'agent';
  return bookingRoute({ ...place, phone_submitted, closed: closed_at !== null }, ask, prefix);
}

function menuOf({ menu }: Place): PlaceAnswer['menu'] {
  if (menu === null)
    return { available: false, source: null, updated_at: null, currency: null, sections: [] };
  return {
    available: true,
    source: 'owner',
    updated_at: utc(menu.updated_at),
    currency: menu.currency,
    sections: menuSections(menu.sections, () => ({ price_minor: null })),
  };
}

/** Converts a time to UTC with Z: PostgreSQL writes the offset of a time inside JSON as +00:00. */
export function utc(time: string): string;
export function utc(time: string | null): string | null;
export function utc(time: string | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
