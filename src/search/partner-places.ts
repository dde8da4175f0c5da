import { z } from 'zod';
import type { OperationDeps } from '../core/context.ts';
import { PreparedAnswer } from '../core/operation.ts';
import { pageLimit } from '../core/page-limit.ts';
import { toldLines } from '../core/text/told-line.ts';
import { briefCardSchema, fieldsArgument, type CardField } from './brief-card.ts';
import { CARD_EXAMPLE } from './card.ts';
import type { Destination } from '../directory/destinations.ts';
import { explainEmpty } from './empty-hint.ts';
import { DESTINATION_EXAMPLE, destinationRef, destinationSchema } from '../directory/place/place-answer.ts';
import type { FilterNames } from './blocking-filters.ts';
import { fieldsTold, type FoundPlaces, type PlaceSearch } from './search-places.ts';

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
  hint: z.string().optional().describe('What to try when nothing was found.'),
});

export const PLACE_LIST_EXAMPLE: z.input<typeof placeListSchema> = {
  destination: DESTINATION_EXAMPLE,
  places: [CARD_EXAMPLE],
  count: 1,
  next_cursor: null,
};

interface Given {
  fields?: readonly CardField[] | undefined;
  cursor?: string | undefined;
}

/**
 * Writes the answer around cards: brief ones, or as they lie in the index where all of them is wanted. `more` stands in the
 * answer in the place of how a text was understood, for a list that takes none.
 */
export function placeList(
  deps: OperationDeps,
  search: PlaceSearch & { destination: Destination },
  found: FoundPlaces,
  given: Given,
  more: Record<string, unknown> | undefined,
): PreparedAnswer {
  const { attribution } = deps.destinations.current.attribution;
  const { destination } = search;
  const nothing = found.hits.length === 0 && given.cursor === undefined;
  const empty = nothing
    ? explainEmpty(deps, search, found, {
        text: 'query',
        openAt: more === undefined ? 'open_now' : 'at',
      } satisfies FilterNames)
    : undefined;
  const hint = empty?.hint;
  const understood = empty === undefined ? found.understood : empty.understood;
  const { id, ...named } = destinationRef(destination);
  const fields = fieldsTold(found, given);
  const all = fields.includes('all');
  const head = JSON.stringify({
    destination: all ? { id, ...named } : named,
    ...(more ?? { understood }),
    hint,
  }).slice(0, -1);
  const page = { count: found.hits.length, next_cursor: found.nextCursor, attribution };
  const tail = JSON.stringify(page).slice(1);
  return new PreparedAnswer(
    () =>
      all
        ? found.write(`${head},"places":[`, `],${tail}`, fields)
        : `${head},"places":${found.brief(fields)},${tail}`,
    () => `${destination.name}: ${toldLines(found.summary(fields), hint, attribution)}`,
  );
}
