import { z } from 'zod';
import { bookingMethodSet } from '../booking-route/booking-method.ts';
import { platformSet } from '../booking-route/platform-names.ts';
import { badgeSet, closureEvidenceSet } from '../sets/place-sets.ts';
import {
  areasField,
  factsField,
  hoursSchema,
  nameFields,
  observedAtField,
  openNowSchema,
  positionKnownField,
  submittedFieldsField,
} from './place-answer.ts';
import { placePhotosSchema } from './place-photos.ts';

/** Record of one place for partners; the feed consists of the same records. */
export const placeRecordSchema = z.object({
  place_id: z.string(),
  ...nameFields,
  contact: z.object({
    phone: z.string().nullable().describe('E.164; never guessed.'),
    email: z.string().nullable(),
    website: z.string().nullable(),
    address: z.string().nullable(),
  }),
  hours: hoursSchema,
  rating: z.number().nullable(),
  review_count: z.int(),
  area: z.string().nullable(),
  areas: areasField,
  category: z.string(),
  cuisine: z.array(z.string()),
  about: z
    .string()
    .nullable()
    .describe("The venue's own short description, unless submitted_fields names it."),
  facts: factsField,
  coordinates: z.object({ lat: z.number().nullable(), lng: z.number().nullable() }),
  position_known: positionKnownField,
  open_now: openNowSchema,
  timezone: z.string().describe('IANA time zone of the destination.'),
  booking: z.object({ method: bookingMethodSet.word }),
  booking_platform: platformSet.word.nullable(),
  booking_page: z
    .string()
    .nullable()
    .describe('Only if the venue itself chose it; booking_link gives others.'),
  price_line: z
    .object({ text: z.string(), read_at: z.string(), source_url: z.string() })
    .nullable()
    .describe('A price that the venue publishes, and when it was read there.'),
  photos: placePhotosSchema,
  badge: badgeSet.word,
  closed: z
    .object({
      evidence: closureEvidenceSet.word.nullable(),
      text: z.string(),
      checked_at: z.string().nullable(),
    })
    .nullable()
    .describe('Why the place is believed to have closed; null when it is not.'),
  submitted_fields: submittedFieldsField,
  observed_at: observedAtField,
  updated_at: z.string(),
});

export type PlaceRecord = z.input<typeof placeRecordSchema>;

/** Example for the API documentation. */
export const RECORD_EXAMPLE: PlaceRecord = {
  place_id: 'plc_01kdtqb00071qz6sbs7e2vkqza',
  name: 'Warung Senja',
  contact: { phone: null, email: null, website: 'https://warung-senja.example', address: null },
  hours: {
    structured: { fri: [['11:00', '23:00']], sat: [['11:00', '23:00']], sun: [] },
    text: 'Fr,Sa 11:00-23:00',
    verified: true,
    source: 'venue_website',
    observed_at: '2026-09-02T08:00:00.000Z',
  },
  rating: 4.5,
  review_count: 312,
  area: 'Jimbaran',
  areas: ['Jimbaran', 'Kuta Selatan', 'Badung'],
  category: 'seafood',
  cuisine: ['indonesian'],
  about: 'Grilled fish on the beach.',
  facts: { wheelchair: 'limited', outdoor_seating: 'yes', payment: ['cash', 'cards'] },
  coordinates: { lat: -8.77, lng: 115.17 },
  position_known: true,
  open_now: true,
  timezone: 'Asia/Makassar',
  booking: { method: 'venue_system' },
  booking_platform: 'sevenrooms',
  booking_page: 'https://www.sevenrooms.com/reservations/warungsenja',
  price_line: null,
  photos: [],
  badge: 'claimed',
  closed: null,
  submitted_fields: [],
  observed_at: '2026-08-11T09:30:00.000Z',
  updated_at: '2026-10-01T04:00:00.000Z',
};
