import { z } from 'zod';
import { memberWriter } from '../../core/text/json-text.ts';
import { bookingMethodSet } from '../booking-route/booking-method.ts';
import { platformSet } from '../booking-route/platform-names.ts';
import {
  badgeSet,
  closureConfidenceSet,
  closureEvidenceSet,
  openStateSet,
  promoKindSet,
} from '../sets/place-sets.ts';
import { hoursSourceSet, menuSourceSet, placeFieldSet, ratingSourceSet } from '../sets/source-sets.ts';
import { verticalSet } from '../sets/vertical.ts';
import { shownAccoladeSchema } from './accolade.ts';
import { factsSchema } from './facts.ts';
import { menuSectionsSchema } from './menu-sections.ts';
import { placePhotosSchema } from './place-photos.ts';

export const destinationSchema = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  country: z.string().describe('ISO 3166 alpha-2 code.'),
  timezone: z.string().describe('IANA time zone; clock times here are local to it.'),
});

const hoursSchema = z.object({
  structured: z
    .record(z.string(), z.array(z.array(z.string())))
    .nullable()
    .describe('mon to sun, each with pairs of HH:mm; an end at or before its start is on the next day.'),
  text: z.string().nullable().describe('The hours as they were written.'),
  verified: z.boolean().describe('Only verified hours determine whether a place is open now.'),
  source: hoursSourceSet.schema,
  observed_at: z.string(),
});

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

const observedAtField = z
  .string()
  .nullable()
  .describe('When the source last confirmed it: its last edit or its date. null: unknown.');

export const phoneFields = {
  phone: z.string().nullable().describe('E.164; never guessed.'),
  phone_other_country: z
    .literal(true)
    .optional()
    .describe('The number in phone is of another country than the place: say so.'),
  phone_as_published: z
    .string()
    .optional()
    .describe(
      'Numbers as the source writes them; their country code is missing or wrong. Show them as they are: never complete, call or text them.',
    ),
};

/** Every field of a place in answers. The field sets below choose from these; a set extends the few that differ. */
const placeSchema = z.object({
  place_id: z.string(),
  name: z.string().describe('As on the sign, or in the language that lang requests.'),
  local_name: z.string().optional().describe('The name on the sign, where name is in another language.'),
  name_generated: z
    .literal(true)
    .optional()
    .describe('The source has no name; this is brand, operator, or kind and area.'),
  names: z
    .record(z.string(), z.string())
    .optional()
    .describe('All names by language tag, if there is more than one.'),
  vertical: verticalSet.word.describe('The type of place.'),
  category: z.string().describe('The more specific type.'),
  cuisine: z.array(z.string()),
  destination: z.string().describe('Slug of the destination.'),
  country: z.string().describe('ISO 3166 alpha-2 code.'),
  city: z.string().nullable(),
  area: z.string().nullable(),
  areas: z.array(z.string()).describe('The areas that contain it, smallest first, up to the province.'),
  address: z.string().nullable(),
  lat: z.number().nullable(),
  lng: z.number().nullable(),
  coordinates: z.object({ lat: z.number().nullable(), lng: z.number().nullable() }),
  position_known: z
    .boolean()
    .describe('false: lat and lng are null, and neither near nor bbox nor a map finds the place.'),
  distance_m: z.int().optional().describe('Metres from the requested point.'),
  timezone: z.string().describe('IANA time zone of the destination.'),
  ...phoneFields,
  website: z.string().nullable(),
  contact: z.object({
    ...phoneFields,
    email: z.string().nullable(),
    website: z.string().nullable(),
    address: z.string().nullable(),
  }),
  url: z.string().describe('The page of the place.'),
  languages: z.array(z.string()),
  about: z
    .string()
    .nullable()
    .describe("The venue's own short description, unless submitted_fields names it."),
  facts: factsSchema
    .omit({ phone_as_published: true })
    .describe(
      'Facts that travellers ask about, from the source of the place. A missing fact is unknown, which does not mean no.',
    ),
  rating: z.number().nullable(),
  review_count: z.int(),
  price_range: z.string().nullable(),
  price_line: z
    .object({ text: z.string(), read_at: z.string(), source_url: z.string() })
    .nullable()
    .describe('A price that the venue publishes, and when it was read there.'),
  badge: badgeSet.word,
  hours: hoursSchema.nullable(),
  open_now: z.boolean().nullable().describe('null: the hours are not verified, which does not mean closed.'),
  open_by_hours: z.boolean().optional().describe('Open now by hours too old to be verified; say their date.'),
  hours_from: z.string().optional().describe('Their date.'),
  open_until: z.string().nullable().optional().describe('When it closes, in UTC.'),
  open_status: z.object({
    state: openStateSet.schema,
    evidence: closureEvidenceSet.word.nullable().describe('With state closed.'),
    text: z.string(),
    checked_at: z.string().nullable(),
    next_change_at: z.string().nullable(),
  }),
  closed: z
    .object({
      evidence: closureEvidenceSet.word.nullable(),
      text: z.string(),
      checked_at: z.string().nullable(),
    })
    .nullable()
    .describe('Why the place is believed to have closed; null when it is not.'),
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
  booking: z.object({ method: bookingMethodSet.word }),
  booking_platform: platformSet.word.nullable(),
  booking_page: z
    .string()
    .nullable()
    .describe('Only if the venue itself chose it; booking_link gives others.'),
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
  submitted_fields: z
    .array(placeFieldSet.word)
    .describe(
      "Fields filled only by an agent's submission. A person reviewed it; the venue has not confirmed them: never present them as its own.",
    ),
  submitted_by: z.object({ agent_name: z.string(), operator_name: z.string() }).nullable(),
  observed_at: observedAtField,
  updated_at: z.string(),
});

