import { z } from 'zod';
import { defineOperation } from '../../../core/operation.ts';
import { findOfferedPhoto, requireLive } from '../../../licensing/offered-photo.ts';
import { quoteOf, quoteSchema } from '../../../licensing/quote.ts';
import { recordPriceViews } from '../../../licensing/price-view.ts';
import { licenceTerms, useSchema } from '../../../licensing/use.ts';
import { agentOf } from '../account/calling-agent.ts';
import { joinLines } from '../../../core/text/tool-text.ts';
import { agentReadTool } from '../agent-tool.ts';

export const quotePhoto = defineOperation({
  name: 'quote_photo',
  title: 'Quote a photo',
  description:
    'Price and terms of one use of a photo. Nothing is charged or reserved: another buyer may raise the price.',
  tag: 'photos',
  ...agentReadTool,
  containsUntrustedText: false,
  rest: { method: 'GET', path: '/api/agent/photos/quote' },
  input: z.object({ photo_id: z.string().min(1).max(40).describe('From a photo search.'), use: useSchema }),
  output: quoteSchema,
  failures: ['photo_not_found', 'drop_ended', 'sold_out', 'use_not_offered'],
  example: {
    input: { photo_id: 'pho_01kdtqb00071qz6sbs7e2vkqza', use: 'web' },
    output: {
      quote_id: 'qte_01kdtqb00071qz6sbs7e2vkqza',
      photo_id: 'pho_01kdtqb00071qz6sbs7e2vkqza',
      use: 'web',
      price_cents: 900,
      currency: 'USD',
      price_after_next_cents: 990,
      drop: { left: 7, ends_at: '2026-11-17T09:00:00.000Z', price_next: 990 },
      terms: licenceTerms('web'),
      valid_until: '2026-11-14T12:05:00.000Z',
      guaranteed: false,
    },
  },
  async run(ctx, { photo_id, use }) {
    const photo = requireLive(await findOfferedPhoto(ctx.db, photo_id), ctx.now);
    const quote = quoteOf(ctx, photo, use);
    ctx.note((tx) => recordPriceViews(tx, agentOf(ctx.actor), [photo], use, ctx.now));
    return quote;
  },
  summarize({ photo_id, use, price_cents, price_after_next_cents, drop, terms, valid_until }) {
    return joinLines(
      `${photo_id} for ${use}: ${price_cents} US cents now, ${price_after_next_cents} after the next licence; ${drop.left} left until ${drop.ends_at}. Not reserved; valid until ${valid_until}.`,
      `${terms.scope} Duration: ${terms.duration}. Not exclusive; the attribution must be shown.`,
      `To license it, send max_price_cents of ${price_cents} or more.`,
    );
  },
});
