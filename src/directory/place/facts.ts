import { z } from 'zod';
import {
  dogsSet,
  internetSet,
  mealsOutSet,
  reservationSet,
  saidSet,
  smokingSet,
  wheelchairSet,
  wishSet,
} from '../sets/fact-sets.ts';

/** Facts about a place that travellers look for, as its source states them. Unstated facts are absent. */
export const factsSchema = z
  .object({
    wheelchair: wheelchairSet.schema,
    internet_access: internetSet.schema,
    outdoor_seating: saidSet.schema,
    diets: z.array(z.string()).describe('vegan, vegetarian, halal and others that are catered for.'),
    only_diets: z.array(z.string()).describe('Among the diets: those that everything on offer follows.'),
    smoking: smokingSet.schema,
    payment: z.array(z.string()).describe('cash, cards, visa, contactless and others that are accepted.'),
    takeaway: mealsOutSet.schema,
    delivery: mealsOutSet.schema,
    reservation: reservationSet.schema,
    dogs: dogsSet.schema,
    stars: z.number(),
    rooms: z.int(),
    capacity: z.int(),
    fee: saidSet.schema.describe('Whether entry costs money.'),
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
    /** Answers show it beside the phone number. */
    phone_as_published: z.string(),
  })
  .partial();

export type Facts = z.infer<typeof factsSchema>;

/** Wishes that facts can fulfil; places are found by them. */
export const WISHES = wishSet.values;
export type Wish = (typeof WISHES)[number];

export function wishesMet(facts: Facts): Wish[] {
  const diets = facts.diets ?? [];
  const met: Readonly<Record<Wish, boolean>> = {
    wheelchair: facts.wheelchair === 'yes' || facts.wheelchair === 'designated',
    wifi: ['free', 'paid', 'yes'].includes(facts.internet_access ?? ''),
    outdoor_seating: facts.outdoor_seating === 'yes',
    vegan: diets.includes('vegan'),
    // Vegan food is vegetarian.
    vegetarian: diets.includes('vegetarian') || diets.includes('vegan'),
    halal: diets.includes('halal'),
    kosher: diets.includes('kosher'),
    gluten_free: diets.includes('gluten_free'),
    takeaway: facts.takeaway === 'yes' || facts.takeaway === 'only',
    delivery: facts.delivery === 'yes' || facts.delivery === 'only',
    no_smoking: facts.smoking === 'no' || facts.smoking === 'outside',
    cards: facts.payment?.some((method) => CARDS.has(method)) ?? false,
    reservation: ['yes', 'recommended', 'required'].includes(facts.reservation ?? ''),
    dogs: ['yes', 'leashed'].includes(facts.dogs ?? ''),
    free: facts.fee === 'no',
  };
  return WISHES.filter((wish) => met[wish]);
}

/** Numbers of hotel stars that sources state, half ones included. */
export const STAR_COUNTS: readonly number[] = Array.from({ length: 13 }, (_, half) => 1 + half / 2);

const CARDS = new Set(['cards', 'credit_cards', 'debit_cards', 'visa', 'mastercard', 'contactless']);
