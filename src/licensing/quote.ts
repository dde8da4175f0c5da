import { z } from 'zod';
import type { NewId } from '../core/ids.ts';
import { basePrice, type LivePhoto } from './offered-photo.ts';
import { priceAfter } from './price.ts';
import { licenceTerms, pricedUse, termsSchema, type Use } from './use.ts';

const QUOTE_MS = 5 * 60_000;

export const quoteSchema = z.object({
  quote_id: z.string(),
  ...pricedUse('The current price of a licence, in US cents.'),
  price_after_next_cents: z.int().describe('The price after the next licence of the photo.'),
  drop: z.object({
    left: z.int().describe('Licences that are left.'),
    ends_at: z.string(),
    price_next: z.int().describe('The same as price_after_next_cents.'),
  }),
  terms: termsSchema,
  valid_until: z.string(),
  guaranteed: z
    .literal(false)
    .describe('A quote is information: another buyer may move the price. Set max_price_cents.'),
});
export type Quote = z.output<typeof quoteSchema>;

export function quoteOf(ctx: { newId: NewId; now: Date }, photo: LivePhoto, use: Use): Quote {
  const base = basePrice(photo, use);
  const next = priceAfter(base, photo.sold + 1);
  return {
    quote_id: ctx.newId('qte'),
    photo_id: photo.id,
    use,
    price_cents: priceAfter(base, photo.sold),
    currency: 'USD',
    price_after_next_cents: next,
    drop: { left: photo.drop_cap - photo.sold, ends_at: photo.ends_at.toISOString(), price_next: next },
    terms: licenceTerms(use),
    valid_until: new Date(ctx.now.getTime() + QUOTE_MS).toISOString(),
    guaranteed: false,
  };
}
