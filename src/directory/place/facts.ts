import { z } from 'zod';

const said = z.enum(['yes', 'no']);

/** What travellers ask about a place, as its source says it. What the source does not say is not there. */
export const factsSchema = z
  .object({
    wheelchair: z.enum(['yes', 'limited', 'no', 'designated']),
    internet_access: z.enum(['free', 'paid', 'yes', 'no']),
    outdoor_seating: said,
    diets: z.array(z.string()).describe('vegan, vegetarian, halal and others that are catered for.'),
    only_diets: z.array(z.string()).describe('Among the diets: those that everything on offer keeps to.'),
    smoking: z.enum(['yes', 'no', 'outside', 'separated', 'isolated', 'dedicated']),
    payment: z.array(z.string()).describe('cash, cards, visa, contactless and others that are taken.'),
    takeaway: z.enum(['yes', 'no', 'only']),
    delivery: z.enum(['yes', 'no', 'only']),
    reservation: z.enum(['yes', 'no', 'recommended', 'required', 'members_only']),
    dogs: z.enum(['yes', 'no', 'leashed', 'outside']),
    stars: z.number(),
    rooms: z.int(),
    capacity: z.int(),
    fee: z.enum(['yes', 'no']),
    charge: z.string(),
    brand: z.string(),
    brand_wikidata: z.string(),
    operator: z.string(),
    description: z.string(),
    level: z.string(),
    religion: z.string(),
    denomination: z.string(),
    image: z.string(),
    postcode: z.string(),
    wikidata: z.string(),
    wikipedia: z.string(),
    heritage: z.string(),
    local_phone: z
      .string()
      .describe('The number as the source writes it, where it gives no country code. We never complete it.'),
  })
  .partial();

export type Facts = z.infer<typeof factsSchema>;

/** The plain wishes that a place of these facts fulfils: under these words it is found. */
export const WISHES = [
  'wheelchair',
  'wifi',
  'outdoor_seating',
  'vegan',
  'vegetarian',
  'halal',
  'kosher',
  'gluten_free',
  'takeaway',
  'delivery',
  'no_smoking',
  'cards',
  'reservation',
  'dogs',
  'free',
] as const;
export type Wish = (typeof WISHES)[number];

export function wishesMet(facts: Facts): Wish[] {
  const diets = facts.diets ?? [];
  const met: Readonly<Record<Wish, boolean>> = {
    wheelchair: facts.wheelchair === 'yes' || facts.wheelchair === 'designated',
    wifi: ['free', 'paid', 'yes'].includes(facts.internet_access ?? ''),
    outdoor_seating: facts.outdoor_seating === 'yes',
    vegan: diets.includes('vegan'),
    // Whoever cooks without animals cooks without meat.
    vegetarian: diets.includes('vegetarian') || diets.includes('vegan'),
    halal: diets.includes('halal'),
    kosher: diets.includes('kosher'),
    gluten_free: diets.includes('gluten_free'),
    takeaway: facts.takeaway === 'yes' || facts.takeaway === 'only',
    delivery: facts.delivery === 'yes' || facts.delivery === 'only',
    no_smoking: facts.smoking === 'no' || facts.smoking === 'outside',
    cards: facts.payment?.some((way) => CARDS.has(way)) ?? false,
    reservation: ['yes', 'recommended', 'required'].includes(facts.reservation ?? ''),
    dogs: ['yes', 'leashed'].includes(facts.dogs ?? ''),
    free: facts.fee === 'no',
  };
  return WISHES.filter((wish) => met[wish]);
}

const CARDS = new Set(['cards', 'credit_cards', 'debit_cards', 'visa', 'mastercard', 'contactless']);