export const positionKnownField = placeSchema.shape.position_known;

type FieldName = keyof typeof placeSchema.shape;

type Words<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : Text;

function words<const Text extends string>(text: Text): Words<Text>[] {
  return text.split(' ') as Words<Text>[];
}

/** The name depends on the reader's languages. */
const NAME = words('name local_name');
const HEAD = ['place_id' as const, ...NAME];
const KIND = [...HEAD, ...words('name_generated names vertical category cuisine destination')];
const WHERE = words('country city area address lat lng position_known');

/** Serializers of a field set. The text of a place is `id`, `name`, `stored`, `computed` and a closing brace. */
function serializersOf<Name extends FieldName, Computed extends Name>(
  names: readonly Name[],
  computed: readonly Computed[],
) {
  const apart = new Set<FieldName>([...HEAD, ...computed]);
  return {
    id: memberWriter(['place_id'], '{'),
    name: memberWriter(NAME),
    /** Fields that are the same for every caller at any time; their text can be stored. */
    stored: memberWriter(names.filter((name) => !apart.has(name))),
    /** Fields that depend on the time, the request or the settings. */
    computed: memberWriter(computed),
  };
}

function picked<Name extends FieldName>(names: readonly Name[]): Record<Name, true> {
  return Object.fromEntries(names.map((name) => [name, true])) as Record<Name, true>;
}

const CARD_COMPUTED = words(
  'open_now open_by_hours hours_from booking guidance url phone phone_other_country phone_as_published hours open_until distance_m',
);
const CARD = [...KIND, ...WHERE, ...words('rating review_count price_range badge'), ...CARD_COMPUTED];

/** A place in search results. The shape is the same on all surfaces. */
export const cardSchema = placeSchema
  .pick(picked(CARD))
  .extend({
    phone: placeSchema.shape.phone
      .optional()
      .describe('In E.164 form. It and hours are given if only one place was found, or with fields.'),
    hours: hoursSchema.pick({ structured: true, verified: true }).nullable().optional(),
  });
export type PlaceCard = z.output<typeof cardSchema>;
/** Fields that are stored as the text of a card. */
export type StoredCard = Omit<PlaceCard, 'local_name' | (typeof CARD_COMPUTED)[number]>;
export const cardJson = serializersOf(CARD, CARD_COMPUTED);

/** Default place fields in tool results: enough to choose a place and to take the next step. */
export const briefCardSchema = cardSchema
  .partial()
  .required({ place_id: true, name: true, category: true })
  .extend({
    open_now: z.boolean().nullable().optional().describe('Absent or null: the hours are not verified.'),
    booking: placeSchema.shape.booking.optional().describe('Absent: by phone, like most places.'),
  });

/** Fields that a brief card always has, unless they say nothing. */
export const BRIEF_FIELDS = [
  ...HEAD,
  ...words(
    'name_generated category destination area open_now open_by_hours hours_from open_until booking distance_m',
  ),
];

const RECORD = [
  ...HEAD,
  ...words(
    'name_generated names contact hours rating review_count area areas category cuisine about facts coordinates',
  ),
  ...words(
    'position_known open_now open_by_hours hours_from timezone booking booking_platform booking_page price_line photos badge',
  ),
  ...words('closed submitted_fields observed_at updated_at'),
];

/** Record of one place for partners; the feed consists of the same records. */
export const placeRecordSchema = placeSchema.pick(picked(RECORD)).extend({ category: z.string() });
export type PlaceRecord = z.input<typeof placeRecordSchema>;
const RECORD_COMPUTED = words('hours open_now open_by_hours hours_from timezone');
/** Fields that are stored as the text of a record. */
export type StoredRecord = Omit<PlaceRecord, (typeof HEAD | typeof RECORD_COMPUTED)[number]>;
export const recordJson = serializersOf(RECORD, RECORD_COMPUTED);
/** Serializers of the hours in a record. Whether they are verified depends on the time. */
export const hoursJson = {
  computed: memberWriter(['verified'], '{'),
  stored: memberWriter(['text', 'source', 'observed_at']),
};

const ANSWER = [
  ...KIND,
  ...WHERE,
  ...words(
    'areas phone phone_other_country phone_as_published website languages price_range about facts badge rating hours open_now open_by_hours hours_from open_status',
  ),
  ...words('closure_belief accolades menu promotions booking guidance photos sources submitted_fields'),
  ...words('submitted_by updated_at'),
];

/** Answer about one place for an agent. */
export const placeAnswerSchema = placeSchema
  .pick(picked(ANSWER))
  .extend({
    destination: destinationSchema,
    rating: z.object({ value: z.number().nullable(), count: z.int(), source: ratingSourceSet.schema }),
    booking: placeSchema.shape.booking.extend({
      url: z.string().nullable(),
      chosen_by_venue: z.boolean().describe('false: derived from what is published about the venue.'),
      phone: z.string().nullable(),
      phone_as_published: phoneFields.phone_as_published,
      platform: platformSet.word.nullable(),
      prefilled: prefilledSchema,
      guidance: z.string(),
    }),
  });
export type PlaceAnswer = z.input<typeof placeAnswerSchema>;
