import { z } from 'zod';
import type { OperationDeps } from '../core/context.ts';
import { PreparedAnswer } from '../core/operation.ts';
import { pageLimit } from '../core/page-limit.ts';
import { briefCardSchema, fieldsArgument, type CardField } from './brief-card.ts';
import { CARD_EXAMPLE } from './card.ts';
import type { Destination } from '../directory/destinations.ts';
import { DESTINATION_EXAMPLE, destinationRef, destinationSchema } from '../directory/place/place-answer.ts';
import type { FoundPlaces } from './search-places.ts';

export const PARTNER_LIMIT_DEFAULT = 20;
export const PARTNER_LIMIT_MAX = 50;

const words = (max: number) => z.string().trim().min(1).max(max);

/** Arguments that the lists of places on the partner surface have in common. */
export const placeListFields = {
  category: words(60).optional().describe('A vertical, a category or a common word for one.'),
  cuisine: words(60).optional().describe('Only this cuisine.'),
  area: words(120).optional().describe('A neighbourhood.'),
  limit: pageLimit('How many places', { standard: PARTNER_LIMIT_DEFAULT, max: PARTNER_LIMIT_MAX }),
  cursor: z.string().min(1).max(200).optional().describe('next_cursor of the page before.'),
  fields: fieldsArgument,
};

export const placeListSchema = z.object({
  destination: destinationSchema.partial({ id: true }),
  places: z.array(briefCardSchema),
  count: z.int().describe('How many places this page holds.'),
  next_cursor: z
    .string()
    .nullable()
    .describe('Send it as cursor for the next page; null when there is none.'),
});

export const PLACE_LIST_EXAMPLE: z.input<typeof placeListSchema> = {
  destination: DESTINATION_EXAMPLE,
  places: [CARD_EXAMPLE],
  count: 1,
  next_cursor: null,
};

/** Writes the answer around cards: brief ones, or as they lie in the index where all of them is wanted. */
export function placeList(
  { destinations }: OperationDeps,
  destination: Destination,
  found: FoundPlaces,
  fields: readonly CardField[] = [],
  more: Record<string, unknown> | undefined = {},
): PreparedAnswer {
  const { attribution } = destinations.current.attribution;
  const { id, ...named } = destinationRef(destination);
  const all = fields.includes('all');
  const head = JSON.stringify({ destination: all ? { id, ...named } : named, ...more }).slice(0, -1);
  const page = { count: found.hits.length, next_cursor: found.nextCursor, attribution };
  const tail = JSON.stringify(page).slice(1);
  return new PreparedAnswer(
    () =>
      all
        ? found.write(`${head},"places":[`, `],${tail}`)
        : `${head},"places":${found.brief(fields)},${tail}`,
    () => `${destination.name}: ${found.summary()}\n${attribution}`,
  );
}
