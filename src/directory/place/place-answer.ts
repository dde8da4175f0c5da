import { z } from 'zod';
import { bookingMethodSet } from '../booking-route/booking-method.ts';
import { platformSet } from '../booking-route/platform-names.ts';
import { bookingRoute } from '../booking-route/booking-route.ts';
import type { BookingDetails } from '../booking-route/prefill.ts';
import type { Destination } from '../destinations.ts';
import type { Languages } from '../../core/text/languages.ts';
import { shownAccoladeSchema } from './accolade.ts';
import { factsSchema } from './facts.ts';
import { menuSections, menuSectionsSchema } from './menu-sections.ts';
import { languageNames, chooseDisplayName, alternativeNames } from './place-names.ts';
import { closureBeliefOf, hoursOf, openStatusOf } from '../hours/place-open.ts';
import { runningPromotions, type Place } from './place.ts';
import { displayedOrigin, fieldsFromAgents } from '../provenance/field-claim.ts';
import {
  badgeSet,
  closureConfidenceSet,
  closureEvidenceSet,
  openStateSet,
  promoKindSet,
} from '../sets/place-sets.ts';
import { hoursSourceSet, menuSourceSet, placeFieldSet, ratingSourceSet } from '../sets/source-sets.ts';
import { verticalSet } from '../sets/vertical.ts';
import { placeSources } from './place-sources.ts';
import { placePhotos, placePhotosSchema } from './place-photos.ts';

export const destinationSchema = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  country: z.string().describe('ISO 3166 alpha-2 code.'),
  timezone: z.string().describe('IANA time zone; clock times here are local to it.'),
});

export const DESTINATION_EXAMPLE = {
  id: 'dst_01kdtqb00071qz6sbs7e2vkqza',
  slug: 'bali',
  name: 'Bali',
  country: 'ID',
  timezone: 'Asia/Makassar',
};

export const hoursSchema = z
  .object({
    structured: z
      .record(z.string(), z.array(z.array(z.string())))
      .nullable()
      .describe('mon to sun, each with pairs of HH:mm; an end at or before its start is on the next day.'),
    text: z.string().nullable().describe('The hours as they were written.'),
    verified: z.boolean().describe('Only verified hours determine whether a place is open now.'),
    source: hoursSourceSet.schema,
    observed_at: z.string(),
  })
  .nullable();

export const openNowSchema = z
  .boolean()
  .nullable()
  .describe('null: the hours are not verified, which does not mean closed.');

export const prefilledSchema = z
  .object({ party_size: z.boolean(), date: z.boolean(), time: z.boolean() })
  .describe('Fields already filled in on the booking page.');

const menuSchema = z.object({
  available: z.boolean(),
  source: menuSourceSet.schema.nullable(),
  updated_at: z.string().nullable(),
  currency: z.string().nullable(),
  sections: menuSectionsSchema({ price_minor: z.int().nullable() }),
});

/** A menu that may be shortened because it is too long for a conversation. */
export const partialMenuSchema = menuSchema.extend({
  left_out: z.int().optional().describe('Number of further dishes on the page of the place.'),
});

export const closureEvidenceSchema = z.object({
  kind: closureEvidenceSet.schema,
  source_url: z.string().nullable(),
  note: z.string(),
  observed_at: z.string(),
});

/** Name members; the same in every answer. */
export const nameFields = {
  name: z.string().describe('As on the sign, or in the language that lang requests.'),
  local_name: z.string().optional().describe('The name on the sign, where name is in another language.'),
  names: z
    .record(z.string(), z.string())
    .optional()
    .describe('All names by language tag, if there is more than one.'),
};

/** Kind members; the same in every answer. */
export const kindFields = {
  place_id: z.string(),
  ...nameFields,
  vertical: verticalSet.word.describe('The type of place.'),
  category: z.string().describe('The more specific type.'),
  cuisine: z.array(z.string()),
};

export const positionKnownField = z
  .boolean()
  .describe('false: lat and lng are null, and neither near nor bbox nor a map finds the place.');

export const whereFields = {
  country: z.string().describe('ISO 3166 alpha-2 code.'),
  city: z.string().nullable(),
  area: z.string().nullable(),
  address: z.string().nullable(),
  lat: z.number().nullable(),
  lng: z.number().nullable(),
  position_known: positionKnownField,
};

