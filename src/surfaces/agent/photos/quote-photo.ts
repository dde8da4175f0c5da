import { z } from 'zod';
import { defineOperation } from '../../../core/operation.ts';
import { findOfferedPhoto, requireLive } from '../../../licensing/offered-photo.ts';
import { quoteOf, quoteSchema } from '../../../licensing/quote.ts';
import { recordPriceViews } from '../../../licensing/price-view.ts';
import { useSchema } from '../../../licensing/use.ts';
import { joinLines } from '../../../core/text/tool-text.ts';
import { agentOf, agentReadTool } from '../agent-tool.ts';
import examples from '../examples.json' with { type: 'json' };

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
  example: examples.quote_photo,
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
