import { z } from 'zod';
import { closedSet } from '../core/input/closed-set.ts';

export const allergenSet = closedSet(
  'Allergen',
  {
    gluten: 'Cereals with gluten.',
    crustaceans: 'Crustaceans.',
    eggs: 'Eggs.',
    fish: 'Fish.',
    peanuts: 'Peanuts.',
    soy: 'Soy.',
    milk: 'Milk.',
    nuts: 'Tree nuts.',
    celery: 'Celery.',
    mustard: 'Mustard.',
    sesame: 'Sesame.',
    sulphites: 'Sulphites.',
    lupin: 'Lupin.',
    molluscs: 'Molluscs.',
  },
  { explainedInTools: false },
);

/** Messages of a partner to a venue. */
const GUEST_CODES = {
  late: 'The guest comes so many minutes late.',
  allergies: 'The guest has allergies.',
  step_free: 'The guest needs step-free access.',
  child_seat: 'The guest needs a child seat.',
  coming: 'The guest is coming: answers please_confirm.',
} as const;

/** Messages of a venue to a partner. */
const VENUE_CODES = {
  ready_later: 'The table is ready only at the time in at.',
  kitchen_closes: 'The kitchen closes at the time in at.',
  please_confirm: 'The venue wants to know that the guest comes: answer with message_venue, coming.',
} as const;

export type GuestCode = keyof typeof GUEST_CODES;
export type VenueCode = keyof typeof VENUE_CODES;
export type Allergen = (typeof allergenSet.values)[number];

export const VENUE_MESSAGES = Object.keys(VENUE_CODES) as VenueCode[];

/** Codes that a partner can send; the last two request a change of the table. */
export const guestCodeSet = closedSet('MessageToVenue', {
  ...GUEST_CODES,
  one_more: 'One guest more: requests a change, which the venue answers.',
  one_fewer: 'One guest fewer: requests a change, which the venue answers.',
});

const codeSet = closedSet('CodedMessage', { ...GUEST_CODES, ...VENUE_CODES });
const senderSet = closedSet('MessageSender', { partner: 'You.', venue: 'The venue.' });

export type CodedSender = (typeof senderSet.values)[number];

export const codedMessageSchema = z.object({
  sender: senderSet.schema,
  code: codeSet.schema,
  minutes: z.int().nullable().describe('With late.'),
  allergens: z.array(allergenSet.schema).nullable().describe('With allergies.'),
  at: z.string().nullable().describe('HH:mm, local to the place, with ready_later and kitchen_closes.'),
  sent_at: z.string(),
  seen_at: z.string().nullable().describe('When the venue acknowledged yours; null: not yet.'),
});
