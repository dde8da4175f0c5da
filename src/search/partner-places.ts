import { z } from 'zod';
import type { OperationDeps } from '../core/context.ts';
import { PreparedAnswer } from '../core/operation.ts';
import { pageLimit, nextCursorSchema } from '../core/page-limit.ts';
import { aroundList } from '../core/text/json-text.ts';
import { joinLines } from '../core/text/tool-text.ts';
import { fieldsArgument, type CardField } from './brief-card.ts';
import type { Destination } from '../directory/destinations.ts';
import { explainEmpty } from './empty-hint.ts';
import { destinationRef } from '../directory/place/place-answer.ts';
import { CARD_EXAMPLE, DESTINATION_EXAMPLE } from '../directory/place/place-examples.ts';
import { briefCardSchema, destinationSchema } from '../directory/place/place-fields.ts';
import type { FilterNames } from './blocking-filters.ts';
import { selectFields, type FoundPlaces, type PlaceSearch } from './search-places.ts';

export const PARTNER_LIMIT_DEFAULT = 20;
const PARTNER_LIMIT_MAX = 50;

const words = (max: number) => z.string().trim().min(1).max(max);

/** Arguments shared by the place lists of the partner surface. */
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
  count: z.int().describe('Number of places on this page.'),
  next_cursor: nextCursorSchema,
  hint: z.string().optional().describe('What to try when nothing was found.'),
});

export const PLACE_LIST_EXAMPLE: z.input<typeof placeListSchema> = {
  destination: DESTINATION_EXAMPLE,
  places: [CARD_EXAMPLE],
  count: 1,
  next_cursor: null,
};

interface ListOptions {
  fields?: readonly CardField[] | undefined;
  cursor?: string | undefined;
}

/**
 * Writes a list of places: brief cards, or cards as stored in the index when all fields are requested. `more` replaces
 * `understood` in lists that take no text.
 */
export function placeList(
  deps: OperationDeps,
  search: PlaceSearch & { destination: Destination },
  result: FoundPlaces,
  options: ListOptions,
  more: Record<string, unknown> | undefined,
): PreparedAnswer {
  const { attribution } = deps.destinations.current.attribution;
  const { destination } = search;
  const nothing = result.hits.length === 0 && options.cursor === undefined;
  const empty = nothing
    ? explainEmpty(deps, search, result, {
        text: 'query',
        openAt: more === undefined ? 'open_now' : 'at',
      } satisfies FilterNames)
    : undefined;
  const hint = empty?.hint;
  const understood = empty === undefined ? result.understood : empty.understood;
  const { id, ...named } = destinationRef(destination);
  const fields = selectFields(result, options);
  const all = fields.includes('all');
  const before = { destination: all ? { id, ...named } : named, ...(more ?? { understood }), hint };
  const after = { count: result.hits.length, next_cursor: result.nextCursor, attribution };
  return new PreparedAnswer(
    () =>
      all
        ? result.write(aroundList(before, 'places', after), fields)
        : JSON.stringify({ ...before, places: result.brief(fields), ...after }),
    () => `${destination.name}: ${joinLines(result.summary(fields), hint, attribution)}`,
  );
}
