import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { requireOpenPlace } from '../../directory/place/require-place.ts';
import { ratingSourceSet } from '../../directory/sets/source-sets.ts';
import { onePlaceTool } from '../../search/partner-arguments.ts';
import { guestRatingOf } from '../../members/place-rating.ts';
import examples from './examples.json' with { type: 'json' };

const output = z.object({
  place_id: z.string(),
  public: z.object({
    rating: z.number().nullable().describe('0 to 5; null if nobody rated it.'),
    count: z.int(),
    source: ratingSourceSet.schema,
  }),
  verified_guest: z
    .object({ average: z.number(), count: z.int() })
    .nullable()
    .describe('From guests whose booking here was confirmed and has passed; null under 3 of them.'),
});

export const getReviews = defineOperation({
  name: 'get_reviews',
  title: 'Get the ratings of a place',
  containsUntrustedText: true,
  description:
    'The public rating of a place, and the average of guests who came by a confirmed booking. Never the text of a review, never who wrote it.',
  ...onePlaceTool,
  output,
  example: examples.get_reviews,
  async run(ctx, { place_id }) {
    const { rating, review_count } = await requireOpenPlace(ctx, place_id);
    return {
      place_id,
      public: { rating, count: review_count, source: 'public' as const },
      verified_guest: await guestRatingOf(ctx.db, place_id),
    };
  },
  summarize({ place_id, public: { rating, count }, verified_guest }) {
    const all = rating === null ? 'nobody rated it.' : `rated ${rating} of 5 by ${count} people.`;
    const guests =
      verified_guest === null
        ? 'Too few guests with a confirmed booking have rated it.'
        : `Guests with a confirmed booking: ${verified_guest.average} of 5, ${verified_guest.count} of them.`;
    return `${place_id}: ${all} ${guests}`;
  },
});