export const areasField = z
  .array(z.string())
  .describe('The areas that contain it, smallest first, up to the city or island.');

export const factsField = factsSchema.describe(
  'Facts that travellers ask about, from the source of the place. A missing fact is unknown, which does not mean no.',
);

export const observedAtField = z
  .string()
  .nullable()
  .describe('When the source last confirmed it: its last edit, or else the date of the map. null: unknown.');

export const submittedFieldsField = z
  .array(placeFieldSet.word)
  .describe(
    "Fields filled only by an agent's submission. A person reviewed it, but nobody else published them and the venue has not confirmed them: never present them as the venue's own.",
  );

/** Answer about one place for an agent. */
export const placeAnswerSchema = z.object({
  ...kindFields,
  destination: destinationSchema,
  ...whereFields,
  areas: areasField,
  phone: z.string().nullable().describe('E.164; never guessed.'),
  website: z.string().nullable(),
  languages: z.array(z.string()),
  price_range: z.string().nullable(),
  about: z
    .string()
    .nullable()
    .describe("The venue's own short description, unless submitted_fields names it."),
  facts: factsField,
  badge: badgeSet.word,
  rating: z.object({ value: z.number().nullable(), count: z.int(), source: ratingSourceSet.schema }),
  hours: hoursSchema,
  open_now: openNowSchema,
  open_status: z.object({
    state: openStateSet.schema,
    evidence: closureEvidenceSet.word.nullable().describe('With state closed.'),
    text: z.string(),
    checked_at: z.string().nullable(),
    next_change_at: z.string().nullable(),
  }),
  closure_belief: z.object({
    believed_closed: z.boolean(),
    confidence: closureConfidenceSet.schema,
    evidence: z.array(closureEvidenceSchema),
    checked_at: z.string().nullable(),
  }),
  accolades: z.array(shownAccoladeSchema),
  menu: menuSchema,
  promotions: z.array(
    z.object({
      promo_id: z.string(),
      title: z.string(),
      kind: promoKindSet.word,
      ends_at: z.string().nullable(),
    }),
  ),
  booking: z.object({
    method: bookingMethodSet.word,
    url: z.string().nullable(),
    chosen_by_venue: z.boolean().describe('false: derived from what is published about the venue.'),
    phone: z.string().nullable(),
    platform: platformSet.word.nullable(),
    prefilled: prefilledSchema,
    guidance: z.string(),
  }),
  guidance: z.string().describe('An instruction to follow as written.'),
  photos: placePhotosSchema,
  sources: z.array(
    z.object({
      name: z.string(),
      ref: z.string(),
      fields: z.array(placeFieldSet.schema),
      observed_at: observedAtField,
    }),
  ),
  submitted_fields: submittedFieldsField,
  submitted_by: z.object({ agent_name: z.string(), operator_name: z.string() }).nullable(),
  updated_at: z.string(),
});

export type PlaceAnswer = z.input<typeof placeAnswerSchema>;

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
  const { id, rating, review_count, evidence: _evidence, updated_at, ...rest } = place;
  const { open_now, ...openStatus } = openStatusOf(place, destination.timezone, now);
  const belief = closureBeliefOf(place);
  const booking = routeOf(place, ask, prefix);
  return {
    ...rest,
    place_id: id,
    ...namesOf(place, languages),
    destination: destinationRef(destination),
    rating: { value: rating, count: review_count, source: 'public' },
    hours: hoursOf(place, now),
    open_now,
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
  { name, names, country }: Pick<Place, 'name' | 'names' | 'country'>,
  languages: Languages,
): { name: string; local_name?: string | undefined; names?: Record<string, string> | undefined } {
  const chosen = chooseDisplayName({ name, names: languageNames(names), country }, languages);
  return { name: chosen.name, local_name: chosen.local, names: alternativeNames(name, names) };
}

/** Booking route of a place that may have closed. */
export function routeOf(
  place: Pick<Place, 'booking_method' | 'booking_url' | 'chosen_by_venue' | 'phone' | 'closed_at'> &
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
