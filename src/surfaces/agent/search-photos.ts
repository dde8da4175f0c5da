import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { nextCursorSchema, pageLimit } from '../../core/page-limit.ts';
import { findDestination, suggestDestinations } from '../../directory/find-destination.ts';
import { PHOTO_CARD_EXAMPLE, photoCard, photoCardSchema } from '../../licensing/photo-card.ts';
import { searchPhotos } from '../../licensing/search-photos.ts';
import { recordPriceViews } from '../../licensing/price-view.ts';
import { useSet } from '../../licensing/use.ts';
import { verticalSet } from '../../directory/sets/vertical.ts';
import { joinFacts, joinLines, quoteUntrusted } from '../../core/text/tool-text.ts';
import { formatCount } from '../../core/text/format-count.ts';
import { agentOf, agentReadTool } from './agent-tool.ts';

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 50;

export const searchPhotosForAgents = defineOperation({
  name: 'search_photos',
  title: 'Search photos',
  description:
    "Travellers' photos to license, the newest first, with the price of each use, up 10 % with every licence. Free.",
  tag: 'photos',
  ...agentReadTool,
  containsUntrustedText: true,
  rest: { method: 'GET', path: '/api/agent/photos/search' },
  input: z.object({
    city: z
      .string()
      .trim()
      .min(1)
      .max(120)
      .optional()
      .describe('A destination (slug, id or name) or a city.'),
    kind: verticalSet.schema.optional().describe('Only of such places.'),
    use: useSet.bare.optional().describe('Offered for it.'),
    max_price_cents: z.int().min(1).max(10_000_000).optional().describe('The most it may cost.'),
    place_id: z.string().min(1).max(40).optional().describe('Of this place.'),
    limit: pageLimit('How many', { standard: LIMIT_DEFAULT, max: LIMIT_MAX }),
    cursor: z.string().min(1).max(300).optional().describe('next_cursor of the page before.'),
  }),
  output: z.object({
    photos: z.array(photoCardSchema),
    count: z.int().describe('Number of photos on this page.'),
    limit: z.int(),
    next_cursor: nextCursorSchema,
    hint: z.string().optional().describe('What to try when nothing was found.'),
  }),
  failures: ['bad_cursor'],
  example: {
    input: { city: 'bali', use: 'web', max_price_cents: 1_000 },
    output: { photos: [PHOTO_CARD_EXAMPLE], count: 1, limit: 20, next_cursor: null },
  },
  async run(ctx, args) {
    const { deps } = ctx;
    const { limit = LIMIT_DEFAULT } = args;
    const results = await searchPhotos(ctx, {
      ...args,
      maxPriceCents: args.max_price_cents,
      placeId: args.place_id,
      limit,
    });
    ctx.note((tx) => recordPriceViews(tx, agentOf(ctx.actor), results.photos, 'every', ctx.now));
    const snapshot = deps.destinations.current;
    const unknown = args.city !== undefined && findDestination(snapshot, args.city) === undefined;
    const hint = unknown
      ? `No destination or city with this name was found. ${suggestDestinations(snapshot, args.city ?? '')}`
      : 'Nothing matches. Leave out a filter, or try again later: new drops start all the time.';
    return {
      photos: results.photos.map((photo) => photoCard(deps, photo)),
      count: results.photos.length,
      limit,
      next_cursor: results.nextCursor,
      ...(results.photos.length === 0 && args.cursor === undefined ? { hint } : {}),
    };
  },
  summarize({ photos, hint, next_cursor }) {
    if (photos.length === 0) return hint ?? 'No further photos.';
    return joinLines(
      `${formatCount(photos.length, 'photo')} to license, prices in US cents:`,
      ...photos.map((photo, at) => `${at + 1}. ${photoLine(photo)}`),
      next_cursor !== null && `More with cursor ${next_cursor}`,
    );
  },
});

function photoLine(photo: z.output<typeof photoCardSchema>): string {
  const { photo_id, place, city, month, prices, drop, preview_url } = photo;
  const offered = Object.entries(prices).filter(([, cents]) => cents !== null);
  return joinFacts(
    `${photo_id} of ${quoteUntrusted(place.name)} (${place.place_id}), ${quoteUntrusted(city)}, ${month}`,
    quoteUntrusted(photo.caption),
    offered.map(([use, cents]) => `${use} ${cents}`).join(', '),
    `${drop.left} left until ${drop.ends_at}`,
    preview_url,
    quoteUntrusted(photo.attribution),
  );
}
